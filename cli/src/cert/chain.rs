//! `grille cert chain`: makes roots and end entities in one command.

use super::names::{Options, end_entity};
use super::progress::report_progress;
use super::scripts::{self, ScriptChain};
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, Progress, Report};
use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::{PrivateKey, PrivateKeyForm};
use grille_registry::{Numbers, Profile as Era, Row, SignatureRow, UnknownAlgorithm, lookup};
use serde::Serialize;
use std::io::{self, Write};
use std::path::PathBuf;

/// Make a root certificate and an end-entity certificate with their keys.
///
/// With --alg, writes root_key.pem, root_cert.pem, entity_key.pem and entity_cert.pem. With --sig, writes these four
/// files for each name, with the name as a prefix, such as falcon_level1_root_key.pem. The file entity_cert.pem does
/// not contain the root: verifiers must have it already. --days applies to both certificates. --serial is the root's
/// serial number, and the entity gets the next one.
///
/// With wolfSSL's names (FALCON_LEVEL1, DILITHIUM_AES_LEVEL3, SPHINCS_FAST_LEVEL5, MLDSA44 …), --sig makes the same
/// chains as wolfSSL's scripts (generate_falcon_chains.sh and others), with their subjects, serial numbers, names and
/// usages unless options override them. FALCON, DILITHIUM, DILITHIUM_AES, SPHINCS and MLDSA select all levels.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille cert chain --alg ML-DSA-65 --out certs
  grille cert chain --sig ML-DSA-44,ML-DSA-65 --out certs\n    makes certs/ml_dsa_44_root_cert.pem …
  grille cert chain --sig FALCON,DILITHIUM,SPHINCS --out certs\n    makes the chains of wolfSSL's three scripts")]
#[command(group = clap::ArgGroup::new("names").required(true))]
pub(crate) struct Args {
    /// Use this signature algorithm for both certificates, by any name in `grille list --all`.
    #[arg(long, value_name = "NAME", group = "names", value_parser = grille_registry::signature_by_name)]
    alg: Option<&'static SignatureRow>,
    /// Make a chain for each of these signature algorithms, or for all levels of a wolfSSL family.
    #[arg(long, value_name = "NAMES", group = "names", value_delimiter = ',', value_parser = parse_family)]
    sig: Vec<Family>,
    /// Write the files to this directory, which is made if it is missing.
    #[arg(long, value_name = "DIR")]
    out: PathBuf,
    /// Certify this name of the entity: DNS:host or IP:address; without a prefix, a host name unless it is an IP
    /// address; may be repeated [default: DNS:localhost and IP:127.0.0.1].
    #[arg(long, value_name = "NAME")]
    san: Vec<String>,
    /// Use this subject for the root [default: CN=ALGORITHM root].
    #[arg(long, value_name = "NAME")]
    root_subject: Option<String>,
    /// Replace existing files.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    options: Options,
}

/// The algorithms that one name in `--sig` selects.
type Family = Vec<NamedAlgorithm>;

/// An algorithm, with the file prefix for the name that the user gave.
#[derive(Clone)]
struct NamedAlgorithm {
    row: &'static SignatureRow,
    /// The prefix of the file names.
    prefix: String,
    script: Option<ScriptChain>,
}

impl NamedAlgorithm {
    /// Derives the prefix from the name: `falcon_level1_` for `FALCON_LEVEL1`.
    fn new(name: &str, row: &'static SignatureRow) -> Self {
        let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' };
        let stem: String = name.chars().map(letter).collect();
        Self { row, prefix: format!("{stem}_"), script: ScriptChain::by_name(&stem) }
    }
}

/// Parses one name of `--sig`.
fn parse_family(name: &str) -> Result<Family, UnknownAlgorithm> {
    let name = name.trim();
    let family: Family =
        ScriptChain::family(name).map(|one| NamedAlgorithm::new(one.name, one.row())).collect();
    match grille_registry::signature_by_name(name) {
        Ok(row) => Ok(vec![NamedAlgorithm::new(name, row)]),
        Err(unknown) if family.is_empty() => Err(unknown),
        Err(_) => Ok(family),
    }
}

/// Makes the chains.
///
/// # Errors
/// Returns an error if an algorithm cannot be used in certificates, a name is invalid, or a file cannot be written.
pub(crate) fn run(args: &Args, numbers: Numbers, out: &mut Output) -> Result<(), Error> {
    let alone = args.alg.map(|row| NamedAlgorithm { row, prefix: String::new(), script: None });
    alone.iter().chain(args.sig.iter().flatten()).try_for_each(|named| {
        check_has_oid(named.row, numbers)?;
        crate::algorithm::warn_if_old(named.row, out);
        let made = out.while_running(named.row.name(), |done| make(named, args, numbers, done))?;
        out.print(&made)
    })
}

/// Checks that the algorithm has an object identifier in the profile, which certificates need.
fn check_has_oid(row: &'static SignatureRow, numbers: Numbers) -> Result<(), Error> {
    let named_in = |era: &Era| Numbers::for_profile(*era).signature_oid(row).is_some();
    if numbers.signature_oid(row).is_some() {
        return Ok(());
    }
    let error = Error::failure(format_args!(
        "{} has no object identifier in {numbers} and cannot be used in certificates",
        row.name()
    ));
    let substitutes = lookup::substitutes(row).filter(|other| numbers.signature_oid(other).is_some());
    let substitutes: Vec<_> = substitutes.take(4).map(Row::name).collect();
    Err(match (Era::ALL.iter().find(|era| named_in(era)), substitutes.as_slice()) {
        (Some(era), _) => error.advise(format_args!("give --profile {}, where it has one", era.name())),
        (None, []) => error.advise(RAW_KEY_ADVICE),
        (None, names) => {
            error.advise(format_args!("use {}, which are as strong, or {RAW_KEY_ADVICE}", names.join(", ")))
        }
    })
}

/// Advice for algorithms without an object identifier.
const RAW_KEY_ADVICE: &str = "use it with raw keys in `grille keygen`, `sign` and `verify`";

fn make(
    named: &NamedAlgorithm,
    args: &Args,
    numbers: Numbers,
    done: &Progress,
) -> Result<ChainReport, Error> {
    let rng = &mut SystemRng;
    let (mut root_key, key) = (
        PrivateKey::generate(named.row, rng)?.in_era(numbers),
        PrivateKey::generate(named.row, rng)?.in_era(numbers),
    );
    report_progress(&mut root_key, done);
    let [root, entity] = templates(named, args)?;
    let root = self_signed(&root, &root_key, rng)?;
    let entity = issue(&entity, key.public_key(), &root, &root_key, rng)?;
    let form = PrivateKeyForm::default_for(named.row);
    let (root_key, key) = (root_key.to_pkcs8_pem(form)?, key.to_pkcs8_pem(form)?);
    let (root, entity) = (root.to_pem()?, entity.to_pem()?);
    files::make_directory(&args.out)?;
    let path = |name: &str| args.out.join(format!("{}{name}", named.prefix));
    let paths = ["root_key.pem", "root_cert.pem", "entity_key.pem", "entity_cert.pem"].map(path);
    files::write(
        &[
            NewFile::private(&paths[0], root_key.as_bytes()),
            NewFile::public(&paths[1], root.as_bytes()),
            NewFile::private(&paths[2], key.as_bytes()),
            NewFile::public(&paths[3], entity.as_bytes()),
        ],
        args.force,
    )?;
    Ok(ChainReport { algorithm: named.row.name(), files: paths.map(|path| path.display().to_string()) })
}

/// Returns the contents of the root certificate and of the entity certificate.
fn templates(named: &NamedAlgorithm, args: &Args) -> Result<[Template; 2], Error> {
    let (options, root, names) = match named.script {
        None => (
            args.options.clone(),
            format!("/CN={} root", named.row.name()),
            &["DNS:localhost", "IP:127.0.0.1"][..],
        ),
        Some(scripted) => {
            let ([serial, _], entity) =
                (scripted.serials(), [scripts::ENTITY_SUBJECT, scripts::ENTITY_MAIL].concat());
            let root = [scripts::ROOT_SUBJECT, scripts::ROOT_MAIL].concat();
            (args.options.with_defaults(&entity, &serial), root, &[scripts::ENTITY_NAME][..])
        }
    };
    let names: Vec<String> = match args.san.as_slice() {
        [] => names.iter().map(ToString::to_string).collect(),
        given => given.to_vec(),
    };
    let root = options.template_for(args.root_subject.as_deref().unwrap_or(&root), Profile::Root)?;
    let entity = options.next().template(end_entity(&names)?)?;
    Ok(match named.script {
        None => [root, entity],
        Some(_) => [scripts::with_root_usage(root), scripts::with_entity_purposes(entity)],
    })
}

#[derive(Serialize)]
struct ChainReport {
    algorithm: &'static str,
    files: [String; 4],
}

impl Report for ChainReport {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        self.files.iter().try_for_each(|file| writeln!(out, "{}: {file}", self.algorithm))
    }
}
