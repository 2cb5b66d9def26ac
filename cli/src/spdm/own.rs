//! What a side proves itself with, from files or made anew, and whose chains it believes.

use super::algorithms::{key_name, name_of_key, signers};
use super::device::{Authority, Credential, SUBJECT, without_certificates};
use super::inputs::{Input, documents};
use super::options::certificates;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::Output;
use grille_core::SecretBytes;
use grille_pki::{Certificate, Kind, PrivateKey, PublicKey};
use grille_registry::SignatureRow;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_engine::algorithms::{Asym, Bits};
use grille_spdm_engine::identity::{Identity, PROVISIONED, Slot, model};
use grille_spdm_engine::profile;
use grille_spdm_engine::signatures::{LocalSigner, Signer};
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::{Everyone, Judge, Roots};
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

/// A chain and its key, in files.
#[derive(Clone, clap::Args)]
pub(crate) struct KeyFiles {
    /// The own chain (PEM, or certificates in DER one after the other), from the root to the device.
    #[arg(long, value_name = "FILE", requires = "key")]
    cert: Option<PathBuf>,
    /// The private key to it.
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
}

/// A key that both sides have beforehand.
#[derive(Clone, clap::Args)]
pub(crate) struct Psk {
    /// The key that both sides have beforehand, as bytes; - is standard input. Without it that of DMTF's emulators.
    #[arg(long, value_name = "FILE")]
    psk: Option<PathBuf>,
    /// The name of that key, hexadecimal.
    #[arg(long = "psk_hint", value_name = "HEX", default_value = EMULATORS_HINT)]
    psk_hint: String,
}

/// What an emulated side proves itself with.
#[derive(Clone, clap::Args)]
pub(crate) struct Own {
    #[command(flatten)]
    files: KeyFiles,
    /// Save the roots of new keys here (PEM).
    #[arg(long, value_name = "FILE", conflicts_with = "cert")]
    root: Option<PathBuf>,
    /// The other side's public key (PEM or DER), or a certificate with it, which it proves itself with in slot 0xFF.
    #[arg(long = "peer_key", value_name = "FILE")]
    peer_key: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) psk: Psk,
}

/// Where a side has what it proves itself with.
#[derive(Clone, Copy)]
pub(crate) enum Place {
    /// Chains in so many slots, the same in each.
    Slots(u8),
    /// A public key that the other side knows beforehand, slot 0xFF.
    Provisioned,
}

impl Place {
    /// What is in slot `id`, with chains in `count` slots if it is none of its own.
    pub(crate) const fn of(id: u8, count: u8) -> Self {
        if id == PROVISIONED { Self::Provisioned } else { Self::Slots(count) }
    }

    /// What of `flags` a side can do that has it there.
    pub(crate) const fn able(self, flags: CapabilityFlags) -> CapabilityFlags {
        match self {
            Self::Slots(_) => flags,
            Self::Provisioned => without_certificates(flags),
        }
    }
}

/// What DMTF's emulators have, with its zero: no secret.
const EMULATORS_PSK: &[u8] = b"TestPskData\0";
/// `TestPskHint`, likewise.
const EMULATORS_HINT: &str = "5465737450736b48696e7400";

/// Whether the options name signature algorithms.
#[derive(Clone, Copy)]
pub(crate) struct Named {
    pub(crate) classical: bool,
    pub(crate) post_quantum: bool,
}

impl Named {
    /// Whether any is.
    pub(crate) const fn any(self) -> bool {
        self.classical || self.post_quantum
    }
}

/// A chain, and what signs with the private key of its last certificate.
pub(crate) struct Signed {
    pub(crate) chain: Vec<Certificate>,
    pub(crate) signer: Arc<LocalSigner>,
}

impl Signed {
    /// What it signs with.
    pub(crate) fn asym(&self) -> Asym {
        self.signer.algorithm()
    }

    /// Warns of a chain that `prover` may not prove itself with.
    pub(crate) fn warn(&self, prover: Prover, out: &Output) {
        let judge = |leaf| profile::check(leaf, prover, model::DEVICE).err();
        if let Some(wrong) = self.chain.last().and_then(judge) {
            out.warn(format_args!("--cert: {wrong}; who goes by the standard does not believe this chain"));
        }
    }
}

/// The identity with this chain in a slot more, its key that of KeyPairID `pair`.
pub(crate) fn in_slot(identity: Identity, slot: u8, pair: u8, signed: &Signed) -> Identity {
    let slot = Slot::new(slot, signed.chain.clone(), signed.signer.clone());
    identity.with(Slot { key_pair_id: pair, ..slot })
}

/// What a side proves itself with, and the keys of its chains.
pub(crate) struct Provided {
    pub(crate) identity: Identity,
    pub(crate) keys: Vec<Signed>,
}

impl Provided {
    /// The chains of these keys in so many slots, the same in each, beside what `identity` has.
    pub(crate) fn in_slots(mut identity: Identity, slots: u8, keys: Vec<Signed>) -> Self {
        for slot in 0..slots {
            for (pair, signed) in (1..).zip(&keys) {
                identity = in_slot(identity, slot, pair, signed);
            }
        }
        Self { identity, keys }
    }
}

/// New keys, one of each authority, certified for `subject`.
///
/// # Errors
/// If the system gives no randomness.
pub(crate) fn made(authorities: &[Authority], subject: &str) -> Result<Vec<Signed>, Error> {
    authorities.iter().map(|maker| maker.credential(subject).map(Credential::into_signed)).collect()
}

impl Psk {
    /// The file.
    pub(crate) fn input(&self) -> Option<&Path> {
        self.psk.as_deref()
    }

    /// The option that says something of the key, if one does.
    pub(crate) fn given(&self) -> Option<&'static str> {
        let named = (self.psk_hint != EMULATORS_HINT).then_some("--psk_hint");
        self.psk.as_ref().map(|_| "--psk").or(named)
    }

    /// The name of the key.
    ///
    /// # Errors
    /// If it is not hexadecimal.
    pub(crate) fn hint(&self) -> Result<Vec<u8>, Error> {
        hexadecimal("--psk_hint", &self.psk_hint)
    }

    /// An identity that has it.
    ///
    /// # Errors
    /// If the file cannot be read, or the name is not hexadecimal.
    pub(crate) fn identity(&self) -> Result<Identity, Error> {
        let psk = self.psk.as_deref().map_or_else(|| Ok(EMULATORS_PSK.into()), shared_key)?;
        Ok(Identity::default().with_psk(&self.hint()?, psk))
    }
}

impl KeyFiles {
    /// The names.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        [&self.cert, &self.key].into_iter().flatten().map(PathBuf::as_path)
    }

    /// Whether there are any.
    pub(crate) const fn are_given(&self) -> bool {
        self.key.is_some()
    }

    /// What is in the files, if there are any. `bits`: what may be signed with.
    ///
    /// # Errors
    /// What files have wrong.
    pub(crate) fn read(&self, bits: &Bits) -> Result<Option<Signed>, Error> {
        self.check_chain()?;
        let pair = self.cert.as_deref().zip(self.key.as_deref());
        pair.map(|(cert, key)| from_files(cert, key, bits)).transpose()
    }

    /// That a key has its chain.
    fn check_chain(&self) -> Result<(), Error> {
        match (&self.cert, &self.key) {
            (None, Some(key)) => {
                Err(Error::usage("the chain of this key is missing").at(key).advise("--cert names its file"))
            }
            _ => Ok(()),
        }
    }

    /// The key of slot 0xFF, which has no chain.
    fn key_alone(&self) -> Result<&Path, Error> {
        if self.cert.is_some() {
            return Err(no_chain("--cert", "leave it out, or name a slot of 0 to 7"));
        }
        let missing = || Error::usage("slot 0xFF needs a key, whose public half the other side has already");
        self.key.as_deref().ok_or_else(|| missing().at_place("--key"))
    }

    /// The identity with the key of slot 0xFF, without a chain.
    ///
    /// # Errors
    /// If there is none, or there is a chain too, or the key signs with none of `bits`.
    pub(crate) fn provisioned(&self, identity: Identity, bits: &Bits) -> Result<Identity, Error> {
        let path = self.key_alone()?;
        let private = private_key(path)?;
        let public = private.public_key().clone();
        let signer = signer(private, bits).map_err(|error| error.at(path))?;
        Ok(identity.with_provisioned(public, signer))
    }
}

impl Own {
    /// Whether there are files.
    pub(crate) const fn has_files(&self) -> bool {
        self.files.are_given()
    }

    /// Whether somebody says which public key the other side has.
    pub(crate) const fn has_peer_key(&self) -> bool {
        self.peer_key.is_some()
    }

    /// What is read.
    pub(crate) fn inputs(&self) -> impl Iterator<Item = &Path> {
        self.files.inputs().chain(self.peer_key.as_deref()).chain(self.psk.input())
    }

    /// What is written.
    pub(crate) fn output(&self) -> Option<&Path> {
        self.root.as_deref().filter(|path| !files::is_pipe(path))
    }

    /// The other side's public key of slot 0xFF, if somebody says which.
    ///
    /// # Errors
    /// If the file holds none.
    pub(crate) fn peer_key(&self) -> Result<Option<PublicKey>, Error> {
        self.peer_key.as_deref().map(public_key).transpose()
    }

    /// That the options name what there has to be there, and nothing else.
    ///
    /// # Errors
    /// What is missing, or too much.
    pub(crate) fn check(&self, place: Place) -> Result<(), Error> {
        match place {
            Place::Slots(_) => self.files.check_chain(),
            Place::Provisioned if self.root.is_some() => {
                Err(no_chain("--root", "the other side takes the key's public half"))
            }
            Place::Provisioned => self.files.key_alone().map(|_| ()),
        }
    }

    /// Chains and keys for what of `bits` is signed with, or the one key known beforehand, and the key of --psk. New
    /// keys are one for each algorithm of the kinds that were `named`, and of the others ECDSA P-384 and ML-DSA-87.
    /// `overwrite`: their roots may replace a file.
    ///
    /// # Errors
    /// What files have wrong, or no randomness.
    pub(crate) fn provide(
        &self,
        bits: &Bits,
        named: Named,
        place: Place,
        overwrite: bool,
    ) -> Result<Provided, Error> {
        self.check(place)?;
        // read before roots are written
        let identity = self.psk.identity()?;
        let Place::Slots(slots) = place else {
            return Ok(Provided { identity: self.files.provisioned(identity, bits)?, keys: Vec::new() });
        };
        let keys = match self.files.read(bits)? {
            Some(read) => vec![read],
            None => made(&self.authorities(bits, named, overwrite)?, SUBJECT)?,
        };
        Ok(Provided::in_slots(identity, slots, keys))
    }

    /// Who certifies new keys, whose roots are saved where --root says; the rest is as in [`Self::provide`].
    ///
    /// # Errors
    /// If the file cannot be written, or the system gives no randomness.
    pub(crate) fn authorities(
        &self,
        bits: &Bits,
        named: Named,
        overwrite: bool,
    ) -> Result<Vec<Authority>, Error> {
        let wanted = |asym: &Asym| match asym {
            Asym::Classical(_) => named.classical || key_name(*asym) == "ECDSA-P384",
            Asym::PostQuantum(_) => named.post_quantum || key_name(*asym) == "ML-DSA-87",
        };
        let authorities: Vec<Authority> =
            signers(bits).into_iter().filter(wanted).map(Authority::new).collect::<Result<_, _>>()?;
        if let Some(path) = &self.root {
            let roots: String =
                authorities.iter().map(|maker| maker.root.to_pem()).collect::<Result<_, _>>()?;
            files::write(&[NewFile::public(path, roots.as_bytes())], overwrite)?;
        }
        Ok(authorities)
    }
}

/// That an option is about a chain where there can be none.
fn no_chain(option: &str, advice: &str) -> Error {
    Error::usage("slot 0xFF has a key, and no chain").at_place(option).advise(advice)
}

/// Believes chains that end in a root of these files; without files every chain, or none if the peer must have a public
/// key that is known (`pinned`).
///
/// # Errors
/// If a file cannot be read.
pub(crate) fn judge(ca: &[PathBuf], pinned: bool) -> Result<Arc<dyn Judge + Sync>, Error> {
    if ca.is_empty() && !pinned {
        return Ok(Arc::new(Everyone));
    }
    Ok(Arc::new(Roots::new(certificates(ca)?)))
}

/// What requesters sign with, as if they were responders.
pub(crate) const fn of_requester(bits: &Bits) -> Bits {
    Bits { asym: bits.req_asym as u32, pqc_asym: bits.req_pqc_asym as u32, ..*bits }
}

/// A key that both sides have, which is all that is in its file.
///
/// # Errors
/// If there is none.
pub(super) fn shared_key(path: &Path) -> Result<SecretBytes, Error> {
    match &Input::SharedKey.read(path)?[..] {
        [] => Err(Error::failure("is empty").at(path).advise("it holds the key's bytes, and nothing else")),
        key => Ok(key.into()),
    }
}

/// The bytes that an option gives in hexadecimal.
fn hexadecimal(option: &str, text: &str) -> Result<Vec<u8>, Error> {
    crate::hex::decode(text)
        .ok_or_else(|| Error::usage(format_args!("{text} is not hexadecimal")).at_place(option))
}

/// The certificates of a chain as SPDM has it, DSP0274 "SPDM certificate chain": the root, and below each the one that it
/// issued.
///
/// # Errors
/// If the file cannot be read, or has them otherwise: the hash of the first would not be the root's.
pub(super) fn chain_from_root(path: &Path) -> Result<Vec<Certificate>, Error> {
    let chain = certificates(slice::from_ref(&path.to_owned()))?;
    let wrong = |what: String, advice: &str| Err(Error::failure(what).at(path).advise(advice));
    if let Some(first) = chain.first().filter(|first| first.subject() != first.issuer()) {
        let (subject, issuer) = (first.subject(), first.issuer());
        let what = format!("begins with {subject}, which is no root: {issuer} issued it");
        return wrong(what, "the root's certificate goes first, and the device's last");
    }
    match chain.windows(2).find(|pair| pair[0].subject() != pair[1].issuer()) {
        Some([above, below]) => {
            let (subject, issuer) = (below.subject(), below.issuer());
            let what = format!("has {subject} below {}, but {issuer} issued it", above.subject());
            wrong(what, "each certificate stands below the one that issued it, the root's first")
        }
        _ => Ok(chain),
    }
}

fn from_files(cert: &Path, key: &Path, bits: &Bits) -> Result<Signed, Error> {
    let (chain, private) = (chain_from_root(cert)?, private_key(key)?);
    if let Some(leaf) = chain.last() {
        grille_pki::verify::check_key_matches(leaf, &private).map_err(|error| Error::from(error).at(key))?;
    }
    let signer = signer(private, bits).map_err(|error| error.at(key))?;
    Ok(Signed { chain, signer })
}

fn private_key(path: &Path) -> Result<PrivateKey, Error> {
    PrivateKey::from_pem_or_der(&documents(Input::Key, path, Kind::PrivateKey)?)
        .map_err(|error| Error::from(error).at(path))
}

/// What signs with this key as one of `bits`.
fn signer(key: PrivateKey, bits: &Bits) -> Result<Arc<LocalSigner>, Error> {
    let row = key.row();
    let name = name_of_key(row);
    let fits = |asym: &Asym| key_name(*asym) == name;
    let asym = signers(bits).into_iter().find(fits).ok_or_else(|| other_algorithm(row, bits))?;
    Ok(Arc::new(LocalSigner::new(asym, key)?))
}

/// Why a key of this algorithm does not sign as one of `bits`.
fn other_algorithm(row: &'static SignatureRow, bits: &Bits) -> Error {
    let name = name_of_key(row);
    if !signers(&Bits::all()).into_iter().any(|asym| key_name(asym) == name) {
        return Error::usage(format_args!("SPDM does not sign with {name}"));
    }
    let mut signs: Vec<&str> = signers(bits).into_iter().map(key_name).collect();
    // RSA signs in two ways with one kind of key
    signs.dedup();
    let told = Error::usage(format_args!(
        "the key is of {name}; what may be signed with here: {}",
        signs.join(", ")
    ));
    if row.category > 0 && bits.pqc_asym == 0 { told.advise(LATE) } else { told }
}

/// Why nothing post-quantum signs.
const LATE: &str =
    "post-quantum signatures take SPDM 1.4 (--ver) and --pqc_asym, or --req_pqc_asym of the requester";

/// The public key in a file, its own or a certificate's.
///
/// # Errors
/// If the file holds none.
pub(crate) fn public_key(path: &Path) -> Result<PublicKey, Error> {
    let bytes = Input::Key.read(path)?;
    let certified = || Certificate::from_pem_or_der(&bytes).and_then(|certificate| certificate.public_key());
    PublicKey::from_pem_or_der(&bytes)
        .or_else(|error| certified().map_err(|_| error))
        .map_err(|error| Error::from(error).at(path))
}
