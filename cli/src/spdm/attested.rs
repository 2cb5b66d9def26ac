//! A device's verified identity, its measurements, and the verdict.

use super::algorithms::version_name;
use super::appraisal::comparison::Comparison;
use super::appraisal::criteria::Criteria;
use super::appraisal::device_mode::{DEVICE_MODE, DeviceMode};
use super::appraisal::identity::Identity;
use super::appraisal::judgement::Judgement;
use super::appraisal::reason::{Finding, Reason, Verdict};
use super::claims::Claims;
use super::manifest::Manifest;
use super::measured::{Entry, kind_name, measurement_hash};
use super::options::in_era;
use super::pqc2021::description::{authentication_name, key_exchange_name};
use super::session_method::Session;
use super::target::Target;
use crate::error::Error;
use crate::output::{BAD, BOLD, DIM, GOOD, Output, Report, WARN, printable};
use anstyle::Style;
use grille_pki::{Certificate, PublicKey};
use grille_registry::Numbers;
use grille_spdm_engine::algorithms::{Asym, NegotiatedAlgorithms};
use grille_spdm_engine::chain::{self, Chain};
use grille_spdm_engine::config::Role;
use grille_spdm_engine::connection::Connection;
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::operations::MeasuredBlock;
use serde::Serialize;
use std::io::{self, Write};

/// The verified identity of a device, and how the device authenticated itself.
#[derive(Serialize)]
pub(super) struct Authenticated {
    version: String,
    hash: &'static str,
    /// The hash of the measurement digests; `None` if none was negotiated.
    measurement_hash: Option<&'static str>,
    /// How the device authenticates itself; in the dialect there may be several algorithms.
    signature: String,
    slot: u8,
    /// Whether keys without certificates are bound into transcripts; `None` if neither side has such keys.
    #[serde(skip_serializing_if = "Option::is_none")]
    raw_keys_bound: Option<bool>,
    /// The session that carried the measurements, if there was one.
    session: Option<SessionInfo>,
    /// The subjects of the certificates in the chain, from the root, or from the certificate that the root issued, to
    /// the device; empty for a provisioned public key.
    chain: Vec<String>,
    /// The subject of the root that anchors the chain; `None` for a provisioned public key.
    root: Option<String>,
    /// The device claims in each certificate of the chain.
    claims: Vec<Claims>,
    /// Whether the device authenticates itself with post-quantum algorithms only: every key and signature of the chain,
    /// or the provisioned key. In the dialect, a post-quantum key that signs in addition to the chain's key is enough.
    quantum_safe: bool,
    identity: Identity,
}

/// The credential that authenticates a device.
#[derive(Clone, Copy)]
pub(super) enum Proof<'a> {
    /// The chain from CERTIFICATE, the trusted roots, and the object identifier profile with which to read the
    /// certificates.
    Chain(&'a [u8], &'a [Certificate], Numbers),
    /// A provisioned public key.
    Key(&'a PublicKey),
    /// A provisioned public key of the dialect of openspdm-pqc.
    RawKey(&'a PublicKey),
}

/// The decoded contents of a [`Proof`].
struct DecodedProof {
    /// The certificates of the chain, from the root, or from the certificate that the root issued, to the device.
    certificates: Vec<Certificate>,
    quantum_safe: bool,
    identity: Identity,
    root: Option<String>,
}

impl Proof<'_> {
    fn read(self, hash: &'static Hash) -> Result<DecodedProof, Error> {
        let (chain, roots, numbers) = match self {
            Self::Key(key) => {
                let (identity, quantum_safe) = (Identity::from_public_key(key)?, key.row().category > 0);
                return Ok(DecodedProof { certificates: Vec::new(), quantum_safe, identity, root: None });
            }
            Self::RawKey(key) => {
                let (identity, quantum_safe) = (Identity::from_raw_key(key), key.row().category > 0);
                return Ok(DecodedProof { certificates: Vec::new(), quantum_safe, identity, root: None });
            }
            Self::Chain(chain, roots, numbers) => {
                (chain::parse(hash, chain).map_err(EngineError::from)?, roots, numbers)
            }
        };
        let root = roots.iter().find(|root| chain.has_root_hash_of(root)).map(Certificate::subject);
        let Chain { issuers, leaf, .. } = chain;
        let leaf = leaf.in_era(numbers);
        let identity = Identity::from_leaf(&leaf)?;
        let certificates: Vec<Certificate> = in_era(issuers, numbers).into_iter().chain([leaf]).collect();
        let quantum_safe = certificates.iter().all(is_quantum_safe);
        Ok(DecodedProof { certificates, quantum_safe, identity, root })
    }
}

impl Authenticated {
    /// Describes the device in `slot` of this connection. `raw_keys_bound`: whether keys without certificates are bound
    /// into transcripts; `None` if neither side has such keys.
    ///
    /// # Errors
    /// Returns an error if nothing was negotiated, or the chain cannot be decoded.
    pub(super) fn new(
        connection: &Connection,
        slot: u8,
        session: Option<Session>,
        proof: Proof<'_>,
        raw_keys_bound: Option<bool>,
    ) -> Result<Self, Error> {
        let negotiated = connection.negotiated().ok_or_else(|| Error::failure("nothing was negotiated"))?;
        let algorithms = &negotiated.algorithms;
        let DecodedProof { certificates, quantum_safe, identity, root } = proof.read(algorithms.hash)?;
        Ok(Self {
            version: version_name(connection.version()),
            hash: algorithms.hash.name,
            measurement_hash: measurement_hash(algorithms.measurement_hash).map(|hash| hash.name),
            signature: authentication_name(algorithms, Role::Responder),
            slot,
            raw_keys_bound,
            session: session.map(|session| SessionInfo::new(session, algorithms)),
            chain: certificates.iter().map(Certificate::subject).collect(),
            root,
            claims: certificates.iter().map(Claims::new).collect(),
            quantum_safe: quantum_safe || has_raw_signature(algorithms),
            identity,
        })
    }
}

/// Returns whether a provisioned post-quantum key of the dialect also signs, next to the key of a chain.
fn has_raw_signature(algorithms: &NegotiatedAlgorithms) -> bool {
    let is_in_chain = matches!(algorithms.asym, Some(Asym::PostQuantum(_)));
    let signs = algorithms.pqc2021.is_some_and(|selected| selected.responder.post_quantum.is_some());
    signs && !is_in_chain
}

/// The session that carried the measurements.
#[derive(Serialize)]
struct SessionInfo {
    opened: &'static str,
    /// The name of the key exchange; `None` for a session with a pre-shared key.
    #[serde(skip_serializing_if = "Option::is_none")]
    key_exchange: Option<String>,
    aead: Option<&'static str>,
}

impl SessionInfo {
    fn new(session: Session, algorithms: &NegotiatedAlgorithms) -> Self {
        Self {
            opened: session.name(),
            key_exchange: (session == Session::KeyEx).then(|| key_exchange_name(algorithms)),
            aead: algorithms.aead.map(|aead| aead.name),
        }
    }

    fn text(&self) -> String {
        let parts = [Some(self.opened), self.key_exchange.as_deref(), self.aead];
        parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// A device's identity and measurements, and the verdict.
#[derive(Serialize)]
pub(super) struct Attested {
    endpoint: String,
    #[serde(flatten)]
    judgement: Judgement,
    #[serde(flatten)]
    authenticated: Authenticated,
    measurements: Vec<Entry>,
    /// The decoded device mode; `None` if the device measures no decodable one.
    device_mode: Option<DeviceMode>,
    /// The result of comparing the measurements; `None` without --reference.
    comparison: Option<Comparison>,
}

impl Attested {
    /// Returns the device's address, as given by the user.
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

    /// Returns the identity of the device.
    pub(super) const fn identity(&self) -> &Identity {
        &self.authenticated.identity
    }

    /// Returns the hash of the device's measurement digests; `None` if none was negotiated.
    pub(super) const fn measurement_hash(&self) -> Option<&'static str> {
        self.authenticated.measurement_hash
    }

    /// Returns whether a quantum computer cannot forge the device's authentication.
    pub(super) const fn is_quantum_safe(&self) -> bool {
        self.authenticated.quantum_safe
    }

    /// Appraises a verified device. `reference`: the expected measurements; `None` to compare nothing.
    pub(super) fn new(
        target: &Target,
        authenticated: Authenticated,
        blocks: &[MeasuredBlock],
        reference: Option<&Manifest>,
        criteria: &Criteria,
    ) -> Self {
        let comparison = reference.map(|manifest| {
            manifest.compare(authenticated.identity.key, blocks, authenticated.measurement_hash)
        });
        let mut findings =
            criteria.credentials(&target.expected, &authenticated.identity, authenticated.root.as_deref());
        match &comparison {
            None => findings.push(Finding::new(Reason::NotCompared, "measurements not compared")),
            Some(comparison) => findings.extend(comparison.findings(authenticated.hash)),
        }
        findings.extend(criteria.device_modes(blocks, comparison.is_some()));
        let modes = blocks.iter().filter(|block| block.kind == DEVICE_MODE && block.raw);
        Self {
            endpoint: target.endpoint.clone(),
            judgement: Judgement::new(findings),
            authenticated,
            measurements: blocks.iter().map(Entry::new).collect(),
            device_mode: modes.filter_map(|block| DeviceMode::decode(&block.value)).next(),
            comparison,
        }
    }
}

impl Report for Attested {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let Authenticated { version, hash, signature, slot, session, chain, claims, quantum_safe, .. } =
            &self.authenticated;
        writeln!(out, "{BOLD}{}{BOLD:#}  SPDM {version}, {signature}, {hash}", printable(&self.endpoint))?;
        match *slot {
            PROVISIONED => writeln!(out, "{GOOD}✓{GOOD:#} provisioned public key")?,
            slot => writeln!(out, "{GOOD}✓{GOOD:#} certificate chain of slot {slot}")?,
        }
        for (depth, (subject, claims)) in chain.iter().zip(claims).enumerate() {
            let indent = 2 + 2 * depth;
            writeln!(out, "{DIM}{:indent$}└{DIM:#} {}", "", printable(subject))?;
            for (label, text) in claims.lines() {
                writeln!(out, "{:indent$}    {label}: {}", "", printable(text))?;
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
                "{WARN}!{WARN:#} a quantum computer could forge this proof: the chain or the device's key is classical"
            )?;
        }
        self.verdict(out)
    }
}

impl Attested {
    fn verdict(&self, out: &mut Output) -> io::Result<()> {
        let other_findings =
            |finding: &&Finding| finding.is_note() || finding.verdict != self.judgement.verdict();
        for finding in self.judgement.findings().iter().filter(other_findings) {
            writeln!(out, "{WARN}!{WARN:#} {}", printable(&finding.message))?;
        }
        let claim = match self.authenticated.slot {
            PROVISIONED => "the device has the expected key",
            _ => "the device is the one named in its chain",
        };
        let mut write_line = |style: Style, verdict: &str, reason: &str| {
            writeln!(out, "{style}{verdict}{style:#}: {}{}", printable(reason), self.credential_marks())
        };
        match self.judgement.verdict() {
            Verdict::Trusted => write_line(GOOD, "TRUSTED", &format!("{claim}, and its measurements match")),
            Verdict::Authentic => {
                write_line(GOOD, "AUTHENTIC", &format!("{claim}; measurements not compared"))?;
                writeln!(out, "{DIM}compare them with --reference, using a manifest from --save{DIM:#}")
            }
            Verdict::Undecided => write_line(WARN, "NOT COMPARED", &self.judgement.text()),
            Verdict::NotTrusted => write_line(BAD, "NOT TRUSTED", &self.judgement.text()),
        }
    }

    /// Returns a suffix that marks test credentials, which prove nothing outside a laboratory.
    fn credential_marks(&self) -> String {
        let mark = |finding: &Finding| match finding.reason {
            Reason::TestPsk => Some(" (public test key)"),
            Reason::TestRoot => Some(" (public test root)"),
            Reason::EmulatedRoot => Some(" (emulated device)"),
            _ => None,
        };
        self.judgement.findings().iter().filter_map(mark).collect()
    }

    /// Prints a measurement, and the expected value if it differs.
    fn measurement(&self, block: &Entry, out: &mut Output) -> io::Result<()> {
        let (index, kind, value) = (&block.index, kind_name(block.kind), block.text());
        let compared = self.comparison.as_ref();
        let differs = compared.is_some_and(|comparison| comparison.deviates(*index));
        let is_incomparable = compared.is_some_and(|comparison| comparison.is_incomparable(*index));
        let (style, mark) = match (differs, is_incomparable) {
            (true, _) => (BAD, "✗"),
            (_, true) => (WARN, "?"),
            _ => (DIM, " "),
        };
        writeln!(out, "  {style}{mark}{index:>4}{style:#}  {kind:<26} {value}")?;
        let Some(difference) = compared.and_then(|all| all.difference(*index)) else { return Ok(()) };
        for (label, value) in ["expected", "found"].into_iter().zip(difference.texts()) {
            writeln!(out, "{:9}{DIM}{label:<26}{DIM:#} {value}", "")?;
        }
        Ok(())
    }
}

/// Returns whether a certificate's key and signature are both post-quantum.
fn is_quantum_safe(certificate: &Certificate) -> bool {
    certificate.signature_row().is_some_and(|row| row.category > 0)
        && certificate.public_key().is_ok_and(|key| key.row().category > 0)
}
