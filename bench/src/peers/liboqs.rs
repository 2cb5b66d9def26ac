//! Operations of liboqs, called through its C interface. Here liboqs uses the same fast generator as grille.

use grille_bench_harness::cases::Operations;
use grille_bench_harness::rng::{self, array};
use oqs_sys::kem::{OQS_KEM, OQS_KEM_decaps, OQS_KEM_encaps, OQS_KEM_keypair, OQS_KEM_new};
use oqs_sys::rand::OQS_randombytes_custom_algorithm;
use oqs_sys::sig::{OQS_SIG, OQS_SIG_keypair, OQS_SIG_new, OQS_SIG_sign, OQS_SIG_verify};
use std::ffi::CString;

/// Describes how both versions of liboqs were built: for this machine's processor, unless `cargo xtask bench` names
/// another one.
pub fn build() -> String {
    let target = option_env!("GRILLE_BENCH_OQS_TARGET").unwrap_or("auto");
    format!("cmake release build with OQS_OPT_TARGET={target}, without OpenSSL")
}

/// Returns the operations of this algorithm; empty if liboqs lacks it.
pub fn operations(name: &str) -> Operations {
    let name = CString::new(own_name(name)).expect("names have no zero bytes");
    // SAFETY: the callback fills exactly the bytes it is given; the names are zero-terminated; the objects that
    // `new` returns live until the process ends.
    unsafe {
        oqs_sys::common::OQS_init();
        OQS_randombytes_custom_algorithm(Some(randombytes));
        match (OQS_KEM_new(name.as_ptr()).as_ref(), OQS_SIG_new(name.as_ptr()).as_ref()) {
            (Some(kem), _) => kem_operations(kem),
            (_, Some(sig)) => sig_operations(sig),
            _ => Vec::new(),
        }
    }
}

/// Returns liboqs' name of the algorithm. Instead of SLH-DSA, liboqs has the submission SPHINCS+ 3.1, which computes
/// the same number of hashes.
fn own_name(name: &str) -> String {
    match name.strip_prefix("SLH-DSA-") {
        Some(set) => format!("SPHINCS+-{set}-simple"),
        None => name.to_owned(),
    }
}

unsafe extern "C" fn randombytes(out: *mut u8, len: usize) {
    // SAFETY: liboqs passes a buffer of `len` bytes.
    rng::fill(unsafe { std::slice::from_raw_parts_mut(out, len) });
}

fn kem_operations(kem: &'static OQS_KEM) -> Operations {
    let mut public = vec![0; kem.length_public_key];
    let mut private = vec![0; kem.length_secret_key];
    let mut ciphertext = vec![0; kem.length_ciphertext];
    let mut secret = vec![0; kem.length_shared_secret];
    // SAFETY, here and below: every buffer has the length that liboqs states for it.
    unsafe {
        OQS_KEM_keypair(kem, public.as_mut_ptr(), private.as_mut_ptr());
        OQS_KEM_encaps(kem, ciphertext.as_mut_ptr(), secret.as_mut_ptr(), public.as_ptr());
    }
    let decaps = {
        let (ciphertext, private, mut secret) = (ciphertext.clone(), private.clone(), secret.clone());
        // SAFETY: as above.
        move || unsafe {
            OQS_KEM_decaps(kem, secret.as_mut_ptr(), ciphertext.as_ptr(), private.as_ptr());
        }
    };
    let keygen = {
        let (mut public, mut private) = (public.clone(), private);
        // SAFETY: as above.
        move || unsafe {
            OQS_KEM_keypair(kem, public.as_mut_ptr(), private.as_mut_ptr());
        }
    };
    // SAFETY: as above.
    let encaps = move || unsafe {
        OQS_KEM_encaps(kem, ciphertext.as_mut_ptr(), secret.as_mut_ptr(), public.as_ptr());
    };
    vec![
        ("keygen", Box::new(keygen)),
        ("encaps", Box::new(encaps)),
        ("decaps", Box::new(decaps.clone())),
        ("decaps (encoded)", Box::new(decaps)),
    ]
}

fn sig_operations(sig: &'static OQS_SIG) -> Operations {
    let mut public = vec![0; sig.length_public_key];
    let mut private = vec![0; sig.length_secret_key];
    let mut signed = vec![0; sig.length_signature];
    let mut len = 0;
    let message = array::<64>();
    // SAFETY, here and below: every buffer has the length that liboqs states for it.
    unsafe {
        OQS_SIG_keypair(sig, public.as_mut_ptr(), private.as_mut_ptr());
        OQS_SIG_sign(
            sig,
            signed.as_mut_ptr(),
            &raw mut len,
            message.as_ptr(),
            message.len(),
            private.as_ptr(),
        );
    }
    let sign = {
        let (mut signed, private) = (signed.clone(), private.clone());
        move || {
            let (message, mut len) = (array::<64>(), 0);
            // SAFETY: as above.
            unsafe {
                OQS_SIG_sign(sig, signed.as_mut_ptr(), &raw mut len, message.as_ptr(), 64, private.as_ptr());
            }
        }
    };
    let keygen = {
        let (mut public, mut private) = (public.clone(), private);
        // SAFETY: as above.
        move || unsafe {
            OQS_SIG_keypair(sig, public.as_mut_ptr(), private.as_mut_ptr());
        }
    };
    // SAFETY: as above.
    let verify = move || unsafe {
        OQS_SIG_verify(sig, message.as_ptr(), message.len(), signed.as_ptr(), len, public.as_ptr());
    };
    vec![
        ("keygen", Box::new(keygen)),
        ("sign", Box::new(sign.clone())),
        ("sign (encoded)", Box::new(sign)),
        ("verify", Box::new(verify)),
    ]
}
