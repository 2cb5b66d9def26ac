//! Batches: many operations in one call. Families with batched implementations are faster than in single calls.

use crate::boundary::{Outcome, Output, OutputArray, array, borrowed, borrowed_keys, bytes, guard};
use crate::kem::{grille_decaps_key, grille_encaps_key, grille_kem};
use crate::signature::{grille_signing_key, grille_verifying_key};
use crate::status::grille_status::{GRILLE_INVALID_ARGUMENT, GRILLE_OK, GRILLE_WRONG_LENGTH};
use crate::status::{Failure, grille_status};
use core::ptr;
use grille_core::{DynEncapsKey, DynReceived, DynSigned, SystemRng};
use zeroize::Zeroizing;

/// Bytes of the caller, as an item of an array. `data` may be null if `len` is 0.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct grille_bytes {
    /// The first byte.
    pub data: *const u8,
    /// The number of bytes.
    pub len: usize,
}

/// Creates a fresh shared secret for each of `count` keys, which belong to one algorithm; a key may occur more than once.
///
/// The ciphertext for key n begins at `n * ciphertext_len` of the algorithm, and the shared secret at
/// `n * shared_secret_len`. `ciphertexts_len` and `secrets_len` are the lengths of all together. Neither buffer is written
/// unless both are long enough. If a buffer is null, the function only stores the lengths.
///
/// # Safety
/// `keys` is null or points to `count` pointers, each of which is null or a key of this library; the other arguments are buffers
/// and their lengths, as described at the top of `grille.h`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_encapsulate_many(
    keys: *const *const grille_encaps_key,
    count: usize,
    ciphertexts: *mut u8,
    ciphertexts_len: *mut usize,
    secrets: *mut u8,
    secrets_len: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `array`, `borrowed_keys` and `Output::new` need
        let (keys, ciphertexts, secrets) = unsafe {
            (
                borrowed_keys(array("the array of keys", keys, count)?)?,
                Output::new("the ciphertexts", ciphertexts, ciphertexts_len)?,
                Output::new("the shared secrets", secrets, secrets_len)?,
            )
        };
        let Some(kem) = common_kem(keys.iter().map(|key| key.kem))? else {
            ciphertexts.write(&[])?;
            return secrets.write(&[]);
        };
        let info = kem.row.kem.info();
        let ciphertexts_len = total_len(count, info.ciphertext_len)?;
        let secrets_len = total_len(count, info.shared_secret_len)?;
        let fit = (ciphertexts.fits(ciphertexts_len), secrets.fits(secrets_len));
        if !(fit.0? && fit.1?) {
            return Ok(());
        }
        let keys: Vec<&dyn DynEncapsKey> = keys.iter().map(|key| &*key.key).collect();
        let sent = kem.row.kem.encapsulate_many(&keys, &mut SystemRng);
        let mut joined = Vec::with_capacity(ciphertexts_len);
        let mut joined_secrets = Zeroizing::new(Vec::with_capacity(secrets_len));
        for sent in &sent {
            joined.extend_from_slice(&sent.ciphertext);
            joined_secrets.extend_from_slice(sent.secret.as_ref());
        }
        ciphertexts.write(&joined)?;
        secrets.write(&joined_secrets)
    })
}

/// Decapsulates `count` ciphertexts, each with its key. The keys belong to one algorithm; a key may occur more than once.
///
/// The ciphertext for key n begins at `n * ciphertext_len` of the algorithm, and the shared secret at
/// `n * shared_secret_len`. `ciphertexts_len` must be `count * ciphertext_len`.
///
/// A hybrid or classical KEM can refuse a ciphertext. It does not affect the others: the function still writes all shared secrets,
/// with zeros for refused ciphertexts, and returns the status of the first one. If `statuses` is not null, the function
/// stores the status of each ciphertext there. All other failures leave the buffers unchanged.
///
/// # Safety
/// `keys` is null or points to `count` pointers, each of which is null or a key of this library; `ciphertexts` is null or points to
/// `ciphertexts_len` bytes; `secrets` and `secrets_len` are a buffer and its length, as described at the top of `grille.h`; `statuses`
/// is null or points to `count` writable statuses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_decapsulate_many(
    keys: *const *const grille_decaps_key,
    count: usize,
    ciphertexts: *const u8,
    ciphertexts_len: usize,
    secrets: *mut u8,
    secrets_len: *mut usize,
    statuses: *mut grille_status,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `array`, `borrowed_keys`, `bytes` and `Output::new` need
        let (keys, ciphertexts, secrets) = unsafe {
            (
                borrowed_keys(array("the array of keys", keys, count)?)?,
                bytes("the ciphertexts", ciphertexts, ciphertexts_len)?,
                Output::new("the shared secrets", secrets, secrets_len)?,
            )
        };
        let Some(kem) = common_kem(keys.iter().map(|key| key.kem))? else {
            require_len("ciphertexts", 0, ciphertexts_len)?;
            return secrets.write(&[]);
        };
        let info = kem.row.kem.info();
        require_len("ciphertexts", total_len(count, info.ciphertext_len)?, ciphertexts_len)?;
        let secrets_len = total_len(count, info.shared_secret_len)?;
        if !secrets.fits(secrets_len)? {
            return Ok(());
        }
        let ciphertexts = ciphertexts.chunks_exact(info.ciphertext_len);
        // SAFETY: the caller promises null or `count` statuses
        let statuses = unsafe { status_array(statuses, count) }?;
        let received: Vec<DynReceived<'_>> = keys.iter().map(|key| &*key.key).zip(ciphertexts).collect();
        let mut joined = Zeroizing::new(Vec::with_capacity(secrets_len));
        let mut results = Vec::with_capacity(count);
        for result in kem.row.kem.decapsulate_many(&received) {
            match &result {
                Ok(secret) => joined.extend_from_slice(secret.as_ref()),
                Err(_) => joined.extend(core::iter::repeat_n(0, info.shared_secret_len)),
            }
            results.push(result.map(|_| ()).map_err(Failure::from));
        }
        secrets.write(&joined)?;
        // SAFETY: there are `count` results
        unsafe { report_each("ciphertext", results, statuses) }
    })
}

/// Signs `count` messages with one key and one context, with fresh randomness if the algorithm uses any.
///
/// Signature n begins at `n * signature_len` of the algorithm, and `lens[n]` is its length; zeros follow a shorter signature.
/// `out_len` is the length of all together. `lens` may be null only if `out` is null or `count` is 0.
///
/// # Safety
/// `key` is null or a key of this library; `messages` is null or points to `count` items, each of which is null or points to as many
/// bytes as its length says; `context` is null or points to `context_len` bytes; `out` and `out_len` are a buffer and its length, as
/// described at the top of `grille.h`; `lens` is null or points to `count` writable numbers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_sign_many(
    key: *const grille_signing_key,
    messages: *const grille_bytes,
    count: usize,
    context: *const u8,
    context_len: usize,
    out: *mut u8,
    out_len: *mut usize,
    lens: *mut usize,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed`, `items`, `bytes` and `Output::new` need
        let (key, messages, context, out) = unsafe {
            (
                borrowed("the key", key)?,
                items("message", messages, count)?,
                bytes("the context", context, context_len)?,
                Output::new("the signatures", out, out_len)?,
            )
        };
        let signature_len = key.signature.row.signature.info().signature_len;
        let all_len = total_len(count, signature_len)?;
        if !out.fits(all_len)? {
            return Ok(());
        }
        // SAFETY: the caller promises null or `count` writable numbers
        let lens = unsafe { OutputArray::new("the array of lengths", lens, count) }?;
        let signatures = key.key.sign_many(&messages, context, &mut SystemRng)?;
        let mut joined = Vec::with_capacity(all_len);
        for (n, signature) in signatures.iter().enumerate() {
            joined.extend_from_slice(signature);
            joined.resize((n + 1) * signature_len, 0);
        }
        out.write(&joined)?;
        // SAFETY: there is one signature for each of the `count` messages
        unsafe { lens.write(signatures.iter().map(Vec::len)) };
        Ok(())
    })
}

/// Verifies `count` signatures of one key with one context: `signatures[n]` for `messages[n]`.
///
/// Returns `GRILLE_OK` if all signatures match, or the status of the first one that does not. If `statuses` is not null, the function
/// stores the status of each signature there. All other failures leave `statuses` unchanged.
///
/// # Safety
/// `key` is null or a key of this library; `messages` and `signatures` are null or point to `count` items, each of which is null or
/// points to as many bytes as its length says; `context` is null or points to `context_len` bytes; `statuses` is null or points to
/// `count` writable statuses.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn grille_verify_many(
    key: *const grille_verifying_key,
    messages: *const grille_bytes,
    signatures: *const grille_bytes,
    count: usize,
    context: *const u8,
    context_len: usize,
    statuses: *mut grille_status,
) -> grille_status {
    guard(|| {
        // SAFETY: the caller promises what `borrowed`, `items` and `bytes` need
        let (key, messages, signatures, context) = unsafe {
            (
                borrowed("the key", key)?,
                items("message", messages, count)?,
                items("signature", signatures, count)?,
                bytes("the context", context, context_len)?,
            )
        };
        // SAFETY: the caller promises null or `count` statuses
        let statuses = unsafe { status_array(statuses, count) }?;
        let signed: Vec<DynSigned<'_>> = messages.into_iter().zip(signatures).collect();
        let results = key.key.verify_many(&signed, context).into_iter();
        let results = results.map(|result| result.map_err(Failure::from)).collect();
        // SAFETY: there are `count` results
        unsafe { report_each("signature", results, statuses) }
    })
}

/// Returns the algorithm of all keys, or `None` if there are no keys.
fn common_kem(kems: impl Iterator<Item = &'static grille_kem>) -> Outcome<Option<&'static grille_kem>> {
    let mut common: Option<&'static grille_kem> = None;
    for (n, kem) in kems.enumerate() {
        let first = *common.get_or_insert(kem);
        if !ptr::eq(first, kem) {
            let (name, first) = (kem.row.kem.info().name, first.row.kem.info().name);
            let text = format!("key {n} is for {name}, but key 0 is for {first}");
            return Err(Failure::new(GRILLE_INVALID_ARGUMENT, text));
        }
    }
    Ok(common)
}

/// Returns the bytes of each item.
///
/// # Safety
/// `items` is null, or points to `count` items, each of which is null or points to as many bytes as its length says; nothing changes
/// during `'a`.
unsafe fn items<'a>(name: &str, items: *const grille_bytes, count: usize) -> Outcome<Vec<&'a [u8]>> {
    // SAFETY: the caller promises null or `count` items
    let items = unsafe { array(&format!("the array of {name}s"), items, count) }?;
    // SAFETY: the caller promises what `bytes` needs for each item
    let item =
        |(n, item): (usize, &grille_bytes)| unsafe { bytes(&format!("{name} {n}"), item.data, item.len) };
    items.iter().enumerate().map(item).collect()
}

fn total_len(count: usize, len: usize) -> Outcome<usize> {
    let too_long =
        || Failure::new(GRILLE_INVALID_ARGUMENT, format!("{count} items of {len} bytes do not fit memory"));
    count.checked_mul(len).ok_or_else(too_long)
}

fn require_len(argument: &str, expected: usize, got: usize) -> Outcome {
    if got == expected {
        return Ok(());
    }
    let text = format!("the {argument} must be {expected} bytes long together, got {got}");
    Err(Failure::new(GRILLE_WRONG_LENGTH, text))
}

/// Returns the array for the status of each item; `None` for a null pointer.
///
/// # Safety
/// `statuses` is null, or points to `count` writable statuses; nothing else uses them while the array is in use.
unsafe fn status_array(
    statuses: *mut grille_status,
    count: usize,
) -> Outcome<Option<OutputArray<grille_status>>> {
    if statuses.is_null() {
        return Ok(None);
    }
    // SAFETY: the caller promises `count` writable statuses
    unsafe { OutputArray::new("the array of statuses", statuses, count) }.map(Some)
}

/// Stores the status of each item in the array, if there is one. Returns the first failure, with the number of its item.
///
/// # Safety
/// The array is at least as long as `results`.
unsafe fn report_each(
    name: &str,
    results: Vec<Outcome>,
    statuses: Option<OutputArray<grille_status>>,
) -> Outcome {
    if let Some(statuses) = statuses {
        let status = |result: &Outcome| match result {
            Ok(()) => GRILLE_OK,
            Err(failure) => failure.status,
        };
        // SAFETY: the caller promises an array of at least this length
        unsafe { statuses.write(results.iter().map(status)) };
    }
    let failed = results.into_iter().enumerate().find_map(|(n, result)| Some((n, result.err()?)));
    failed.map_or(Ok(()), |(n, failure)| Err(failure.of_item(name, n)))
}
