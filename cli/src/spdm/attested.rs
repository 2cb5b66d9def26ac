//! What a device has proved, what it measures, and the verdict.

use super::algorithms::version_name;
use super::appraisal::comparison::Comparison;
use super::appraisal::criteria::Criteria;
use super::appraisal::device_mode::{DEVICE_MODE, DeviceMode};
use super::appraisal::identity::Identity;
use super::appraisal::judgement::Judgement;
use super::appraisal::reason::{Finding, Reason, Verdict};
use super::attestor::Session;
use super::claims::Claims;
use super::manifest::Manifest;
use super::measured::{Entry, kind_name, measurement_hash};
use super::target::Target;
use crate::error::Error;
use crate::output::{BAD, BOLD, DIM, GOOD, Output, Report, WARN, printable};
use anstyle::Style;
use grille_pki::{Certificate, PublicKey};
use grille_spdm_engine::algorithms::{Algorithms, Asym, KeyExchange};
use grille_spdm_engine::chain::{self, Chain};
use grille_spdm_engine::connection::Connection;
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::operations::MeasuredBlock;
use serde::Serialize;
use std::io::{self, Write};

/// What the device proved before it measured.
#[derive(Serialize)]
pub(super) struct Proved {
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
    /// The subject of the root that the chain is believed by. `None`: the key was known beforehand.
    root: Option<String>,
    /// What each certificate of the chain says of the device.
    claims: Vec<Claims>,
    /// Whether no key and no signature, or not the one key, is one that a quantum computer forges.
    quantum_safe: bool,
    identity: Identity,
}

/// What a device proves itself with.
#[derive(Clone, Copy)]
pub(super) enum Proof<'a> {
    /// As CERTIFICATE has it, and the roots that are trusted.
    Chain(&'a [u8], &'a [Certificate]),
    /// One that is known beforehand.
    Key(&'a PublicKey),
}

/// What a proof says.
struct Read {
    /// From the root, or its first child, to the device.
    certificates: Vec<Certificate>,
    quantum_safe: bool,
    identity: Identity,
    root: Option<String>,
}

impl Proof<'_> {
    fn read(self, hash: &'static Hash) -> Result<Read, Error> {
        let (chain, roots) = match self {
            Self::Key(key) => {
                let (identity, quantum_safe) = (Identity::of_key(key)?, key.row().category > 0);
                return Ok(Read { certificates: Vec::new(), quantum_safe, identity, root: None });
            }
            Self::Chain(chain, roots) => (chain::parse(hash, chain).map_err(EngineError::from)?, roots),
        };
        let identity = Identity::of_leaf(&chain.leaf)?;
        let root = roots.iter().find(|root| chain.names_root(root)).map(Certificate::subject);
        let Chain { issuers, leaf, .. } = chain;
        let certificates: Vec<Certificate> = issuers.into_iter().chain([leaf]).collect();
        let quantum_safe = certificates.iter().all(is_quantum_safe);
        Ok(Read { certificates, quantum_safe, identity, root })
    }
}

impl Proved {
    /// In this connection, by this slot.
    ///
    /// # Errors
    /// If nothing was negotiated, or the chain is none.
    pub(super) fn of(
        connection: &Connection,
        slot: u8,
        session: Option<Session>,
        proof: Proof<'_>,
    ) -> Result<Self, Error> {
        let negotiated = connection.negotiated().ok_or_else(|| Error::failure("nothing was negotiated"))?;
        let algorithms = &negotiated.algorithms;
        let Read { certificates, quantum_safe, identity, root } = proof.read(algorithms.hash)?;
        Ok(Self {
            version: version_name(connection.version()),
            hash: algorithms.hash.name,
            measurement_hash: measurement_hash(algorithms.measurement_hash).map(|hash| hash.name),
            signature: algorithms.asym.map_or("none", Asym::name),
            slot,
            session: session.map(|session| Within::of(session, algorithms)),
            chain: certificates.iter().map(Certificate::subject).collect(),
            root,
            claims: certificates.iter().map(Claims::of).collect(),
            quantum_safe,
            identity,
        })
    }
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
    #[serde(flatten)]
    judgement: Judgement,
    #[serde(flatten)]
    proved: Proved,
    measurements: Vec<Entry>,
    /// Decoded from the measurements; nothing if none of them is a device mode that can be decoded.
    device_mode: Option<DeviceMode>,
    /// Nothing without --reference.
    comparison: Option<Comparison>,
}

impl Attested {
    /// The device, as it was asked for.
    pub(super) fn endpoint(&self) -> &str {
        &self.endpoint
    }

    pub(super) const fn judgement(&self) -> &Judgement {
        &self.judgement
    }

    /// Adds a finding, which may change the verdict.
    pub(super) fn add(&mut self, finding: Finding) {
        self.judgement.add(finding);
    }

    /// Who proved itself.
    pub(super) const fn identity(&self) -> &Identity {
        &self.proved.identity
    }

    /// What the digests among its measurements are of.
    pub(super) const fn measurement_hash(&self) -> Option<&'static str> {
        self.proved.measurement_hash
    }

    /// Whether no quantum computer could have forged it.
    pub(super) const fn is_quantum_safe(&self) -> bool {
        self.proved.quantum_safe
    }

    /// Judges what a device proved. `reference`: what it should measure.
    pub(super) fn new(
        target: &Target,
        proved: Proved,
        blocks: &[MeasuredBlock],
        reference: Option<&Manifest>,
        criteria: &Criteria,
    ) -> Self {
        let comparison =
            reference.map(|manifest| manifest.compare(proved.identity.key, blocks, proved.measurement_hash));
        let mut findings = criteria.credentials(&target.expected, &proved.identity, proved.root.as_deref());
        match &comparison {
            None => findings.push(Finding::new(Reason::NotCompared, "measurements not compared")),
            Some(comparison) => findings.extend(comparison.findings(proved.hash)),
        }
        findings.extend(criteria.device_modes(blocks, comparison.is_some()));
        let modes = blocks.iter().filter(|block| block.kind == DEVICE_MODE && block.raw);
        Self {
            endpoint: target.endpoint.clone(),
            judgement: Judgement::of(findings),
            proved,
            measurements: blocks.iter().map(Entry::of).collect(),
            device_mode: modes.filter_map(|block| DeviceMode::decode(&block.value)).next(),
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
        let beside = |finding: &&Finding| finding.is_note() || finding.verdict != self.judgement.verdict();
        for finding in self.judgement.findings().iter().filter(beside) {
            writeln!(out, "{WARN}!{WARN:#} {}", printable(&finding.message))?;
        }
        let is = match self.proved.slot {
            PROVISIONED => "the device has the key that it should",
            _ => "the device is what its chain says",
        };
        let mut say = |style: Style, verdict: &str, why: &str| {
            writeln!(out, "{style}{verdict}{style:#}: {}{}", printable(why), self.marks())
        };
        match self.judgement.verdict() {
            Verdict::Trusted => say(GOOD, "TRUSTED", &format!("{is}, and measures what it should")),
            Verdict::Authentic => {
                say(GOOD, "AUTHENTIC", &format!("{is}; measurements not compared"))?;
                writeln!(out, "{DIM}--reference compares them with a manifest of --save{DIM:#}")
            }
            Verdict::Undecided => say(WARN, "NOT COMPARED", &self.judgement.text()),
            Verdict::NotTrusted => say(BAD, "NOT TRUSTED", &self.judgement.text()),
        }
    }

    /// What every verdict says of credentials that prove nothing outside a laboratory.
    fn marks(&self) -> String {
        let mark = |finding: &Finding| match finding.reason {
            Reason::TestPsk => Some(" (public test key)"),
            Reason::TestRoot => Some(" (public test root)"),
            Reason::EmulatedRoot => Some(" (emulated device)"),
            _ => None,
        };
        self.judgement.findings().iter().filter_map(mark).collect()
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

/// Whether a certificate is signed with a post-quantum algorithm, and has a key of one.
fn is_quantum_safe(certificate: &Certificate) -> bool {
    certificate.signature_row().is_some_and(|row| row.category > 0)
        && certificate.public_key().is_ok_and(|key| key.row().category > 0)
}
