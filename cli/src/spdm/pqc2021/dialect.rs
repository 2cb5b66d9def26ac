//! The dialect of openspdm-pqc on one side: its configuration and its keys.

use super::algorithm_options::{AlgorithmOptions, NamedSets, check_kem_auth};
use super::chain_algorithm::{ChainAlgorithm, chain_algorithms};
use super::key_files::KeyFolders;
use super::key_set::{PeerRawKeys, RawKeys};
use super::slot::check_slot;
use super::spec::SpecOptions;
use crate::error::Error;
use crate::output::Output;
use crate::spdm::algorithms::classical;
use crate::spdm::named_algorithms::NamedAlgorithms;
use grille_registry::Numbers;
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::config::{Config, Role};
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::pqc2021::{Algorithms, Options, PublicKeyMode, Set};

/// The dialect's options and keys of one side. The default means that the side speaks the standard.
#[derive(Default)]
pub(crate) struct Dialect {
    /// The engine's options; `None` for the standard.
    pub(crate) options: Option<Options>,
    /// This side's keys without certificates.
    pub(crate) own: RawKeys,
    /// The other side's keys without certificates.
    pub(crate) peer: PeerRawKeys,
}

/// The algorithms with which one side authenticates itself: signatures, then KEMs. `None` means that the user named no
/// algorithm of this kind.
type Sets = [Option<Set>; 2];

impl Dialect {
    /// Reads the dialect's options, this side's keys and the peer's. `own` is this side's role.
    ///
    /// # Errors
    /// Returns an error if an option contradicts another one, or a key is missing or malformed.
    pub(crate) fn read(spec: &SpecOptions, own: Role) -> Result<Self, Error> {
        spec.check()?;
        if !spec.is_dialect() {
            return Ok(Self::default());
        }
        let named = spec.algorithms.named()?;
        let algorithms = &spec.algorithms;
        let [mine, theirs] = sides(&named, own).map(|sets| raw_sets(sets, algorithms));
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
    /// itself. `asym_is_named`: whether an option names classical signatures.
    ///
    /// # Errors
    /// Returns an error if the slot has no keys of the named algorithms.
    pub(crate) fn configure(&self, config: Config, slot: u8, asym_is_named: bool) -> Result<Config, Error> {
        let Some(options) = self.options else { return Ok(config) };
        // In slot 0xFF, algorithms that are only the default do not count, because `for_slot` removes them.
        let has_asym = config.algorithms.asym != 0 && (slot != PROVISIONED || asym_is_named);
        check_slot(slot, options.public_keys, has_asym)?;
        Ok(Config { pqc2021: Some(options), algorithms: for_slot(config.algorithms, slot), ..config })
    }

    /// Returns the possible algorithms of the chain of `side`; see [`chain_algorithms`]. `bits` contains the classical
    /// algorithms of `side`, in the fields that normally contain the responder's.
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

    /// Returns the object identifiers in certificates: those of the dialect's time, or in the standard those of the
    /// registry.
    pub(crate) fn numbers(&self) -> Numbers {
        self.options.map_or_else(Numbers::default, |options| options.numbers())
    }

    /// Returns whether certificates contain the post-quantum signature keys (CERT mode).
    pub(crate) fn uses_certificates(&self) -> bool {
        self.options.is_some_and(|options| options.public_keys == PublicKeyMode::Certificate)
    }

    /// Returns whether options name post-quantum signatures of the requester in CERT mode, so that the requester needs a
    /// chain.
    pub(crate) fn needs_requester_chain(&self) -> bool {
        let names_signature =
            self.options.is_some_and(|options| !options.algorithms.req_signature.is_empty());
        self.uses_certificates() && names_signature
    }

    /// In CERT mode, limits the configuration of `side` to the two parts of its chain's algorithm, because the peer may
    /// otherwise select a pair for which there is no chain. `key`: the algorithm of the chain's key; `None` if there is
    /// no chain.
    pub(crate) fn limit(
        &self,
        config: &mut Config,
        side: Role,
        chains: &[ChainAlgorithm],
        key: Option<Asym>,
    ) {
        if !self.uses_certificates() {
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

    /// Returns the algorithms that chains may have, and the kinds of algorithms that count as named by the user. In
    /// CERT mode, both kinds count as named, and only the best algorithm is allowed, because there is one chain. If the
    /// chain comes from files (`has_files`), all algorithms are allowed. `named`: the kinds that the user named.
    pub(crate) fn allowed_algorithms(
        &self,
        chains: &[ChainAlgorithm],
        named: NamedAlgorithms,
        has_files: bool,
    ) -> (Vec<Asym>, NamedAlgorithms) {
        let all = chains.iter().map(|chain| chain.asym);
        if !self.uses_certificates() {
            return (all.collect(), named);
        }
        let most = if has_files { chains.len() } else { 1 };
        (all.take(most).collect(), NamedAlgorithms { classical: true, post_quantum: true, hybrid: false })
    }

    /// Checks that a requester without certificates can answer the encapsulated CHALLENGE of --basic-mut-auth BASIC. The
    /// answer is always signed, so its KEM keys are not enough.
    ///
    /// # Errors
    /// Returns an error if only KEM keys of the requester are known.
    pub(crate) fn check_encapsulated_challenge(&self) -> Result<(), Error> {
        let has_signature = self.options.is_some_and(|options| !options.algorithms.req_signature.is_empty());
        if self.peer.is_empty() || has_signature {
            return Ok(());
        }
        let problem =
            "requesters answer this CHALLENGE with a signature, but --peer-raw-keys has only KEM keys";
        Err(Error::usage(problem).with_place("--basic-mut-auth").advise(
            "add a signature key of the requester, or authenticate it in sessions with --req-slot-id 0xFF alone",
        ))
    }

    /// Returns whether keys without certificates are bound into transcripts; `None` without the dialect, or if neither
    /// side has such keys.
    pub(crate) fn binds_keys(&self) -> Option<bool> {
        let has_keys = !self.own.is_empty() || !self.peer.is_empty();
        self.options.filter(|_| has_keys).map(|options| options.strict)
    }

    /// Warns if keys without certificates are in use and the transcripts do not contain them.
    pub(crate) fn warn(&self, out: &Output) {
        if self.binds_keys() == Some(false) {
            out.warn(UNBOUND);
        }
    }
}

/// The warning that the transcripts do not contain the keys without certificates.
const UNBOUND: &str = "with --spec pqc2021, transcripts do not contain the provisioned public keys, so a proof does not show which public key it belongs to; use --spec pqc2021-strict on both sides to include them";

/// Returns the algorithms that the user named for this side, whose role is `own`, and those for the other side.
fn sides(named: &NamedSets, own: Role) -> [Sets; 2] {
    let responder = complete_sets([named.signature, named.kem_auth]);
    let requester = complete_sets([named.req_signature, named.req_kem_auth]);
    match own {
        Role::Responder => [responder, requester],
        Role::Requester => [requester, responder],
    }
}

/// Completes the algorithms of one side: if the user named only one kind, signatures or KEMs, the set of the other kind
/// becomes empty.
fn complete_sets(sets: Sets) -> Sets {
    if sets.iter().all(Option::is_none) { sets } else { sets.map(|set| Some(set.unwrap_or_default())) }
}

/// Returns the algorithms whose keys are in folders. In CERT mode, signature keys are in certificates instead. With
/// seven tables, there is no KEM authentication.
fn raw_sets([signature, kem]: Sets, options: &AlgorithmOptions) -> Sets {
    let signature = match options.mode() {
        PublicKeyMode::Raw => signature,
        PublicKeyMode::Certificate => Some(Set::NONE),
    };
    [signature, if options.has_seven_tables() { Some(Set::NONE) } else { kem }]
}

/// Returns the named algorithms. If the user named none of a kind, returns the algorithms of the keys that were found:
/// `mine` and `theirs`. The requester's KEM authentication needs the responder's, so without it the requester's found
/// KEM keys are left out.
fn with_found(named: &NamedSets, own: Role, [mine, theirs]: [[Set; 2]; 2]) -> Algorithms {
    let (responder, requester) = match own {
        Role::Responder => (mine, theirs),
        Role::Requester => (theirs, mine),
    };
    let kem_auth = named.kem_auth.unwrap_or(responder[1]);
    let found_req_kem_auth = if kem_auth.is_empty() { Set::NONE } else { requester[1] };
    Algorithms {
        signature: named.signature.unwrap_or(responder[0]),
        req_signature: named.req_signature.unwrap_or(requester[0]),
        kem: named.kem.unwrap_or_default(),
        kem_auth,
        req_kem_auth: named.req_kem_auth.unwrap_or(found_req_kem_auth),
    }
}

/// Removes the standard's post-quantum algorithms, which do not exist in SPDM 1.1. For slot 0xFF, also removes the
/// classical signatures, because that slot has no classical key.
fn for_slot(bits: Bits, slot: u8) -> Bits {
    let bits = classical(bits);
    if slot == PROVISIONED { Bits { asym: 0, ..bits } } else { bits }
}
