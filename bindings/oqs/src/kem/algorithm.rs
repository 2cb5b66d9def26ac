//! A KEM: the structure that programs read, and the operations behind its function pointers.

use crate::OQS_STATUS;
use crate::boundary::{Output, input, status};
use crate::random::Rng;
use core::ffi::{CStr, c_char};
#[cfg(era = "0.16")]
use grille_kat::replay::Replay;
use grille_registry::KemRow;
use rand_core::CryptoRng;
use std::sync::OnceLock;

/// Generates a key pair into two buffers.
pub type Keypair = unsafe extern "C" fn(public: *mut u8, secret: *mut u8) -> OQS_STATUS;
/// Derives a key pair from a seed and writes it to two buffers.
pub type KeypairDerand =
    unsafe extern "C" fn(public: *mut u8, secret: *mut u8, seed: *const u8) -> OQS_STATUS;
/// Encapsulates: writes the ciphertext and the shared secret.
pub type Encaps = unsafe extern "C" fn(ciphertext: *mut u8, shared: *mut u8, public: *const u8) -> OQS_STATUS;
/// Encapsulates with the randomness of a seed.
pub type EncapsDerand = unsafe extern "C" fn(
    ciphertext: *mut u8,
    shared: *mut u8,
    public: *const u8,
    seed: *const u8,
) -> OQS_STATUS;
/// Decapsulates: writes the shared secret.
pub type Decaps =
    unsafe extern "C" fn(shared: *mut u8, ciphertext: *const u8, secret: *const u8) -> OQS_STATUS;

/// An algorithm with its lengths and functions, as liboqs of this era lays it out.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs, reason = "the fields are documented in oqs/kem.h")]
pub struct OQS_KEM {
    pub method_name: *const c_char,
    pub alg_version: *const c_char,
    pub claimed_nist_level: u8,
    pub ind_cca: bool,
    pub length_public_key: usize,
    pub length_secret_key: usize,
    pub length_ciphertext: usize,
    pub length_shared_secret: usize,
    #[cfg(era = "0.16")]
    pub length_keypair_seed: usize,
    #[cfg(era = "0.16")]
    pub length_encaps_seed: usize,
    #[cfg(era = "0.16")]
    pub keypair_derand: Option<KeypairDerand>,
    pub keypair: Option<Keypair>,
    #[cfg(era = "0.16")]
    pub encaps_derand: Option<EncapsDerand>,
    pub encaps: Option<Encaps>,
    pub decaps: Option<Decaps>,
}

/// The functions of one algorithm.
#[derive(Debug)]
pub(crate) struct Functions {
    pub(crate) keypair: Keypair,
    pub(crate) encaps: Encaps,
    pub(crate) decaps: Decaps,
    #[cfg(era = "0.16")]
    pub(crate) keypair_derand: KeypairDerand,
    #[cfg(era = "0.16")]
    pub(crate) encaps_derand: EncapsDerand,
}

/// A KEM that liboqs of the era lists and the registry contains.
#[derive(Debug)]
pub(crate) struct Kem {
    pub(crate) name: &'static CStr,
    /// The document that defines the algorithm.
    pub(crate) document: &'static CStr,
    pub(crate) level: u8,
    pub(crate) ind_cca: bool,
    /// Lengths of the seeds of key generation and encapsulation; 0 if liboqs has no functions with seeds for the algorithm.
    #[cfg(era = "0.16")]
    pub(crate) seeds: [usize; 2],
    /// The name of the algorithm in the registry.
    pub(crate) row_name: &'static str,
    pub(crate) row: OnceLock<Option<&'static KemRow>>,
    pub(crate) functions: Functions,
}

impl Kem {
    fn row(&self) -> Option<&'static KemRow> {
        *self.row.get_or_init(|| grille_registry::kem_by_name(self.row_name).ok())
    }

    /// Generates a key pair; see [`Keypair`].
    ///
    /// # Safety
    /// The pointers are null or point to buffers of the algorithm's lengths.
    pub(crate) unsafe fn keypair(&self, public: *mut u8, secret: *mut u8) -> OQS_STATUS {
        status(|| {
            let row = self.row()?;
            // SAFETY: the caller promises null or buffers of these lengths
            let (public, secret) = unsafe { key_buffers(row, public, secret) }?;
            let key = row.kem.generate(&mut Rng);
            public.write(&key.encaps_key_bytes())?;
            secret.write(key.to_bytes().as_ref()).map(drop)
        })
    }

    /// Derives a key pair from a seed; see [`KeypairDerand`].
    ///
    /// # Safety
    /// The pointers are null or point to buffers of the algorithm's lengths.
    #[cfg(era = "0.16")]
    pub(crate) unsafe fn keypair_derand(
        &self,
        public: *mut u8,
        secret: *mut u8,
        seed: *const u8,
    ) -> OQS_STATUS {
        status(|| {
            let (row, len) = (self.row()?, self.seeds[0]);
            // SAFETY: the caller promises null or buffers of these lengths
            let ((public, secret), seed) = unsafe { (key_buffers(row, public, secret)?, input(seed, len)?) };
            // returns an error if the algorithm has no seeds
            let key = row.kem.decaps_key_from_seed(seed).ok()?;
            public.write(&key.encaps_key_bytes())?;
            secret.write(key.to_bytes().as_ref()).map(drop)
        })
    }

    /// Encapsulates; see [`Encaps`].
    ///
    /// # Safety
    /// The pointers are null or point to buffers of the algorithm's lengths.
    pub(crate) unsafe fn encaps(
        &self,
        ciphertext: *mut u8,
        shared: *mut u8,
        public: *const u8,
    ) -> OQS_STATUS {
        // SAFETY: the caller promises null or buffers of the algorithm's lengths
        status(|| unsafe { self.encaps_with(ciphertext, shared, public, &mut Rng) })
    }

    /// Encapsulates with the randomness of a seed; see [`EncapsDerand`].
    ///
    /// # Safety
    /// The pointers are null or point to buffers of the algorithm's lengths.
    #[cfg(era = "0.16")]
    pub(crate) unsafe fn encaps_derand(
        &self,
        ciphertext: *mut u8,
        shared: *mut u8,
        public: *const u8,
        seed: *const u8,
    ) -> OQS_STATUS {
        status(|| {
            let len = self.seeds[1];
            if len == 0 {
                return None;
            }
            // SAFETY: the caller promises null or a seed of this length
            let mut rng = Replay::new(unsafe { input(seed, len) }?);
            // SAFETY: the caller promises null or buffers of the algorithm's lengths
            unsafe { self.encaps_with(ciphertext, shared, public, &mut rng) }
        })
    }

    /// Encapsulates. A refused key leaves zeros in the buffers.
    ///
    /// # Safety
    /// The pointers are null or point to buffers of the algorithm's lengths.
    unsafe fn encaps_with(
        &self,
        ciphertext: *mut u8,
        shared: *mut u8,
        public: *const u8,
        rng: &mut dyn CryptoRng,
    ) -> Option<()> {
        let row = self.row()?;
        let info = row.kem.info();
        // SAFETY: the caller promises null or buffers of these lengths
        let (ciphertext, shared, public) = unsafe {
            (
                Output::new(ciphertext, info.ciphertext_len)?,
                Output::new(shared, info.shared_secret_len)?,
                input(public, info.encaps_key_len)?,
            )
        };
        let Ok(key) = row.kem.encaps_key(public) else {
            ciphertext.clear();
            shared.clear();
            return None;
        };
        let sent = key.encapsulate(rng);
        ciphertext.write(&sent.ciphertext)?;
        shared.write(sent.secret.as_ref()).map(drop)
    }

    /// Decapsulates; see [`Decaps`]. A refused key leaves zeros in the buffer.
    ///
    /// # Safety
    /// The pointers are null or point to buffers of the algorithm's lengths.
    pub(crate) unsafe fn decaps(
        &self,
        shared: *mut u8,
        ciphertext: *const u8,
        secret: *const u8,
    ) -> OQS_STATUS {
        status(|| {
            let row = self.row()?;
            let info = row.kem.info();
            // SAFETY: the caller promises null or buffers of these lengths
            let (shared, ciphertext, secret) = unsafe {
                (
                    Output::new(shared, info.shared_secret_len)?,
                    input(ciphertext, info.ciphertext_len)?,
                    input(secret, info.decaps_key_len)?,
                )
            };
            let Ok(agreed) = row.kem.decapsulate_encoded(secret, ciphertext) else {
                shared.clear();
                return None;
            };
            shared.write(agreed.as_ref()).map(drop)
        })
    }

    /// Returns the structure that programs read; `None` if the registry was built without the algorithm.
    pub(super) fn object(&self) -> Option<OQS_KEM> {
        let info = self.row()?.kem.info();
        Some(OQS_KEM {
            method_name: self.name.as_ptr(),
            alg_version: self.document.as_ptr(),
            claimed_nist_level: self.level,
            ind_cca: self.ind_cca,
            length_public_key: info.encaps_key_len,
            length_secret_key: info.decaps_key_len,
            length_ciphertext: info.ciphertext_len,
            length_shared_secret: info.shared_secret_len,
            #[cfg(era = "0.16")]
            length_keypair_seed: self.seeds[0],
            #[cfg(era = "0.16")]
            length_encaps_seed: self.seeds[1],
            #[cfg(era = "0.16")]
            keypair_derand: Some(self.functions.keypair_derand),
            keypair: Some(self.functions.keypair),
            #[cfg(era = "0.16")]
            encaps_derand: Some(self.functions.encaps_derand),
            encaps: Some(self.functions.encaps),
            decaps: Some(self.functions.decaps),
        })
    }
}

/// Returns the buffers of a key pair; `None` if one is null.
///
/// # Safety
/// The pointers are null or point to buffers of the lengths of the row.
unsafe fn key_buffers(row: &KemRow, public: *mut u8, secret: *mut u8) -> Option<(Output, Output)> {
    let info = row.kem.info();
    // SAFETY: the caller promises null or buffers of these lengths
    unsafe { Some((Output::new(public, info.encaps_key_len)?, Output::new(secret, info.decaps_key_len)?)) }
}
