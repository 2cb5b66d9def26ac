//! Credentials of the local side, from files or generated.

use super::algorithms::{key_name, signers, spdm_key_name};
use super::credential_place::CredentialPlace;
use super::device::{Authority, Credential, SUBJECT};
use super::fault::Faults;
use super::inputs::{Input, documents};
use super::named_algorithms::NamedAlgorithms;
use super::options::{certificates, in_era};
use super::signed::Signed;
use crate::error::Error;
use crate::files::{self, NewFile};
use grille_core::SecretBytes;
use grille_pki::{Certificate, Kind, PrivateKey, PublicKey};
use grille_registry::{Numbers, SignatureRow};
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::hybrid::HYBRID_SIGNATURES;
use grille_spdm_engine::identity::{Identity, Slot};
use grille_spdm_engine::signatures::LocalSigner;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// A certificate chain and its private key, in files.
#[derive(Clone, clap::Args)]
pub(crate) struct KeyFiles {
    /// Authenticate with this chain, from the root to the device (PEM, or concatenated DER certificates).
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// Use this private key for the chain (PEM or DER).
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// A pre-shared key.
#[derive(Clone, clap::Args)]
pub(crate) struct Psk {
    /// Use this pre-shared key for sessions (raw bytes); - is standard input.
    #[arg(long, value_name = "FILE")]
    psk: Option<PathBuf>,
    /// Use the published test key of DMTF's emulators (TestPskData) as pre-shared key. It is not secret.
    #[arg(long = "test-psk", alias = "test_psk", conflicts_with = "psk")]
    test_psk: bool,
    /// Identify the pre-shared key with this hint, in hexadecimal.
    #[arg(long = "psk-hint", alias = "psk_hint", value_name = "HEX", default_value = EMULATORS_HINT)]
    psk_hint: String,
}

/// The credentials of an emulated side.
#[derive(Clone, clap::Args)]
pub(crate) struct LocalIdentity {
    #[command(flatten)]
    files: KeyFiles,
    /// Save the roots of new keys to this file (PEM): one certificate per algorithm, by default ECDSA P-384 and
    /// ML-DSA-87.
    #[arg(long, value_name = "FILE", conflicts_with = "cert")]
    root: Option<PathBuf>,
    /// Trust this public key of the other side in slot 0xFF (PEM or DER), or a certificate with it.
    #[arg(long = "peer-key", alias = "peer_key", value_name = "FILE")]
    peer_key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) psk: Psk,
}

/// The pre-shared key of DMTF's emulators, with its terminating zero. It is not secret.
const EMULATORS_PSK: &[u8] = b"TestPskData\0";
/// The hint of DMTF's emulators: `TestPskHint` with its terminating zero, in hexadecimal.
const EMULATORS_HINT: &str = "5465737450736b48696e7400";

/// Adds the chain to `slot` of the identity. Its key has the KeyPairID `pair`.
pub(crate) fn add_to_slot(identity: Identity, slot: u8, pair: u8, signed: &Signed) -> Identity {
    let slot = Slot::new(slot, signed.chain.clone(), signed.signer.clone());
    identity.with(Slot { key_pair_id: pair, ..slot })
}

/// The identity of a side, and the keys of its chains.
pub(crate) struct ProvidedIdentity {
    pub(crate) identity: Identity,
    pub(crate) keys: Vec<Signed>,
    /// Whether the pre-shared key is the published test key.
    pub(crate) test_psk: bool,
}

impl ProvidedIdentity {
    /// Adds the chains of these keys to `identity`. Each of the first `slots` slots gets the chains of all keys.
    pub(crate) fn with_slots(mut identity: Identity, slots: u8, keys: Vec<Signed>) -> Self {
        for slot in 0..slots {
            for (pair, signed) in (1..).zip(&keys) {
                identity = add_to_slot(identity, slot, pair, signed);
            }
        }
        Self { identity, keys, test_psk: false }
    }
}

/// Generates a key for each authority, certified for `subject`. `faults` affect the certificates.
///
/// # Errors
/// Returns an error if the system provides no randomness.
pub(super) fn new_keys(issuers: &[Authority], subject: &str, faults: &Faults) -> Result<Vec<Signed>, Error> {
    let credentials = issuers.iter().map(|maker| maker.credential(subject, faults));
    credentials.map(|credential| credential.map(Credential::into_signed)).collect()
}

impl Psk {
    /// Returns the file of the key.
    pub(crate) fn input(&self) -> Option<&Path> {
        self.psk.as_deref()
    }

    /// Returns an option about the key, if one is given.
    pub(crate) fn named_option(&self) -> Option<&'static str> {
        let options = [
            (self.psk.is_some(), "--psk"),
            (self.test_psk, "--test-psk"),
            (self.psk_hint != EMULATORS_HINT, "--psk-hint"),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// Returns whether an option selects the published test key by name.
    pub(super) const fn is_test_key_requested(&self) -> bool {
        self.test_psk
    }

    /// Returns whether an option provides the key.
    pub(crate) const fn is_named(&self) -> bool {
        self.test_psk || self.psk.is_some()
    }

    /// Checks that an option provides the key if it is `needed`. The test key is never a default.
    ///
    /// # Errors
    /// Returns an error if the key is needed and missing.
    pub(crate) fn check_named(&self, needed: bool) -> Result<(), Error> {
        if self.is_named() || !needed {
            return Ok(());
        }
        let problem = Error::usage("the pre-shared key is missing").with_place("--psk");
        Err(problem.advise(
            "name its file with --psk, or use the public test key of DMTF's emulators with --test-psk",
        ))
    }

    /// Returns the hint of the key.
    ///
    /// # Errors
    /// Returns an error if the hint is not hexadecimal.
    pub(crate) fn hint(&self) -> Result<Vec<u8>, Error> {
        hexadecimal("--psk-hint", &self.psk_hint)
    }

    /// Returns an identity with the key, and whether it is the published test key, even if read from a file.
    ///
    /// # Errors
    /// Returns an error if the file cannot be read, or the hint is not hexadecimal.
    pub(crate) fn checked_identity(&self) -> Result<(Identity, bool), Error> {
        let psk = self.psk.as_deref().map_or_else(|| Ok(EMULATORS_PSK.into()), shared_key)?;
        let without_zero = EMULATORS_PSK.strip_suffix(b"\0").unwrap_or_default();
        let is_test =
            [EMULATORS_PSK, without_zero].into_iter().any(|test| constant_time_eq(psk.as_ref(), test));
        Ok((Identity::default().with_psk(&self.hint()?, psk), is_test))
    }
}

impl KeyFiles {
    /// Returns the given file names.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        [&self.cert, &self.key].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Returns whether any file is given.
    pub(crate) const fn are_given(&self) -> bool {
        self.key.is_some()
    }

    /// Reads the chain and the key, if files are given. `allowed` are the allowed signature algorithms, and `numbers` the
    /// object identifiers in the files.
    ///
    /// # Errors
    /// Returns an error if a file is missing or invalid.
    pub(crate) fn read(&self, allowed: &[Asym], numbers: Numbers) -> Result<Option<Signed>, Error> {
        self.check_chain()?;
        let pair = self.cert.as_deref().zip(self.key.as_deref());
        pair.map(|(cert, key)| from_files(cert, key, allowed, numbers)).transpose()
    }

    /// Checks that a key comes with its chain.
    fn check_chain(&self) -> Result<(), Error> {
        match (&self.cert, &self.key) {
            (None, Some(key)) => Err(Error::usage("the chain of this key is missing")
                .at(key)
                .advise("name its file with --cert")),
            _ => Ok(()),
        }
    }

    /// Returns the key file for slot 0xFF, which has no chain.
    fn provisioned_key(&self) -> Result<&Path, Error> {
        if self.cert.is_some() {
            return Err(no_chain("--cert", "omit it, or name a slot from 0 to 7"));
        }
        let missing = || Error::usage("slot 0xFF needs a private key whose public key the other side knows");
        self.key.as_deref().ok_or_else(|| missing().with_place("--key"))
    }

    /// Adds the key of slot 0xFF to the identity.
    ///
    /// # Errors
    /// Returns an error if the key is missing, there is also a chain, or the key fits none of the algorithms in
    /// `allowed`.
    pub(crate) fn add_provisioned_key(
        &self,
        identity: Identity,
        allowed: &[Asym],
    ) -> Result<Identity, Error> {
        let path = self.provisioned_key()?;
        let private = private_key(path, Numbers::default())?;
        let public = private.public_key().clone();
        let signer = signer(private, allowed).map_err(|error| error.at(path))?;
        Ok(identity.with_provisioned(public, signer))
    }
}

impl LocalIdentity {
    /// Returns whether any file is given.
    pub(crate) const fn has_files(&self) -> bool {
        self.files.are_given()
    }

    /// Returns whether the peer's public key is given.
    pub(crate) const fn has_peer_key(&self) -> bool {
        self.peer_key.is_some()
    }

    /// Returns the input files.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.files.inputs().chain(self.peer_key.as_deref()).chain(self.psk.input())
    }

    /// Returns the output file.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.root.as_deref().filter(|path| !files::is_standard_stream(path))
    }

    /// Reads the peer's public key of slot 0xFF, if it is given.
    ///
    /// # Errors
    /// Returns an error if the file holds no public key.
    pub(crate) fn peer_key(&self) -> Result<Option<PublicKey>, Error> {
        self.peer_key.as_deref().map(public_key).transpose()
    }

    /// Checks that the options fit the place of the credentials.
    ///
    /// # Errors
    /// Returns an error if an option is missing or superfluous.
    pub(crate) fn check(&self, place: CredentialPlace) -> Result<(), Error> {
        match place {
            CredentialPlace::Slots(_) => self.files.check_chain(),
            CredentialPlace::Provisioned if self.root.is_some() => {
                Err(no_chain("--root", "omit it, and give the other side the public key"))
            }
            CredentialPlace::Provisioned => self.files.provisioned_key().map(|_| ()),
            CredentialPlace::Raw => self.check_raw(),
        }
    }

    /// Checks that no option names a chain or a key, which slot 0xFF of the dialect does not use.
    fn check_raw(&self) -> Result<(), Error> {
        let advice = "omit it, or name a slot from 0 to 7";
        let options = [(&self.root, "--root"), (&self.files.cert, "--cert"), (&self.files.key, "--key")];
        match options.into_iter().find(|(file, _)| file.is_some()) {
            None => Ok(()),
            Some((_, option)) => {
                Err(Error::usage("slot 0xFF of the dialect has only the keys of --raw-keys")
                    .with_place(option)
                    .advise(advice))
            }
        }
    }

    /// Reads or generates the credentials: chains and keys, or the provisioned key, and the pre-shared key.
    ///
    /// `named`: the kinds of algorithms that the user named. For these kinds, one key is generated for each algorithm
    /// in `allowed`; for the other kinds, only ECDSA P-384, ML-DSA-87 and the hybrid of both. `overwrite`: whether the
    /// new roots may replace a file. `faults`: faults of the new certificates. `numbers`: the object identifiers in
    /// certificates and key files.
    ///
    /// # Errors
    /// Returns an error if a file is invalid, or the system provides no randomness.
    pub(super) fn provide(
        &self,
        allowed: &[Asym],
        named: NamedAlgorithms,
        place: CredentialPlace,
        overwrite: bool,
        faults: &Faults,
        numbers: Numbers,
    ) -> Result<ProvidedIdentity, Error> {
        self.check(place)?;
        // Read inputs before writing roots.
        let (identity, test_psk) = self.psk.checked_identity()?;
        let slots = match place {
            CredentialPlace::Slots(slots) => slots,
            CredentialPlace::Raw => return Ok(ProvidedIdentity { identity, keys: Vec::new(), test_psk }),
            CredentialPlace::Provisioned => {
                let identity = self.files.add_provisioned_key(identity, allowed)?;
                return Ok(ProvidedIdentity { identity, keys: Vec::new(), test_psk });
            }
        };
        let keys = match self.files.read(allowed, numbers)? {
            Some(read) => vec![read],
            None => {
                let saved = self.authorities(allowed, named, overwrite, numbers)?;
                let authorities = Authority::apply_faults(saved, faults)?;
                new_keys(&authorities, SUBJECT, faults)?
            }
        };
        Ok(ProvidedIdentity { test_psk, ..ProvidedIdentity::with_slots(identity, slots, keys) })
    }

    /// Creates the authorities for new keys, and saves their roots with --root; see [`Self::provide`].
    ///
    /// # Errors
    /// Returns an error if the file cannot be written, or the system provides no randomness.
    pub(crate) fn authorities(
        &self,
        allowed: &[Asym],
        named: NamedAlgorithms,
        overwrite: bool,
        numbers: Numbers,
    ) -> Result<Vec<Authority>, Error> {
        let is_needed = |asym: &Asym| match asym {
            Asym::Classical(_) => named.classical || key_name(*asym) == "ECDSA-P384",
            Asym::PostQuantum(_) => named.post_quantum || key_name(*asym) == "ML-DSA-87",
            Asym::Hybrid(_) => named.hybrid || asym.name() == "ECDSA-P384 + ML-DSA-87",
        };
        let authorities: Vec<Authority> = allowed
            .iter()
            .filter(|asym| is_needed(asym))
            .copied()
            .map(|asym| Authority::new(asym, numbers))
            .collect::<Result<_, _>>()?;
        if let Some(path) = &self.root {
            let roots: String =
                authorities.iter().map(|maker| maker.root.to_pem()).collect::<Result<_, _>>()?;
            files::write(&[NewFile::public(path, roots.as_bytes())], overwrite)?;
        }
        Ok(authorities)
    }
}

/// Returns the error for an option about chains with slot 0xFF.
fn no_chain(option: &str, advice: &str) -> Error {
    Error::usage("slot 0xFF has a provisioned public key and no chain").with_place(option).advise(advice)
}

/// Reads a pre-shared key, which is the whole contents of its file.
///
/// # Errors
/// Returns an error if the file is empty or cannot be read.
pub(super) fn shared_key(path: &Path) -> Result<SecretBytes, Error> {
    match &Input::SharedKey.read(path)?[..] {
        [] => Err(Error::failure("the key file is empty")
            .at(path)
            .advise("write the raw bytes of the key to the file")),
        key => Ok(key.into()),
    }
}

/// Compares in constant time, except for the lengths.
fn constant_time_eq(secret: &[u8], other: &[u8]) -> bool {
    secret.len() == other.len() && secret.iter().zip(other).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// Parses the hexadecimal value of an option.
fn hexadecimal(option: &str, text: &str) -> Result<Vec<u8>, Error> {
    crate::hex::decode(text)
        .ok_or_else(|| Error::usage(format_args!("not hexadecimal: {text}")).with_place(option))
}

/// Reads a chain in SPDM's order (DSP0274 "SPDM certificate chain"): the root first, then each issued certificate.
///
/// # Errors
/// Returns an error if the file cannot be read, or the order differs; the first hash would then not be the root's.
pub(super) fn chain_from_root(path: &Path) -> Result<Vec<Certificate>, Error> {
    let chain = certificates(slice::from_ref(&path.to_owned()))?;
    let wrong = |problem: String, advice: &str| Err(Error::failure(problem).at(path).advise(advice));
    if let Some(first) = chain.first().filter(|first| first.subject() != first.issuer()) {
        let (subject, issuer) = (first.subject(), first.issuer());
        let problem = format!("the chain starts with {subject}, which is not a root: {issuer} issued it");
        return wrong(problem, "put the root's certificate first and the device's last");
    }
    match chain.windows(2).find(|pair| pair[0].subject() != pair[1].issuer()) {
        Some([above, below]) => {
            let (subject, issuer) = (below.subject(), below.issuer());
            let problem = format!("{subject} follows {}, but {issuer} issued it", above.subject());
            wrong(problem, "put the root first, and each certificate after its issuer")
        }
        _ => Ok(chain),
    }
}

fn from_files(cert: &Path, key: &Path, allowed: &[Asym], numbers: Numbers) -> Result<Signed, Error> {
    let (chain, private) = (in_era(chain_from_root(cert)?, numbers), private_key(key, numbers)?);
    if let Some(leaf) = chain.last() {
        grille_pki::verify::check_key_matches(leaf, &private).map_err(|error| Error::from(error).at(key))?;
    }
    let signer = signer(private, allowed).map_err(|error| error.at(key))?;
    Ok(Signed { chain, signer })
}

fn private_key(path: &Path, numbers: Numbers) -> Result<PrivateKey, Error> {
    PrivateKey::from_pem_or_der_in(&documents(Input::Key, path, Kind::PrivateKey)?, numbers)
        .map_err(|error| Error::from(error).at(path))
}

/// Returns a signer that uses this key with an algorithm of `allowed`.
fn signer(key: PrivateKey, allowed: &[Asym]) -> Result<Arc<LocalSigner>, Error> {
    let row = key.row();
    let name = spdm_key_name(row);
    let fits = |asym: &Asym| key_name(*asym) == name;
    let asym = allowed.iter().find(|asym| fits(asym)).ok_or_else(|| other_algorithm(row, allowed))?;
    Ok(Arc::new(LocalSigner::new(*asym, key)?))
}

/// Returns the error for a key that fits no algorithm of `allowed`.
fn other_algorithm(row: &'static SignatureRow, allowed: &[Asym]) -> Error {
    let name = spdm_key_name(row);
    if !signers(&Bits::all().with_hybrids()).into_iter().any(|asym| key_name(asym) == name) {
        return Error::usage(format_args!("SPDM does not sign with {name}"));
    }
    let mut signs: Vec<&str> = allowed.iter().copied().map(key_name).collect();
    // RSA has two signature schemes for one key type.
    signs.dedup();
    let failure =
        Error::usage(format_args!("cannot sign with a key of {name}; expected one of {}", signs.join(", ")));
    if HYBRID_SIGNATURES.iter().any(|hybrid| hybrid.key == name) {
        return failure.advise(
            "offer hybrids with --spec 1.4-hybrid, and this one with --hybrid-asym or --req-hybrid-asym",
        );
    }
    let is_classical = allowed.iter().all(|asym| matches!(asym, Asym::Classical(_)));
    if row.category > 0 && is_classical { failure.advise(POST_QUANTUM_ADVICE) } else { failure }
}

/// Advice if no post-quantum signature is offered.
const POST_QUANTUM_ADVICE: &str =
    "offer SPDM 1.4 (--ver) and post-quantum signatures with --pqc-asym, or --req-pqc-asym for the requester";

/// Reads the public key of a file, or of a certificate in it.
///
/// # Errors
/// Returns an error if the file holds no public key.
pub(crate) fn public_key(path: &Path) -> Result<PublicKey, Error> {
    let bytes = documents(Input::Key, path, Kind::PublicKey)?;
    let certified = || Certificate::from_pem_or_der(&bytes).and_then(|certificate| certificate.public_key());
    PublicKey::from_pem_or_der(&bytes)
        .or_else(|error| certified().map_err(|_| error))
        .map_err(|error| Error::from(error).at(path))
}
