//! A configuration of both sides, and the keys that it needs.

use crate::error::Error;
#[cfg(feature = "measure-memory")]
use crate::spdm::algorithms::{key_name, signers};
use crate::spdm::device::{Credential, MUTUAL, REQUESTER, RESPONDER};
use crate::spdm::emulation::HEARTBEAT;
use crate::spdm::pqc2021::algorithm_options::{check_kem_auth, single};
use crate::spdm::pqc2021::chain_algorithm::chain_algorithms;
use crate::spdm::pqc2021::key_set::RawKeys;
use crate::spdm::pqc2021::slot::check_slot;
use grille_pki::Certificate;
#[cfg(feature = "measure-memory")]
use grille_registry::{KEMS, SignatureRow, signature_by_name};
use grille_registry::{KemRow, Numbers};
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{self, BaseAsym, Dhe, PqcAsym};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::version::VersionNumber;
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::config::{Binding, Config, MutualAuthentication};
use grille_spdm_engine::identity::{Identity, PROVISIONED};
#[cfg(feature = "measure-memory")]
use grille_spdm_engine::pqc2021::signature_row;
use grille_spdm_engine::pqc2021::{
    Algorithms, Kem, Options, PeerKeys, PublicKeyMode, Set, Signature, kem_row,
};

/// A measured configuration, which both sides share.
pub(super) struct Suite {
    /// The security level in the table, as NIST counts: 1, 3 or 5; 0 if unknown. In the dialect, [`level`] computes it.
    pub(super) level: u8,
    /// The algorithms, such as `p256_Kyber512 + p256_Dilithium2`.
    pub(super) name: String,
    /// The only SPDM version that both sides offer.
    pub(super) version: Version,
    /// The offered algorithms that have numbers in the standard.
    pub(super) bits: Bits,
    /// The algorithms and options of the dialect of openspdm-pqc; `None` in the standard.
    pub(super) dialect: Option<Options>,
    /// The responder's slot that the flow uses; 0xFF for keys without certificates.
    pub(super) slot: u8,
    /// MeasurementSummaryHashType in CHALLENGE and KEY_EXCHANGE: 0 none, 1 the trusted computing base, 0xFF all
    /// measurements.
    pub(super) summary: u8,
    /// The capabilities that --cap names; `None` for the default capabilities.
    pub(super) flags: Option<Caps>,
    /// Whether the requester authenticates itself in the session.
    pub(super) is_mutual: bool,
    /// The number of slots with the responder's chain.
    pub(super) slot_count: u8,
    /// The transport, which determines the layout of records.
    pub(super) binding: Binding,
    /// The offered versions of secured messages.
    pub(super) secured: Vec<VersionNumber>,
}

/// The keys of both sides. They are generated once and used in all runs.
pub(super) struct Parties {
    pub(super) responder: Keys,
    pub(super) requester: Keys,
    /// The root of the responder's chain; `None` if the responder has no certificates.
    pub(super) root: Option<Certificate>,
}

/// The keys of one side.
pub(super) struct Keys {
    pub(super) identity: Identity,
    /// The public keys without certificates, with which the other side is provisioned.
    pub(super) public: PeerKeys,
}

impl Suite {
    /// Checks that a session is possible.
    ///
    /// # Errors
    /// Returns an error if the key exchange or the authentication lacks an algorithm, the slot has no suitable key, or
    /// the requester would need a certificate.
    pub(super) fn check(&self) -> Result<(), Error> {
        let algorithms = self.algorithms();
        check_kem_auth(&algorithms)?;
        let Algorithms { signature, req_signature, kem, kem_auth, req_kem_auth } = algorithms;
        if self.bits.dhe == 0 && kem.is_empty() {
            return Err(Error::usage("the key exchange has no algorithm").advise("give --dhe or --pqc-kem"));
        }
        if self.bits.asym == 0 && signature.is_empty() && kem_auth.is_empty() {
            return Err(Error::usage("the responder cannot authenticate itself")
                .advise("give --asym, --pqc-sig or --pqc-kem-auth"));
        }
        check_slot(self.slot, self.key_mode(), self.bits.asym != 0)?;
        if self.is_mutual && self.key_mode() == PublicKeyMode::Certificate && !req_signature.is_empty() {
            return Err(Error::usage("the requester has no certificates here, only provisioned keys")
                .with_place("--pqc-req-sig")
                .advise("use --pqc-req-kem-auth, or --pqc-pub-key-mode RAW"));
        }
        if self.is_mutual && req_signature.is_empty() && req_kem_auth.is_empty() {
            return Err(Error::usage("the requester cannot authenticate itself")
                .with_place("--mut-auth")
                .advise("give --pqc-req-sig or --pqc-req-kem-auth"));
        }
        Ok(())
    }

    /// Generates the keys of both sides.
    ///
    /// # Errors
    /// Returns an error if no certificate can combine the algorithms, or the system provides no randomness.
    pub(super) fn parties(&self) -> Result<Parties, Error> {
        let of = self.algorithms();
        let signature = if self.key_mode() == PublicKeyMode::Raw { of.signature } else { Set::NONE };
        let round3 = self.dialect.is_some_and(|dialect| dialect.sphincs_round3);
        let keys = |signature, kem| RawKeys::generate(signature, kem, round3).map(Keys::new);
        let mut responder = keys(signature, of.kem_auth)?;
        let requester = keys(of.req_signature, of.req_kem_auth)?;
        let mut root = None;
        if self.slot != PROVISIONED {
            let numbers = self.dialect.map_or_else(Numbers::default, |dialect| dialect.numbers());
            let credential = Credential::in_era(self.chain_algorithm()?, numbers)?;
            let slots = (0..self.slot_count).filter(|slot| *slot != self.slot).chain([self.slot]);
            responder.identity =
                slots.fold(responder.identity, |identity, slot| identity.with(credential.slot(slot)));
            root = Some(credential.root);
        }
        Ok(Parties { responder, requester, root })
    }

    /// Returns the signature algorithms of both sides.
    ///
    /// # Errors
    /// Returns an error if an algorithm has no implementation, which tests exclude.
    #[cfg(feature = "measure-memory")]
    pub(super) fn signatures(&self) -> Result<Vec<&'static SignatureRow>, Error> {
        let of = self.algorithms();
        let round3 = self.dialect.is_some_and(|dialect| dialect.sphincs_round3);
        let dialect = single(of.signature.union(of.req_signature)).filter_map(Signature::from_set);
        let mut rows = Vec::new();
        for asym in signers(&self.bits) {
            rows.push(signature_by_name(key_name(asym))?);
        }
        rows.extend(dialect.filter_map(|row| signature_row(row, round3)));
        Ok(rows)
    }

    /// Returns the KEMs of the key exchange and of KEM authentication.
    #[cfg(feature = "measure-memory")]
    pub(super) fn kems(&self) -> Vec<&'static KemRow> {
        let of = self.algorithms();
        let standard =
            KEMS.iter().filter(|row| row.spdm_bit.is_some_and(|bit| self.bits.kem >> bit & 1 == 1));
        let sets = single(of.kem.union(of.kem_auth).union(of.req_kem_auth));
        standard.chain(sets.filter_map(single_kem_row)).collect()
    }

    /// Returns the configuration of the requester.
    pub(super) fn requester_config(&self) -> Config {
        self.config(self.flags.map_or(self.default_flags(REQUESTER), |flags| {
            Caps(flags.0 & !(Caps::CACHE.0 | Caps::MEAS_NO_SIG.0 | Caps::MEAS_SIG.0 | Caps::MEAS_FRESH.0))
        }))
    }

    /// Returns the configuration of the responder.
    pub(super) fn responder_config(&self) -> Config {
        self.config(self.flags.unwrap_or_else(|| self.default_flags(RESPONDER)))
    }

    fn config(&self, flags: Caps) -> Config {
        let mutual = if self.is_mutual { MUTUAL } else { Caps::NONE };
        Config {
            versions: vec![self.version],
            algorithms: self.bits,
            pqc2021: self.dialect,
            heartbeat: HEARTBEAT,
            binding: self.binding,
            secured_versions: self.secured.clone(),
            mutual: match self.is_mutual {
                true => MutualAuthentication::Slot(PROVISIONED),
                false => MutualAuthentication::No,
            },
            ..Config::with(flags | mutual)
        }
    }

    /// Returns the default capabilities: in the standard `all`; in the dialect, which has no chunks, `all` without
    /// CHUNK and LARGE_RESP, but with HANDSHAKE_IN_THE_CLEAR.
    fn default_flags(&self, all: Caps) -> Caps {
        match self.dialect {
            Some(_) => Caps(all.0 & !(Caps::CHUNK.0 | Caps::LARGE_RESP.0)) | Caps::HANDSHAKE_IN_THE_CLEAR,
            None => all,
        }
    }

    fn algorithms(&self) -> Algorithms {
        self.dialect.map(|dialect| dialect.algorithms).unwrap_or_default()
    }

    fn key_mode(&self) -> PublicKeyMode {
        self.dialect.map(|dialect| dialect.public_keys).unwrap_or_default()
    }

    /// Returns the algorithm of the responder's chain.
    fn chain_algorithm(&self) -> Result<Asym, Error> {
        let chains = chain_algorithms(&self.bits, self.algorithms().signature, self.dialect.as_ref())?;
        let first = chains.first().map(|chain| chain.asym);
        first.ok_or_else(|| Error::usage("a chain needs a signature algorithm"))
    }
}

impl Keys {
    fn new(raw: RawKeys) -> Self {
        Self { public: raw.public(), identity: raw.add_to(Identity::default()) }
    }
}

/// Returns the only KEM of `set`; `None` if `set` is empty or has several.
fn single_kem_row(set: Set) -> Option<&'static KemRow> {
    kem_row(Kem::from_set(set)?)
}

/// Returns the security level of the group, or of the KEM if there is no group, as spdm_perf_emu does.
pub(super) fn level(bits: &Bits, algorithms: &Algorithms) -> u8 {
    match Dhe(bits.dhe) {
        Dhe::SECP256R1 => 1,
        Dhe::SECP384R1 => 3,
        Dhe::SECP521R1 => 5,
        _ => single_kem_row(algorithms.kem).map_or(0, |row| row.category),
    }
}

/// Returns the name of a configuration, as spdm_perf_emu prints it: `KEM + SIG`, classical parts first. Algorithms of
/// SPDM 1.4 have the standard's names. `round3`: SPHINCS+ is the round-3 version, so " (round 3)" is appended to a name
/// that contains it; the prototype has only round 2.
pub(super) fn suite_name(bits: &Bits, dialect: &Algorithms, round3: bool) -> String {
    let signatures = single(dialect.signature).filter_map(Signature::from_set).map(|row| row.name);
    let kems = |set| single(set).filter_map(Kem::from_set).map(|row| row.name);
    let standard_kems = algorithms::Kem(bits.kem).rows().map(|row| row.name);
    let standard_signatures = PqcAsym(bits.pqc_asym).rows().map(|row| row.name);
    let exchange = groups(bits.dhe).into_iter().chain(standard_kems).chain(kems(dialect.kem));
    let proof = classical(bits.asym).into_iter().chain(standard_signatures).chain(signatures);
    let proof = proof.chain(kems(dialect.kem_auth)).collect::<Vec<_>>().join("_");
    let round = if round3 && proof.contains("SPHINCS+") { " (round 3)" } else { "" };
    format!("{} + {proof}{round}", exchange.collect::<Vec<_>>().join("_"))
}

/// Returns the prototype's short names of groups; other groups have the standard's name.
fn groups(dhe: u16) -> Vec<&'static str> {
    let short = |name| match name {
        "secp256r1" => "p256",
        "secp384r1" => "p384",
        "secp521r1" => "p521",
        other => other,
    };
    Dhe(dhe).rows().map(|row| short(row.name)).collect()
}

/// Returns the prototype's short names of signature algorithms; other algorithms have the standard's name.
fn classical(asym: u32) -> Vec<&'static str> {
    let short = |name| match name {
        "RSASSA-3072" | "RSAPSS-3072" => "rsa3072",
        "ECDSA-P256" => "p256",
        "ECDSA-P384" => "p384",
        "ECDSA-P521" => "p521",
        other => other,
    };
    BaseAsym(asym).rows().map(|row| short(row.name)).collect()
}
