//! Randomness: every operation takes its random bytes from [`OQS_randombytes`], which uses the program's own generator if one is
//! set.

use crate::OQS_STATUS;
use crate::boundary::{Output, status, text};
use core::convert::Infallible;
use core::ffi::c_char;
use core::mem;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use rand_core::{Rng as _, TryCryptoRng, TryRng};

/// A generator of the program: fills `len` bytes at `place`.
pub type Generator = unsafe extern "C" fn(place: *mut u8, len: usize);

/// The program's generator, a [`Generator`]; null if the library uses the system's generator.
static GENERATOR: AtomicPtr<()> = AtomicPtr::new(ptr::null_mut());

/// Returns the program's generator; `None` if the library uses the system's generator.
fn generator() -> Option<Generator> {
    let address = GENERATOR.load(Ordering::Acquire);
    if address.is_null() {
        return None;
    }
    // SAFETY: the only other value that is ever stored is a `Generator`, and function pointers have the size of pointers
    Some(unsafe { mem::transmute::<*mut (), Generator>(address) })
}

/// Sets or removes the program's generator.
fn set_generator(generator: Option<Generator>) {
    let address = generator.map_or(ptr::null_mut(), |generator| generator as *mut ());
    GENERATOR.store(address, Ordering::Release);
}

/// Returns whether the program has set a generator of its own. In that case, operations draw the same random bytes as
/// the reference implementations, so that known answers match.
pub(crate) fn has_program_generator() -> bool {
    generator().is_some()
}

/// The generator for grille's operations: the program's generator if one is set, otherwise the system's.
pub(crate) struct Rng;

impl TryRng for Rng {
    type Error = Infallible;

    fn try_next_u32(&mut self) -> Result<u32, Infallible> {
        let mut bytes = [0; 4];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }

    fn try_next_u64(&mut self) -> Result<u64, Infallible> {
        let mut bytes = [0; 8];
        self.try_fill_bytes(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
        match generator() {
            // SAFETY: a generator fills `len` bytes at `place`, which are exactly the bytes of `bytes`
            Some(generator) => unsafe { generator(bytes.as_mut_ptr(), bytes.len()) },
            None => grille_core::SystemRng.fill_bytes(bytes),
        }
        Ok(())
    }
}

impl TryCryptoRng for Rng {}

/// Fills a buffer with random bytes. Ends the process if the operating system cannot supply random bytes, as liboqs
/// does.
///
/// # Safety
/// `place` is null or points to `len` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_randombytes(place: *mut u8, len: usize) {
    if let Some(generator) = generator() {
        // SAFETY: the caller promises what the generator needs
        return unsafe { generator(place, len) };
    }
    // SAFETY: the caller promises null or `len` writable bytes
    let Some(output) = (unsafe { Output::new(place, len) }) else { return };
    let mut chunk = zeroize::Zeroizing::new(vec![0; len]);
    let filled = status(|| {
        grille_core::SystemRng.fill_bytes(&mut chunk);
        output.write(&chunk).map(drop)
    });
    if filled != crate::OQS_SUCCESS {
        std::process::abort();
    }
}

/// Selects a generator by its name: "system", "OpenSSL" (which also selects the system's), and in the eras before
/// liboqs 0.10 also "NIST-KAT". Case does not matter.
///
/// # Safety
/// `name` is null or a string.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_randombytes_switch_algorithm(name: *const c_char) -> OQS_STATUS {
    status(|| {
        // SAFETY: the caller promises null or a string
        let name = unsafe { text(name) }?.to_bytes();
        if name.eq_ignore_ascii_case(b"system") || name.eq_ignore_ascii_case(b"OpenSSL") {
            set_generator(None);
            return Some(());
        }
        #[cfg(not(era = "0.16"))]
        if name.eq_ignore_ascii_case(b"NIST-KAT") {
            set_generator(Some(known_answers::fill));
            return Some(());
        }
        None
    })
}

/// Makes the library use the program's generator. Null selects the system's.
///
/// # Safety
/// The generator fills exactly `len` bytes at `place`, and every thread that uses the library may call it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn OQS_randombytes_custom_algorithm(generator: Option<Generator>) {
    set_generator(generator);
}

#[cfg(not(era = "0.16"))]
pub use known_answers::OQS_randombytes_nist_kat_init_256bit;

/// The generator of NIST's known answers, which liboqs had up to 0.9. It is predictable: for tests only.
#[cfg(not(era = "0.16"))]
mod known_answers {
    use crate::boundary::{Output, input, status};
    use grille_kat::drbg::CtrDrbg;
    use rand_core::Rng as _;
    use std::sync::{Mutex, PoisonError};

    static STATE: Mutex<Option<CtrDrbg>> = Mutex::new(None);

    /// Fills a buffer from the generator; leaves it unchanged while the generator has no seed.
    ///
    /// # Safety
    /// `place` is null or points to `len` writable bytes.
    pub(super) unsafe extern "C" fn fill(place: *mut u8, len: usize) {
        status(|| {
            // SAFETY: the caller promises null or `len` writable bytes
            let output = unsafe { Output::new(place, len) }?;
            let mut state = STATE.lock().unwrap_or_else(PoisonError::into_inner);
            let drbg = state.as_mut()?;
            let mut bytes = vec![0; len];
            drbg.fill_bytes(&mut bytes);
            // discards the recorded sizes of the draws, which would otherwise fill the memory
            drop(drbg.take_read_sizes());
            output.write(&bytes).map(drop)
        });
    }

    /// Seeds the generator of known answers. The library draws from this generator after
    /// `OQS_randombytes_switch_algorithm("NIST-KAT")`.
    ///
    /// # Safety
    /// `entropy` is null or points to 48 bytes; `personalization` is null or points to 48 bytes.
    #[unsafe(no_mangle)]
    pub unsafe extern "C" fn OQS_randombytes_nist_kat_init_256bit(
        entropy: *const u8,
        personalization: *const u8,
    ) {
        status(|| {
            // SAFETY: the caller promises null or 48 bytes
            let mut seed: [u8; 48] = unsafe { input(entropy, 48) }?.try_into().ok()?;
            // SAFETY: the caller promises null or 48 bytes
            if let Some(personalization) = unsafe { input(personalization, 48) } {
                seed.iter_mut().zip(personalization).for_each(|(seed, byte)| *seed ^= byte);
            }
            *STATE.lock().unwrap_or_else(PoisonError::into_inner) = Some(CtrDrbg::new(&seed));
            Some(())
        });
    }
}
