//! The parts of round-3 Kyber: public-key encryption, and encapsulation whose result is a stream of secret bytes (SHAKE256)
//! instead of 32 bytes. New programs should use `grille_kem_by_name` instead.
//!
//! `k` is the parameter of the specification: 2 is Kyber512, 3 is Kyber768, 4 is Kyber1024.

use crate::boundary::{Outcome, Output, borrowed_mut, bytes, free, guard, guard_value, move_to_heap};
use crate::status::grille_status::{GRILLE_INVALID_ARGUMENT, GRILLE_WRONG_LENGTH};
use crate::status::{Failure, grille_status};
use grille_core::{Bytes, Ciphertext, SystemRng};
use grille_mlkem::params::{K512, K768, K1024, Params};
use grille_mlkem::pke::{DecryptionKey, EncryptionKey, KeyPair};
use grille_mlkem::secret_stream::{self, Round3Params, SecretStream};
use zeroize::Zeroizing;

/// A stream of secret bytes: SHAKE256, the KDF of round 3. Freed by `grille_xof_free`, which erases it.
pub struct grille_xof {
    stream: SecretStream,
}

/// Calls a generic function with the parameter set that `k` selects.
macro_rules! with_parameters {
    ($k:expr, $function:ident($($argument:expr),*)) => {
        match $k {
            2 => $function::<K512>($($argument),*),
            3 => $function::<K768>($($argument),*),
            4 => $function::<K1024>($($argument),*),
            k => Err(Failure::new(GRILLE_INVALID_ARGUMENT, format_args!("k is {k}, and must be 2, 3 or 4"))),
        }
    };
}

/// Returns `data` as an array of 32 bytes. The error for any other length names the argument.
fn array_of_32<'a>(argument: &str, data: &'a [u8]) -> Outcome<&'a [u8; 32]> {
    let wrong = || {
        Failure::new(GRILLE_WRONG_LENGTH, format_args!("{argument} has {} bytes and needs 32", data.len()))
    };
    data.try_into().map_err(|_| wrong())
}

/// Generates a key pair for `grille_kyber_encrypt`.
///
/// # Safety
/// The buffers and their lengths are as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kyber_generate(
    k: u32,
    public_key: *mut u8,
    public_key_len: *mut usize,
    secret_key: *mut u8,
    secret_key_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `Output::new` needs
        let (public_key, secret_key) = unsafe {
            (
                Output::new("the public key", public_key, public_key_len)?,
                Output::new("the secret key", secret_key, secret_key_len)?,
            )
        };
        with_parameters!(k, generate(&public_key, &secret_key))
    })
}

fn generate<P: Params>(public_key: &Output, secret_key: &Output) -> Outcome {
    let has_both = public_key.fits(P::EncapsKeyBytes::LEN)? & secret_key.fits(P::DecryptionKeyBytes::LEN)?;
    if !has_both {
        return Ok(());
    }
    let pair = KeyPair::<P>::generate(&mut SystemRng);
    public_key.write(pair.encryption_key.as_bytes().as_ref())?;
    secret_key.write(pair.decryption_key.to_bytes().as_ref())
}

/// Encrypts a message of 32 bytes. `coins`: 32 random bytes, secret and used only once.
///
/// # Safety
/// The pointers are null or point to as many bytes as their lengths say; `ciphertext` and `ciphertext_len` are a buffer and its
/// length, as described at the top of `grille.h`.
#[allow(clippy::too_many_arguments, reason = "every buffer of C has a length")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kyber_encrypt(
    k: u32,
    public_key: *const u8,
    public_key_len: usize,
    message: *const u8,
    message_len: usize,
    coins: *const u8,
    coins_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` and `Output::new` need
        let (public_key, message, coins, ciphertext) = unsafe {
            (
                bytes("the public key", public_key, public_key_len)?,
                bytes("the message", message, message_len)?,
                bytes("the coins", coins, coins_len)?,
                Output::new("the ciphertext", ciphertext, ciphertext_len)?,
            )
        };
        let (message, coins) = (array_of_32("the message", message)?, array_of_32("the coins", coins)?);
        with_parameters!(k, encrypt(public_key, message, coins, &ciphertext))
    })
}

fn encrypt<P: Params>(
    public_key: &[u8],
    message: &[u8; 32],
    coins: &[u8; 32],
    ciphertext: &Output,
) -> Outcome {
    if ciphertext.fits(P::CiphertextBytes::LEN)? {
        let key = EncryptionKey::<P>::from_bytes(public_key)?;
        ciphertext.write(key.encrypt(message, coins).as_ref())?;
    }
    Ok(())
}

/// Decrypts a ciphertext to a message of 32 bytes. An altered ciphertext gives a different message.
///
/// # Safety
/// The pointers are null or point to as many bytes as their lengths say; `message` and `message_len` are a buffer and its length,
/// as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kyber_decrypt(
    k: u32,
    secret_key: *const u8,
    secret_key_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    message: *mut u8,
    message_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` and `Output::new` need
        let (secret_key, ciphertext, message) = unsafe {
            (
                bytes("the secret key", secret_key, secret_key_len)?,
                bytes("the ciphertext", ciphertext, ciphertext_len)?,
                Output::new("the message", message, message_len)?,
            )
        };
        with_parameters!(k, decrypt(secret_key, ciphertext, &message))
    })
}

fn decrypt<P: Params>(secret_key: &[u8], ciphertext: &[u8], message: &Output) -> Outcome {
    if message.fits(32)? {
        let ciphertext = Ciphertext::<P::CiphertextBytes>::try_from(ciphertext)?;
        let key = DecryptionKey::<P>::from_bytes(secret_key)?;
        message.write(key.decrypt(&ciphertext).as_ref())?;
    }
    Ok(())
}

/// Encapsulates to a public key of Kyber. The first 32 bytes of the stream are the shared secret of the KEM.
///
/// # Safety
/// `public_key` is null or points to `public_key_len` bytes; `ciphertext` and `ciphertext_len` are a buffer and its length, as described at the
/// top of `grille.h`; `stream` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kyber_encapsulate(
    k: u32,
    public_key: *const u8,
    public_key_len: usize,
    ciphertext: *mut u8,
    ciphertext_len: *mut usize,
    stream: *mut *mut grille_xof,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` and `Output::new` need
        let (public_key, ciphertext) = unsafe {
            (
                bytes("the public key", public_key, public_key_len)?,
                Output::new("the ciphertext", ciphertext, ciphertext_len)?,
            )
        };
        match with_parameters!(k, encapsulate(public_key, &ciphertext))? {
            Some((made, secret)) => {
                // SAFETY: the caller promises null or a writable pointer
                unsafe { move_to_heap(stream, secret) }?;
                ciphertext.write(&made)
            }
            None => Ok(()),
        }
    })
}

/// Encapsulates with an encoded key. Returns `None` if the caller only asks for the length.
fn encapsulate<P: Round3Params>(
    public_key: &[u8],
    ciphertext: &Output,
) -> Outcome<Option<(Vec<u8>, grille_xof)>> {
    if !ciphertext.fits(P::CiphertextBytes::LEN)? {
        return EncryptionKey::<P>::from_bytes(public_key).map(|_| None).map_err(Failure::from);
    }
    let (made, stream) = secret_stream::encapsulate::<P>(public_key, &mut SystemRng)?;
    Ok(Some((made.as_ref().to_vec(), grille_xof { stream })))
}

/// Decapsulates with a secret key of Kyber. An altered ciphertext gives an unrelated stream.
///
/// # Safety
/// The pointers are null or point to as many bytes as their lengths say; `stream` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_kyber_decapsulate(
    k: u32,
    secret_key: *const u8,
    secret_key_len: usize,
    ciphertext: *const u8,
    ciphertext_len: usize,
    stream: *mut *mut grille_xof,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `bytes` needs
        let (secret_key, ciphertext) = unsafe {
            (
                bytes("the secret key", secret_key, secret_key_len)?,
                bytes("the ciphertext", ciphertext, ciphertext_len)?,
            )
        };
        let made = with_parameters!(k, decapsulate(secret_key, ciphertext))?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(stream, made) }
    })
}

fn decapsulate<P: Round3Params>(secret_key: &[u8], ciphertext: &[u8]) -> Outcome<grille_xof> {
    let ciphertext = Ciphertext::<P::CiphertextBytes>::try_from(ciphertext)?;
    Ok(grille_xof { stream: secret_stream::decapsulate::<P>(secret_key, &ciphertext)? })
}

/// Reads the next `len` bytes of a stream. One thread at a time may read.
///
/// # Safety
/// `stream` is null or a stream of this library that no other thread uses; `out` is null or points to `len` writable bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_xof_read(stream: *mut grille_xof, out: *mut u8, len: usize) -> grille_status {
    guard(|| {
        let mut len = len;
        // SAFETY: the caller promises a valid stream, and `len` writable bytes
        let (stream, output) =
            unsafe { (borrowed_mut("the stream", stream)?, Output::new("the bytes", out, &raw mut len)?) };
        if !output.fits(len)? {
            return Ok(());
        }
        let mut read = Zeroizing::new(vec![0; len]);
        stream.stream.read(&mut read);
        output.write(&read)
    })
}

/// Erases and frees a stream.
///
/// # Safety
/// `stream` is null or a stream of this library that was not freed; nothing uses it during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_xof_free(stream: *mut grille_xof) {
    // SAFETY: the caller promises what `free` needs
    guard_value((), || unsafe { free(stream) });
}
