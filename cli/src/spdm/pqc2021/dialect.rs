//! The dialect of one side: its configuration and its keys.

use super::algorithm_options::{NamedSets, check_kem_auth};
use super::chain_algorithm::{ChainAlgorithm, chain_algorithms};
use super::key_files::KeyFolders;
use super::raw_keys::{PeerRawKeys, RawKeys};
use super::spec::SpecOptions;
use crate::error::Error;
use crate::output::Output;
use crate::spdm::local_identity::NamedAlgorithms;
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::config::{Config, Role};
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::pqc2021::{Algorithms, Options, PublicKeyMode, Set};

/// The dialect of one side; the default is the standard.
#[derive(Default)]
pub(crate) struct Dialect {
    /// The engine's options; `None` for the standard.
    pub(crate) options: Option<Options>,
    /// This side's keys without certificates.
    pub(crate) own: RawKeys,
    /// The other side's keys without certificates.
    pub(crate) peer: PeerRawKeys,
}

/// The algorithms with which each side authenticates itself: signatures and KEMs.
type Sets = [Option<Set>; 2];

impl Dialect {
    /// Reads the options and the keys of this side, `own`.
    ///
    /// # Errors
    /// Returns an error if an option contradicts another one, or a key is missing or malformed.
    pub(crate) fn read(spec: &SpecOptions, own: Role) -> Result<Self, Error> {
        spec.check()?;
        if !spec.is_dialect() {
            return Ok(Self::default());
        }
        let named = spec.algorithms.named()?;
        let mode = spec.algorithms.mode();
        let [mine, theirs] = sides(&named, own).map(|sets| raw_sets(sets, mode));
        let round3 = spec.algorithms.is_sphincs_round3();
        let folders = KeyFolders { option: "--raw-keys", folders: &spec.raw_keys };
        let own_keys = RawKeys::read(&folders, mine, round3)?;
        folders.check_used(own_keys.is_empty())?;
        let folders = KeyFolders { option: "--peer-raw-keys", folders: &spec.peer_raw_keys };
        let peer = PeerRawKeys::read(&folders, theirs, round3)?;
        folders.check_used(peer.is_empty())?;
        let found = [[own_keys.signature_set(), own_keys.kem_set()], [peer.signature_set(), peer.kem_set()]];
        let algorithms = with_found(&named, own, found);
        check_kem_auth(&algorithms)?;
        let options = Options { strict: spec.is_strict(), ..spec.algorithms.with(algorithms) };
        Ok(Self { options: Some(options), own: own_keys, peer })
    }

    /// Applies the dialect to the configuration of a side. `slot`: the slot with which the responder authenticates
    /// itself.
    /// `asym_is_named`: whether an option names classical signatures.
    ///
    /// # Errors
    /// Returns an error if the slot has no keys of the named algorithms.
    pub(crate) fn configure(&self, config: Config, slot: u8, asym_is_named: bool) -> Result<Config, Error> {
        let Some(options) = self.options else { return Ok(config) };
        let has_asym = config.algorithms.asym != 0;
        let wrong =
            |problem: &str, advice: &str| Err(Error::usage(problem).with_place("--slot-id").advise(advice));
        match (slot == PROVISIONED, options.public_keys) {
            (true, PublicKeyMode::Certificate) => {
                wrong("slot 0xFF has no certificate", "omit --pqc-pub-key-mode CERT")
            }
            (true, _) if has_asym && asym_is_named => {
                wrong("slot 0xFF has no key for --asym", "omit --asym, or give a slot from 0 to 7")
            }
            (false, PublicKeyMode::Raw) if !has_asym => {
                wrong("keys without certificates are in slot 0xFF only", "give --slot-id 0xFF, or --asym")
            }
            _ => {
                Ok(Config { pqc2021: Some(options), algorithms: for_slot(config.algorithms, slot), ..config })
            }
        }
    }

    /// Returns the possible algorithms of the chain of `side`; see [`chain_algorithms`]. `bits` has its classical
    /// algorithms in the place of the responder's.
    ///
    /// # Errors
    /// Returns an error if no certificate has such algorithms.
    pub(crate) fn chains(&self, side: Role, bits: &Bits) -> Result<Vec<ChainAlgorithm>, Error> {
        let algorithms = self.options.map(|options| options.algorithms).unwrap_or_default();
        let signature = match side {
            Role::Responder => algorithms.signature,
            Role::Requester => algorithms.req_signature,
        };
        chain_algorithms(bits, signature, self.options.as_ref())
    }

    /// Returns whether chains hold post-quantum keys.
    pub(crate) fn is_certified(&self) -> bool {
        self.options.is_some_and(|options| options.public_keys == PublicKeyMode::Certificate)
    }

    /// Limits the configuration of `side` to the algorithm of its chain, because both parts of a certificate are
    /// negotiated independently. `key`: the algorithm of the chain's key; `None` without a chain.
    pub(crate) fn limit(
        &self,
        config: &mut Config,
        side: Role,
        chains: &[ChainAlgorithm],
        key: Option<Asym>,
    ) {
        if !self.is_certified() {
            return;
        }
        let chain = chains.iter().find(|chain| Some(chain.asym) == key);
        let (classical, signature) = chain.map_or((0, Set::NONE), |chain| (chain.classical, chain.signature));
        let Some(dialect) = &mut config.pqc2021 else { return };
        match side {
            Role::Responder => {
                config.algorithms.asym = classical;
                dialect.algorithms.signature = signature;
            }
            Role::Requester => {
                config.algorithms.req_asym = classical as u16;
                dialect.algorithms.req_signature = signature;
            }
        }
    }

    /// Returns the algorithms of new chains, and which kinds of them are wanted: in CERT mode there is one chain.
    /// `named`: the kinds that the user named. `has_files`: whether the chain comes from files.
    pub(crate) fn wanted(
        &self,
        chains: &[ChainAlgorithm],
        named: NamedAlgorithms,
        has_files: bool,
    ) -> (Vec<Asym>, NamedAlgorithms) {
        let all = chains.iter().map(|chain| chain.asym);
        if !self.is_certified() {
            return (all.collect(), named);
        }
        let most = if has_files { chains.len() } else { 1 };
        (all.take(most).collect(), NamedAlgorithms { classical: true, post_quantum: true })
    }

    /// Returns whether keys without certificates are bound into transcripts; `None` if there are none.
    pub(crate) fn binds_keys(&self) -> Option<bool> {
        let has_keys = !self.own.is_empty() || !self.peer.is_empty();
        self.options.filter(|_| has_keys).map(|options| options.strict)
    }

    /// Warns if keys without certificates are bound into no transcript.
    pub(crate) fn warn(&self, out: &Output) {
        if self.binds_keys() == Some(false) {
            out.warn(UNBOUND);
        }
    }
}

/// The warning about keys without certificates.
const UNBOUND: &str = "with --spec pqc2021, transcripts do not contain the provisioned public keys, so a proof does not show which public key it belongs to; use --spec pqc2021-strict on both sides to include them";

/// Returns the named algorithms of this side, `own`, and of the other side.
fn sides(named: &NamedSets, own: Role) -> [Sets; 2] {
    let responder = explicit([named.signature, named.kem_auth]);
    let requester = explicit([named.req_signature, named.req_kem_auth]);
    match own {
        Role::Responder => [responder, requester],
        Role::Requester => [requester, responder],
    }
}

/// Returns the algorithms of a side; if one kind is named, the other is no longer open.
fn explicit(sets: Sets) -> Sets {
    if sets.iter().all(Option::is_none) { sets } else { sets.map(|set| Some(set.unwrap_or_default())) }
}

/// Returns the algorithms whose keys are in files: in CERT mode, signature keys are in certificates.
fn raw_sets([signature, kem]: Sets, mode: PublicKeyMode) -> Sets {
    match mode {
        PublicKeyMode::Raw => [signature, kem],
        PublicKeyMode::Certificate => [Some(Set::NONE), kem],
    }
}

/// Returns the named algorithms; where none is named, those of the keys. KEM authentication without the KEM that it
/// needs is left out, unless it is named.
fn with_found(named: &NamedSets, own: Role, [mine, theirs]: [[Set; 2]; 2]) -> Algorithms {
    let (responder, requester) = match own {
        Role::Responder => (mine, theirs),
        Role::Requester => (theirs, mine),
    };
    let (kem, none) = (named.kem.unwrap_or_default(), Set::NONE);
    let kem_auth = named.kem_auth.unwrap_or(if kem.is_empty() { none } else { responder[1] });
    Algorithms {
        signature: named.signature.unwrap_or(responder[0]),
        req_signature: named.req_signature.unwrap_or(requester[0]),
        kem,
        kem_auth,
        req_kem_auth: named.req_kem_auth.unwrap_or(if kem_auth.is_empty() { none } else { requester[1] }),
    }
}

/// Removes the algorithms that a slot has no key for: slot 0xFF has no classical key. Post-quantum algorithms of the
/// standard do not exist in SPDM 1.1.
fn for_slot(bits: Bits, slot: u8) -> Bits {
    let bits = crate::spdm::options::classical(bits);
    if slot == PROVISIONED { Bits { asym: 0, ..bits } } else { bits }
}
