//! Large public keys in pieces: reading them, and encapsulation with a public key that is not in memory as a whole.

use crate::boundary::{
    Outcome, Output, borrowed, borrowed_mut, bytes, free, guard, guard_value, move_to_heap,
};
use crate::kem::{grille_decaps_key, grille_encaps_key, grille_kem};
use crate::status::grille_status::{GRILLE_INVALID_ARGUMENT, GRILLE_UNSUPPORTED};
use crate::status::{Failure, grille_status};
use grille_core::{Error, StreamedEncapsulation, SystemRng};

/// Encapsulation with an encapsulation key that arrives in pieces: secret. Freed by `grille_encapsulation_free`, which erases it. It
/// changes with every call, so threads must not share it.
pub struct grille_encapsulation {
    kem: &'static grille_kem,
    /// The operation; `None` after its end.
    running: Option<Box<dyn StreamedEncapsulation>>,
}

/// Writes bytes of an encapsulation key, starting with the byte at `offset`: as many as there are and as fit. So a short buffer is
/// not an error. At the end of the key, the function writes 0 bytes. With a null buffer, it stores the number of bytes from `offset` to
/// the end.
///
/// # Safety
/// `key` is null or a key of this library; `out` and `out_len` are a buffer and its length, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encaps_key_piece(
    key: *const grille_encaps_key,
    offset: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the piece", out, out_len)?) };
        write_piece(key.kem, offset, &out, |piece| key.key.copy_piece(offset, piece))
    })
}

/// Writes bytes of the encapsulation key that belongs to a decapsulation key, as `grille_encaps_key_piece` does. Unlike
/// `grille_decaps_key_public`, it makes no copy of a large key.
///
/// # Safety
/// The requirements of `grille_encaps_key_piece` apply.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decaps_key_public_piece(
    key: *const grille_decaps_key,
    offset: usize,
    out: *mut u8,
    out_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed` and `Output::new` need
        let (key, out) = unsafe { (borrowed("the key", key)?, Output::new("the piece", out, out_len)?) };
        write_piece(key.kem, offset, &out, |piece| key.key.copy_encaps_key_piece(offset, piece))
    })
}

/// Writes the piece that `copy` copies to a slice of at most the length of the buffer.
fn write_piece(
    kem: &grille_kem,
    offset: usize,
    out: &Output,
    copy: impl FnOnce(&mut [u8]) -> usize,
) -> Outcome {
    let key_len = kem.row.kem.info().encaps_key_len;
    let rest = key_len.checked_sub(offset).ok_or_else(|| {
        Failure::new(
            GRILLE_INVALID_ARGUMENT,
            format_args!("offset {offset} is after the {key_len} bytes of the key"),
        )
    })?;
    if out.is_query() {
        return out.fits(rest).map(|_| ());
    }
    let mut piece = vec![0; rest.min(out.capacity())];
    let len = copy(&mut piece);
    out.write(&piece[..len])
}

/// Starts to encapsulate with an encoded encapsulation key that `grille_encapsulation_update` reads in pieces, so that the key need not be
/// in memory as a whole. Returns `GRILLE_UNSUPPORTED` unless the algorithm has large public keys, such as those of Classic McEliece.
///
/// # Safety
/// `kem` is null or an algorithm of this library; `encapsulation` is null or points to a writable pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encapsulation_begin(
    kem: *const grille_kem,
    encapsulation: *mut *mut grille_encapsulation,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises null or a valid, static algorithm
        let kem: &'static grille_kem = unsafe { borrowed("the algorithm", kem) }?;
        let running = kem.row.kem.begin_encapsulation(&mut SystemRng).ok_or_else(|| {
            let name = kem.row.kem.info().name;
            Failure::new(GRILLE_UNSUPPORTED, format_args!("{name} needs its whole public key at once"))
        })?;
        // SAFETY: the caller promises null or a writable pointer
        unsafe { move_to_heap(encapsulation, grille_encapsulation { kem, running: Some(running) }) }
    })
}

/// Reads the next piece of the encapsulation key. A piece beyond the end of the key is ignored: `GRILLE_WRONG_LENGTH`. After
/// `GRILLE_INVALID_KEY`, all later calls except `grille_encapsulation_free` return the same.
///
/// # Safety
/// `encapsulation` is null or came from this library; `piece` is null or points to `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encapsulation_update(
    encapsulation: *mut grille_encapsulation,
    piece: *const u8,
    len: usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed_mut` and `bytes` need
        let (encapsulation, piece) =
            unsafe { (borrowed_mut("the encapsulation", encapsulation)?, bytes("the piece", piece, len)?) };
        // after a panic there is no operation that could continue with lost bytes
        let mut running = encapsulation.running.take().ok_or_else(ended_failure)?;
        let result = running.update(piece);
        encapsulation.running = Some(running);
        Ok(result?)
    })
}

/// Writes the shared secret and the ciphertext that carries it, after the last piece of the encapsulation key. Neither buffer is written
/// unless both are long enough. If a buffer is null, the function only stores the lengths. If a part of the key is missing, returns
/// `GRILLE_WRONG_LENGTH`; the missing part may still be passed. After success, only `grille_encapsulation_free` is allowed.
///
/// # Safety
/// `encapsulation` is null or came from this library; `ciphertext` and `ciphertext_len`, `secret` and `secret_len` are buffers and
/// their lengths, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encapsulation_finish(
    encapsulation: *mut grille_encapsulation,
    ciphertext: *mut u8,
    ciphertext_len: *mut usize,
    secret: *mut u8,
    secret_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed_mut` and `Output::new` need
        let (encapsulation, ciphertext, secret) = unsafe {
            (
                borrowed_mut("the encapsulation", encapsulation)?,
                Output::new("the ciphertext", ciphertext, ciphertext_len)?,
                Output::new("the shared secret", secret, secret_len)?,
            )
        };
        let info = encapsulation.kem.row.kem.info();
        let fit = (ciphertext.fits(info.ciphertext_len), secret.fits(info.shared_secret_len));
        if !(fit.0? && fit.1?) {
            return Ok(());
        }
        let running = encapsulation.running.as_mut().ok_or_else(ended_failure)?;
        // reports a refused key before missing bytes
        running.update(&[])?;
        let (input, expected) = ("encapsulation key", info.encaps_key_len);
        Error::check_len(input, expected, expected - running.missing())?;
        let sent = encapsulation.running.take().ok_or_else(ended_failure)?.finish()?;
        ciphertext.write(&sent.ciphertext)?;
        secret.write(sent.secret.as_ref())
    })
}

fn ended_failure() -> Failure {
    Failure::new(GRILLE_INVALID_ARGUMENT, "the encapsulation has ended; begin another one")
}

/// Erases and frees an encapsulation.
///
/// # Safety
/// `encapsulation` is null or came from this library and was not freed; nothing uses it during or after the call.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encapsulation_free(encapsulation: *mut grille_encapsulation) {
    // SAFETY: the caller promises what `free` needs
    guard_value((), || unsafe { free(encapsulation) });
}
