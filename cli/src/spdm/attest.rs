//! `grille spdm attest`.

use super::address;
use super::algorithms::version_name;
use super::device::REQUESTER;
use super::link::Link;
use super::manifest::{Comparison, Manifest};
use super::measured::{kind_name, value_text};
use super::options::{Options, certificates};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{BAD, BOLD, DIM, GOOD, Output, Report, printable};
use grille_pki::Certificate;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::chain;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operations::{
    Connect, FetchCertificate, FetchDigests, Measure, MeasuredBlock, Prove,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::trust::Roots;
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Ask a device to prove what it is and what it runs, and say whether to trust it.
///
/// The device's certificate chain must end in a root of --ca, the device must sign a challenge and its measurements
/// with the key of that chain, and with --reference it must measure exactly what the manifest says. The exit code
/// is 0 if all of that holds, and 1 if not.
///
///     grille spdm responder --root root.pem
///     grille spdm attest localhost --ca root.pem --save good.json
///     grille spdm attest localhost --ca root.pem --reference good.json
#[derive(clap::Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Args {
    /// The device; without a port, 2323 or for TCP 4194.
    #[arg(value_name = "HOST[:PORT]")]
    endpoint: String,
    /// Roots to trust (PEM); may be given more than once.
    #[arg(long, value_name = "FILE", required = true)]
    ca: Vec<PathBuf>,
    /// The slot of the device's chain.
    #[arg(long = "slot_id", visible_alias = "slot", value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u8).range(0..8))]
    slot: u8,
    /// What the device must measure: a manifest of --save.
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// Save what the device measures as a manifest, if its signature is right.
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Replace the file of --save.
    #[arg(long, requires = "save")]
    force: bool,
    #[command(flatten)]
    options: Options,
}

/// Attests the device and says so.
///
/// # Errors
/// If the device cannot be reached or does not prove itself, or measures something else than the manifest says.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let roots = Roots::new(certificates(&args.ca)?);
    let reference = args.reference.as_deref().map(Manifest::read).transpose()?;
    let config = args.options.config(REQUESTER)?;
    let address = address(&args.endpoint, args.options.port());
    let mut link = Link::connect(&args.options, address.clone())?;
    let mut requester = Requester::new(config, Identity::default(), Box::new(roots));
    let (proved, blocks) =
        prove(&mut requester, &mut link, args.slot).map_err(|error| error.at_place(&address))?;
    if let Some(path) = &args.save {
        let manifest = Manifest::of(&blocks).to_json()?;
        files::write(&[NewFile::public(path, manifest.as_bytes())], args.force)?;
    }
    let compared = reference.map(|manifest| manifest.compare(&blocks));
    let differs = compared.as_ref().is_some_and(|compared| !compared.is_same());
    out.print(&Attested::new(&address, proved, &blocks, compared))?;
    if differs {
        return Err(
            Error::mismatch("the device measures something else than the manifest says").at_place(address)
        );
    }
    Ok(())
}

/// What the device proved before it measured.
#[derive(Serialize)]
struct Proved {
    version: String,
    hash: &'static str,
    signature: &'static str,
    slot: u8,
    /// From the root, or its first child, to the device.
    chain: Vec<String>,
}

fn prove(
    requester: &mut Requester,
    link: &mut Link,
    slot: u8,
) -> Result<(Proved, Vec<MeasuredBlock>), Error> {
    requester.run(Connect::new(), link)?;
    requester.run(FetchDigests, link)?;
    let chain = requester.run(FetchCertificate::new(slot), link)?;
    requester.run(Prove::new(slot, 0), link)?;
    let blocks = requester.run(Measure::all_signed(slot), link)?.blocks;
    let connection = requester.connection();
    let negotiated = connection.negotiated().ok_or_else(|| Error::failure("nothing was negotiated"))?;
    let algorithms = &negotiated.algorithms;
    let proved = Proved {
        version: version_name(connection.version()),
        hash: algorithms.hash.name,
        signature: algorithms.asym.map_or("none", Asym::name),
        slot,
        chain: subjects(algorithms.hash, &chain)?,
    };
    Ok((proved, blocks))
}

fn subjects(hash: &Hash, chain: &[u8]) -> Result<Vec<String>, Error> {
    let chain = chain::parse(hash, chain).map_err(grille_spdm_engine::error::Error::from)?;
    Ok(chain.issuers.iter().chain([&chain.leaf]).map(Certificate::subject).collect())
}

#[derive(Serialize)]
struct Attested<'a> {
    endpoint: &'a str,
    trusted: bool,
    #[serde(flatten)]
    proved: Proved,
    measurements: Vec<Block>,
    /// Nothing without --reference.
    comparison: Option<Comparison>,
}

#[derive(Serialize)]
struct Block {
    index: u8,
    kind: &'static str,
    raw: bool,
    value: String,
}

impl<'a> Attested<'a> {
    fn new(
        endpoint: &'a str,
        proved: Proved,
        blocks: &[MeasuredBlock],
        comparison: Option<Comparison>,
    ) -> Self {
        let block = |block: &MeasuredBlock| Block {
            index: block.index,
            kind: kind_name(block.kind),
            raw: block.raw,
            value: value_text(block),
        };
        let trusted = comparison.as_ref().is_none_or(Comparison::is_same);
        Self { endpoint, trusted, proved, measurements: blocks.iter().map(block).collect(), comparison }
    }
}

impl Report for Attested<'_> {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let Proved { version, hash, signature, slot, chain } = &self.proved;
        writeln!(out, "{BOLD}{}{BOLD:#}  SPDM {version}, {signature}, {hash}", printable(self.endpoint))?;
        writeln!(out, "{GOOD}✓{GOOD:#} certificate chain of slot {slot}")?;
        for (depth, subject) in chain.iter().enumerate() {
            writeln!(out, "{DIM}{:indent$}└{DIM:#} {}", "", printable(subject), indent = 2 + 2 * depth)?;
        }
        writeln!(out, "{GOOD}✓{GOOD:#} challenge")?;
        writeln!(out, "{GOOD}✓{GOOD:#} measurements, signed by the device")?;
        for block in &self.measurements {
            let differs = self.comparison.as_ref().is_some_and(|comparison| comparison.concerns(block.index));
            let (style, mark) = if differs { (BAD, "✗") } else { (DIM, " ") };
            let Block { index, kind, value, .. } = block;
            writeln!(out, "  {style}{mark}{index:>4}{style:#}  {kind:<26} {value}")?;
        }
        match &self.comparison {
            None => {
                writeln!(out, "{DIM}nobody said what it should measure; --reference compares{DIM:#}")?;
                writeln!(out, "{GOOD}TRUSTED{GOOD:#}: the device is what its chain says")
            }
            Some(same) if same.is_same() => {
                writeln!(
                    out,
                    "{GOOD}TRUSTED{GOOD:#}: the device is what its chain says, and measures what it should"
                )
            }
            Some(comparison) => writeln!(out, "{BAD}NOT TRUSTED{BAD:#}: {}", comparison.text()),
        }
    }
}
