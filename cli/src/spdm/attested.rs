//! What a device has proved, what it measures, and the verdict.

use super::algorithms::version_name;
use super::attestor::Session;
use super::claims::Claims;
use super::manifest::{Comparison, Manifest};
use super::measured::{Entry, kind_name, measurement_hash};
use crate::error::Error;
use crate::output::{BAD, BOLD, DIM, GOOD, Output, Report, WARN, printable};
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
    /// What each of these says of the device.
    claims: Vec<Claims>,
    /// Whether no key and no signature, or not the one key, is one that a quantum computer forges.
    quantum_safe: bool,
}

/// What a device proves itself with.
#[derive(Clone, Copy)]
pub(super) enum Proof<'a> {
    /// As CERTIFICATE has it.
    Chain(&'a [u8]),
    /// One that is known beforehand.
    Key(&'a PublicKey),
}

impl Proof<'_> {
    /// The certificates, and whether no quantum computer forges it.
    fn read(self, hash: &'static Hash) -> Result<(Vec<Certificate>, bool), Error> {
        match self {
            Self::Key(key) => Ok((Vec::new(), key.row().category > 0)),
            Self::Chain(chain) => {
                let Chain { issuers, leaf, .. } = chain::parse(hash, chain).map_err(EngineError::from)?;
                let all: Vec<Certificate> = issuers.into_iter().chain([leaf]).collect();
                let safe = all.iter().all(is_quantum_safe);
                Ok((all, safe))
            }
        }
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
        let (certificates, quantum_safe) = proof.read(algorithms.hash)?;
        Ok(Self {
            version: version_name(connection.version()),
            hash: algorithms.hash.name,
            measurement_hash: measurement_hash(algorithms.measurement_hash).map(|hash| hash.name),
            signature: algorithms.asym.map_or("none", Asym::name),
            slot,
            session: session.map(|session| Within::of(session, algorithms)),
            chain: certificates.iter().map(Certificate::subject).collect(),
            claims: certificates.iter().map(Claims::of).collect(),
            quantum_safe,
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

    /// `reference`: what it should measure.
    pub(super) fn new(
        endpoint: &str,
        proved: Proved,
        blocks: &[MeasuredBlock],
        reference: Option<&Manifest>,
    ) -> Self {
        let comparison = reference.map(|manifest| manifest.compare(blocks, proved.measurement_hash));
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

/// Whether a certificate is signed with a post-quantum algorithm, and has a key of one.
fn is_quantum_safe(certificate: &Certificate) -> bool {
    certificate.signature_row().is_some_and(|row| row.category > 0)
        && certificate.public_key().is_ok_and(|key| key.row().category > 0)
}
