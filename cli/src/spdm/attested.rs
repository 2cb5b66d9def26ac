//! One attestation: what a device is asked, and what comes of it.

use super::algorithms::version_name;
use super::claims::Claims;
use super::contradictions::{Side, settle};
use super::device::{MUTUAL, REQUESTER};
use super::emulation::slot;
use super::link::Link;
use super::manifest::{Comparison, Manifest};
use super::measured::{Entry, kind_name, measurement_hash};
use super::needs;
use super::options::{Options, certificates, seconds};
use super::own::{self, KeyFiles, Place, Psk};
use super::policy::Policy;
use crate::arguments::host_and_address;
use crate::error::Error;
use crate::hex;
use crate::output::{BAD, BOLD, DIM, GOOD, Output, Report, WARN, printable};
use clap::ValueEnum;
use grille_pki::{Certificate, PublicKey};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::{Algorithms, Asym, Bits, KeyExchange};
use grille_spdm_engine::chain::{self, Chain};
use grille_spdm_engine::config::{Binding, Config};
use grille_spdm_engine::flight::Operation;
use grille_spdm_engine::identity::{Identity, PROVISIONED};
use grille_spdm_engine::operations::{
    Connect, End, FetchCertificate, FetchDigests, Measure, MeasuredBlock, OpenPskSession, OpenSession, Prove,
    ProveBack,
};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::trust::Roots;
use serde::Serialize;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The options about it, whatever is attested.
#[derive(clap::Args)]
pub(super) struct How {
    /// Roots to trust (PEM); may be given more than once.
    #[arg(long, value_name = "FILE", required_unless_present = "peer_key")]
    ca: Vec<PathBuf>,
    /// The device's public key (PEM or DER), or a certificate with it, in place of roots: it proves itself with that in slot
    /// 0xFF, and shows no chain.
    #[arg(long = "peer_key", value_name = "FILE", conflicts_with = "ca")]
    peer_key: Option<PathBuf>,
    /// The slot of the device's chain, 0 to 7; without it 0, or with --peer_key 0xFF.
    #[arg(long = "slot_id", visible_alias = "slot", value_name = "N", value_parser = slot)]
    slot: Option<u8>,
    /// The slot that this side proves itself with where devices want that: 0 to 7 with --cert, or 0xFF with a --key that they
    /// know.
    #[arg(long = "req_slot_id", value_name = "N", default_value = "0", value_parser = slot, requires = "key")]
    req_slot: u8,
    /// What the device must measure: a manifest of --save.
    #[arg(long, value_name = "FILE")]
    reference: Option<PathBuf>,
    /// Ask for the measurements in a session, opened with a key exchange or with a key that both sides have.
    #[arg(long, value_name = "HOW")]
    session: Option<Session>,
    /// How many seconds one device may take for everything, however it spreads them: --timeout is for each answer.
    #[arg(long, value_name = "SECONDS", default_value_t = 300, allow_negative_numbers = true, value_parser = seconds())]
    deadline: u64,
    /// Only with --session PSK.
    #[command(flatten)]
    psk: Psk,
    /// Where devices want requesters to prove themselves too.
    #[command(flatten)]
    files: KeyFiles,
    #[command(flatten)]
    options: Options,
}

impl How {
    /// Whether files may be replaced.
    pub(super) const fn force(&self) -> bool {
        self.options.force()
    }

    /// What devices prove themselves with.
    ///
    /// # Errors
    /// If the options name a chain and a key, or neither.
    fn slot(&self) -> Result<u8, Error> {
        let wrong = |what: &str, advice: &str| Err(Error::usage(what).at_place("--slot_id").advise(advice));
        match (self.slot, &self.peer_key) {
            (Some(PROVISIONED), None) => wrong(
                "slot 0xFF has no chain, but a key that is known beforehand",
                "--peer_key names its file",
            ),
            (Some(slot), Some(_)) if slot != PROVISIONED => wrong(
                "a slot with a chain needs no --peer_key",
                "leave --slot_id out, or name the roots with --ca",
            ),
            (slot, key) => Ok(slot.unwrap_or(if key.is_some() { PROVISIONED } else { 0 })),
        }
    }

    /// The identity with what this side proves itself with, where it has that. `bits`: what may be signed with.
    ///
    /// # Errors
    /// What files have wrong.
    fn identify(&self, identity: Identity, bits: &Bits) -> Result<Option<Identity>, Error> {
        if self.req_slot == PROVISIONED {
            return self.files.provisioned(identity, bits).map(Some);
        }
        let signed = self.files.read(bits)?;
        Ok(signed.map(|signed| own::in_slot(identity, self.req_slot, 1, &signed)))
    }

    /// What is read, but for the manifest.
    fn inputs(&self) -> impl Iterator<Item = &Path> {
        let trusted = self.ca.iter().chain(&self.peer_key).map(PathBuf::as_path);
        trusted.chain(self.files.inputs()).chain(self.psk.input())
    }
}

/// How a session is opened.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum Session {
    KeyEx,
    Psk,
}

impl Session {
    const fn name(self) -> &'static str {
        match self {
            Self::KeyEx => "KEY_EX",
            Self::Psk => "PSK",
        }
    }

    /// That a requester with these capabilities can open one.
    ///
    /// # Errors
    /// Names those that are missing.
    fn check(self, flags: Caps) -> Result<(), Error> {
        let opens = if self == Self::Psk { Caps::PSK } else { Caps::KEY_EX };
        let missing = |any: &Caps| !flags.intersects(*any);
        let missing: Vec<String> =
            [opens, Caps::ENCRYPT | Caps::MAC].into_iter().filter(missing).map(needs::brought).collect();
        if missing.is_empty() {
            return Ok(());
        }
        let what = format!("a session with {} takes {} of this side", self.name(), missing.join(" and "));
        Err(Error::usage(what).at_place("--session"))
    }
}

/// Attests one device after the other, also from several threads.
pub(super) struct Attestor<'a> {
    how: &'a How,
    slot: u8,
    roots: Arc<Roots>,
    /// Of devices without a chain.
    peer_key: Option<PublicKey>,
    reference: Option<Manifest>,
    config: Config,
    identity: Identity,
    psk_hint: Vec<u8>,
}

impl<'a> Attestor<'a> {
    /// Reads all files; `saved`: what will be written.
    ///
    /// # Errors
    /// What files or options have wrong.
    pub(super) fn new(how: &'a How, saved: Option<&'a Path>) -> Result<Self, Error> {
        if how.session.is_some() && how.options.binding() == Binding::Bare {
            return Err(Error::usage("--trans NONE carries no sessions").at_place("--session"));
        }
        if let Some(option) = how.psk.given().filter(|_| how.session != Some(Session::Psk)) {
            let what = Error::usage("no session is opened with a key that both sides have").at_place(option);
            return Err(what.advise("--session PSK opens one"));
        }
        let slot = how.slot()?;
        how.options.check_requesters()?;
        let inputs: Vec<&Path> = how.inputs().chain(how.reference.as_deref()).collect();
        how.options.check_outputs(saved, &inputs)?;
        let mut config = how.options.config(REQUESTER)?;
        let mut identity = how.psk.identity()?;
        if how.session == Some(Session::Psk) {
            config.limits.flags = config.limits.flags | Caps::PSK;
        }
        how.session.map_or(Ok(()), |session| session.check(config.limits.flags))?;
        if let Some(proves) = how.identify(identity.clone(), &own::of_requester(&config.algorithms))? {
            config.limits.flags = Place::of(how.req_slot, 1).able(config.limits.flags | MUTUAL);
            identity = proves;
        }
        let config = settle(config, Side::Requester, how.options.names_versions())?;
        Ok(Self {
            how,
            slot,
            roots: Arc::new(Roots::new(certificates(&how.ca)?)),
            peer_key: how.peer_key.as_deref().map(own::public_key).transpose()?,
            reference: how.reference.as_deref().map(Manifest::read).transpose()?,
            config,
            identity,
            psk_hint: how.psk.hint()?,
        })
    }

    /// Where a device without a port is asked.
    pub(super) fn port(&self) -> u16 {
        self.how.options.port()
    }

    /// All that decides a verdict.
    ///
    /// # Errors
    /// None in practice: a key that was read can be written.
    pub(super) fn policy(&self) -> Result<Policy, Error> {
        let reference = self.reference.as_ref().map(Manifest::canonical);
        let session = match self.how.session {
            None => "none".to_owned(),
            Some(Session::KeyEx) => "key exchange".to_owned(),
            Some(Session::Psk) => format!("key {}", hex::encode(&self.psk_hint).as_str()),
        };
        let policy = Policy::new(&self.roots.roots, &self.config)
            // where a device without a port is asked
            .with("transport", self.how.options.binding().name())
            .with("slot", self.slot)
            .with("session", session)
            .with(
                if reference.is_some() { "reference" } else { "no reference" },
                reference.unwrap_or_default(),
            );
        Ok(match &self.peer_key {
            None => policy,
            Some(key) => policy.with("key", hex::encode(&key.to_spki_der()?).as_str()),
        })
    }

    /// Attests the device at `endpoint`, `HOST` or `HOST:PORT`; returns what it measures too.
    ///
    /// # Errors
    /// If it cannot be reached, or does not prove itself.
    pub(super) fn attest(&self, endpoint: &str) -> Result<(Attested, Vec<MeasuredBlock>), Error> {
        let (_, address) = host_and_address(endpoint, self.how.options.port());
        let until = Instant::now() + Duration::from_secs(self.how.deadline);
        let mut link = Link::connect(&self.how.options, address.clone(), Some(until))?;
        let judge = Box::new(self.roots.clone());
        let config = Config { key_log: self.how.options.key_log()?, ..self.config.clone() };
        let mut requester = Requester::new(config, self.identity.clone(), judge);
        if let Some(key) = &self.peer_key {
            requester.provision(key.clone());
        }
        let (proved, blocks) =
            self.prove(&mut requester, &mut link).map_err(|error| error.or_at_place(&address))?;
        // DMTF's emulator ends where nobody tells it so; the device has proved itself, whatever comes of that
        let _ = link.leave();
        let compare = |manifest: &Manifest| manifest.compare(&blocks, proved.measurement_hash);
        let compared = self.reference.as_ref().map(compare);
        Ok((Attested::new(endpoint, proved, &blocks, compared), blocks))
    }

    fn prove(
        &self,
        requester: &mut Requester,
        link: &mut Link,
    ) -> Result<(Proved, Vec<MeasuredBlock>), Error> {
        let slot = self.slot;
        requester.run(Connect::new(), link)?;
        check_slot(slot, requester.connection().responder().flags)?;
        needs::check_measured(slot, requester.connection().version())?;
        let chain = if self.peer_key.is_none() {
            requester.run(FetchDigests, link)?;
            requester.run(FetchCertificate::new(slot), link)?
        } else {
            Vec::new()
        };
        if requester.run(Prove::new(slot, 0), link)?.mutual {
            requester.run(ProveBack::new(), link)?;
        }
        if !requester.connection().responder().flags.contains(Caps::MEAS_SIG) {
            let advice = format!("it takes a responder with {}", needs::brought(Caps::MEAS_SIG));
            return Err(Error::failure("the device signs no measurements").advise(advice));
        }
        let measure = Measure::all_signed(slot);
        let session = match self.how.session {
            None => None,
            Some(Session::KeyEx) => Some(requester.run(OpenSession::new(slot), link)?),
            Some(Session::Psk) => Some(requester.run(OpenPskSession::new(&self.psk_hint), link)?),
        };
        let blocks = match session {
            None => requester.run(measure, link)?.blocks,
            Some(session) => {
                let measured = requester.run(measure.within(session), link)?;
                requester.run(End(session), link)?;
                measured.blocks
            }
        };
        let connection = requester.connection();
        let negotiated = connection.negotiated().ok_or_else(|| Error::failure("nothing was negotiated"))?;
        let algorithms = &negotiated.algorithms;
        let (certificates, quantum_safe) = match &self.peer_key {
            Some(key) => (Vec::new(), key.row().category > 0),
            None => {
                let parsed = chain::parse(algorithms.hash, &chain);
                let Chain { issuers, leaf, .. } = parsed.map_err(grille_spdm_engine::error::Error::from)?;
                let all: Vec<Certificate> = issuers.into_iter().chain([leaf]).collect();
                let safe = all.iter().all(is_quantum_safe);
                (all, safe)
            }
        };
        let proved = Proved {
            version: version_name(connection.version()),
            hash: algorithms.hash.name,
            measurement_hash: measurement_hash(algorithms.measurement_hash).map(|hash| hash.name),
            signature: algorithms.asym.map_or("none", Asym::name),
            slot,
            session: self.how.session.map(|session| Within::of(session, algorithms)),
            chain: certificates.iter().map(Certificate::subject).collect(),
            claims: certificates.iter().map(Claims::of).collect(),
            quantum_safe,
        };
        Ok((proved, blocks))
    }
}

/// What the device proved before it measured.
#[derive(Serialize)]
struct Proved {
    version: String,
    hash: &'static str,
    /// Of the digests among the measurements.
    measurement_hash: Option<&'static str>,
    signature: &'static str,
    slot: u8,
    /// Where it was asked for measurements, if in a session.
    session: Option<Within>,
    /// From the root, or its first child, to the device; nothing of one whose key is known beforehand.
    chain: Vec<String>,
    /// What each of these says of the device.
    claims: Vec<Claims>,
    /// Whether no key and no signature, or not the one key, is one that a quantum computer forges.
    quantum_safe: bool,
}

/// The session in which it was asked for measurements.
#[derive(Serialize)]
struct Within {
    opened: &'static str,
    /// Nothing with a key that both sides have.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_exchange: Option<&'static str>,
    aead: Option<&'static str>,
}

impl Within {
    fn of(session: Session, algorithms: &Algorithms) -> Self {
        let exchanged = algorithms.key_exchange.filter(|_| session == Session::KeyEx);
        Self {
            opened: session.name(),
            key_exchange: exchanged.map(KeyExchange::name),
            aead: algorithms.aead.map(|aead| aead.name),
        }
    }

    fn text(&self) -> String {
        let parts = [Some(self.opened), self.key_exchange, self.aead];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// What is known of a device, and the verdict.
#[derive(Serialize)]
pub(super) struct Attested {
    endpoint: String,
    /// Nothing if nobody can say.
    #[serde(skip_serializing_if = "Option::is_none")]
    trusted: Option<bool>,
    #[serde(flatten)]
    proved: Proved,
    measurements: Vec<Entry>,
    /// Nothing without --reference.
    comparison: Option<Comparison>,
}

impl Attested {
    /// The device, as it was asked for.
    pub(super) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    /// Whether it is what it should be, if anybody can say.
    pub(super) const fn is_trusted(&self) -> Option<bool> {
        self.trusted
    }

    /// Why nobody can say, and what to do.
    pub(super) fn obstacle(&self) -> Option<[String; 2]> {
        self.comparison.as_ref().filter(|_| self.trusted.is_none())?.obstacle(self.proved.hash)
    }

    /// What it measures otherwise, and what to do.
    pub(super) fn mismatch(&self) -> Option<[String; 2]> {
        let comparison = self.comparison.as_ref().filter(|_| self.trusted == Some(false))?;
        Some([comparison.summary(), comparison.advice()])
    }

    /// What the digests among its measurements are of.
    pub(super) const fn measurement_hash(&self) -> Option<&'static str> {
        self.proved.measurement_hash
    }

    /// Whether no quantum computer could have forged it.
    pub(super) const fn is_quantum_safe(&self) -> bool {
        self.proved.quantum_safe
    }

    fn new(endpoint: &str, proved: Proved, blocks: &[MeasuredBlock], comparison: Option<Comparison>) -> Self {
        let trusted = comparison.as_ref().map_or(Some(true), Comparison::verdict);
        Self {
            endpoint: endpoint.to_owned(),
            trusted,
            proved,
            measurements: blocks.iter().map(Entry::of).collect(),
            comparison,
        }
    }
}

impl Report for Attested {
    fn human(&self, out: &mut Output) -> io::Result<()> {
        let Proved { version, hash, signature, slot, session, chain, claims, quantum_safe, .. } =
            &self.proved;
        writeln!(out, "{BOLD}{}{BOLD:#}  SPDM {version}, {signature}, {hash}", printable(&self.endpoint))?;
        match *slot {
            PROVISIONED => writeln!(out, "{GOOD}✓{GOOD:#} public key that is known beforehand")?,
            slot => writeln!(out, "{GOOD}✓{GOOD:#} certificate chain of slot {slot}")?,
        }
        for (depth, (subject, claims)) in chain.iter().zip(claims).enumerate() {
            let indent = 2 + 2 * depth;
            writeln!(out, "{DIM}{:indent$}└{DIM:#} {}", "", printable(subject))?;
            for (what, text) in claims.lines() {
                writeln!(out, "{:indent$}    {what}: {}", "", printable(text))?;
            }
        }
        writeln!(out, "{GOOD}✓{GOOD:#} challenge")?;
        if let Some(session) = session {
            writeln!(out, "{GOOD}✓{GOOD:#} session: {}", session.text())?;
        }
        writeln!(out, "{GOOD}✓{GOOD:#} measurements, signed by the device")?;
        self.measurements.iter().try_for_each(|block| self.measurement(block, out))?;
        if !quantum_safe {
            writeln!(
                out,
                "{WARN}!{WARN:#} a quantum computer could forge this: the chain or the device's key is classical"
            )?;
        }
        self.verdict(out)
    }
}

impl Attested {
    fn verdict(&self, out: &mut Output) -> io::Result<()> {
        let is = match self.proved.slot {
            PROVISIONED => "the device has the key that it should",
            _ => "the device is what its chain says",
        };
        match &self.comparison {
            None => {
                writeln!(out, "{DIM}nobody said what it should measure; --reference compares{DIM:#}")?;
                writeln!(out, "{GOOD}TRUSTED{GOOD:#}: {is}")
            }
            Some(same) if same.verdict() == Some(true) => {
                writeln!(out, "{GOOD}TRUSTED{GOOD:#}: {is}, and measures what it should")
            }
            Some(comparison) => {
                let obstacle = comparison.obstacle(self.proved.hash).map(|[why, _]| why).unwrap_or_default();
                if comparison.verdict().is_none() {
                    return writeln!(out, "{WARN}NOT COMPARED{WARN:#}: {obstacle}");
                }
                if !obstacle.is_empty() {
                    writeln!(out, "{WARN}!{WARN:#} {obstacle}")?;
                }
                writeln!(out, "{BAD}NOT TRUSTED{BAD:#}: {}", comparison.text())
            }
        }
    }

    /// A measurement, and what it should be if it is something else.
    fn measurement(&self, block: &Entry, out: &mut Output) -> io::Result<()> {
        let (index, kind, value) = (&block.index, kind_name(block.kind), block.text());
        let compared = self.comparison.as_ref();
        let differs = compared.is_some_and(|comparison| comparison.concerns(*index));
        let is_open = compared.is_some_and(|comparison| comparison.is_open(*index));
        let (style, mark) = match (differs, is_open) {
            (true, _) => (BAD, "✗"),
            (_, true) => (WARN, "?"),
            _ => (DIM, " "),
        };
        writeln!(out, "  {style}{mark}{index:>4}{style:#}  {kind:<26} {value}")?;
        let Some(difference) = compared.and_then(|all| all.difference(*index)) else { return Ok(()) };
        for (what, value) in ["expected", "found"].into_iter().zip(difference.texts()) {
            writeln!(out, "{:9}{DIM}{what:<26}{DIM:#} {value}", "")?;
        }
        Ok(())
    }
}

/// That a device with these capabilities has something in this slot.
///
/// # Errors
/// If it has a public key where there should be a chain, or the other way round.
fn check_slot(slot: u8, flags: Caps) -> Result<(), Error> {
    let known = flags.contains(Caps::PUB_KEY_ID);
    let (what, advice) = match slot {
        PROVISIONED if !known => (
            "the device has no public key that is known beforehand",
            "--ca in place of --peer_key trusts the roots of its certificates",
        ),
        0..PROVISIONED if known && !flags.contains(Caps::CERT) => (
            "the device has no certificates: it proves itself with a public key known beforehand",
            "--peer_key in place of --ca names the file of that key",
        ),
        _ => return Ok(()),
    };
    Err(Error::failure(what).advise(advice))
}

/// Whether a certificate is signed with a post-quantum algorithm, and has a key of one.
fn is_quantum_safe(certificate: &Certificate) -> bool {
    certificate.signature_row().is_some_and(|row| row.category > 0)
        && certificate.public_key().is_ok_and(|key| key.row().category > 0)
}
