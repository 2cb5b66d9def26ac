//! Operations that only the typed interfaces have: prepared and trusted keys, many operations at once, and K-PKE.

use crate::valgrind::mark_public;
use crate::{ATTEMPTS, MarkingRng, Run, publish};
use grille_core::{Bytes, Ciphertext, DecapsKey as _, EncapsKey as _, Kem, Signature, SigningKey as _};
use grille_falcon::Falcon;
use grille_falcon::params::{self as falcon_params, Falcon512P, Falcon1024P};
use grille_mldsa::params::{self as mldsa_params, D2, D2Aes, D3, D3Aes, D5, D5Aes, P44, P65, P87};
use grille_mldsa::{MlDsa, SigningKey, TrustedSigningKey};
use grille_mlkem::MlKem;
use grille_mlkem::params::{
    self as mlkem_params, K512, K512N, K768, K768N, K1024, K1024N, P512, P768, P1024,
};
use grille_mlkem::pke::{DecryptionKey, KeyPair};
use grille_ntru::Ntru;
use grille_ntru::params::{
    self as ntru_params, Hps2048509, Hps2048677, Hps4096821, Hps40961229, Hrss701, Hrss1373,
};
use grille_saber::SaberKem;
use grille_saber::params::{self as saber_params, Fire, Light, Plain};
use rand_core::Rng as _;

/// Runs the operations of the selected algorithms.
pub fn run(run: &mut Run) {
    #[rustfmt::skip]
    let all: Vec<Typed> = vec![
        mlkem::<P512>(), mlkem::<P768>(), mlkem::<P1024>(),
        mlkem::<K512>(), mlkem::<K768>(), mlkem::<K1024>(),
        mlkem::<K512N>(), mlkem::<K768N>(), mlkem::<K1024N>(),
        saber::<Light>(), saber::<Plain>(), saber::<Fire>(),
        ntru::<Hps2048509>(), ntru::<Hps2048677>(), ntru::<Hps4096821>(),
        ntru::<Hps40961229>(), ntru::<Hrss701>(), ntru::<Hrss1373>(),
        mldsa::<P44>(), mldsa::<P65>(), mldsa::<P87>(),
        mldsa::<D2>(), mldsa::<D3>(), mldsa::<D5>(),
        mldsa::<D2Aes>(), mldsa::<D3Aes>(), mldsa::<D5Aes>(),
        falcon::<Falcon512P>(), falcon::<Falcon1024P>(),
    ];
    for (name, operations) in all {
        if run.is_selected(name) {
            operations(run, name);
        }
    }
}

/// An algorithm's name and the function that runs its operations.
type Typed = (&'static str, fn(&mut Run, &str));

/// Number of inputs that an operation processes at once: more than one batch of eight.
const BATCH_LEN: usize = 9;

fn mlkem<P: mlkem_params::Params>() -> Typed {
    (MlKem::<P>::INFO.name, |run, name| {
        let public = run_batches::<MlKem<P>>(run, name);
        let prepared = public[0].prepare();
        run.operation(name, "encaps, prepared", || prepared.encapsulate(&mut MarkingRng(1)));
        pke::<P>(run, name);
    })
}

/// Runs the operations that process many inputs at once. Returns the public keys.
fn run_batches<K: Kem>(run: &mut Run, name: &str) -> Vec<K::EncapsKey> {
    let mut rng = MarkingRng(1);
    let keys = run.operation(name, "keygen, many", || K::generate_many(BATCH_LEN, &mut rng));
    // the public keys are published
    let read = |bytes: &[u8]| K::EncapsKey::from_bytes(bytes).expect("a fresh key is valid");
    let public: Vec<_> = keys.iter().map(|key| read(&publish(key.encaps_key().to_bytes()))).collect();
    let refs: Vec<_> = public.iter().collect();
    let many = run.operation(name, "encaps, many", || K::encapsulate_many(&refs, &mut rng));
    let mut ciphertexts: Vec<_> =
        many.into_iter().map(|one| publish(one.ciphertext.as_ref().to_vec())).collect();
    ciphertexts[0][0] ^= 1;
    let parsed = |bytes: &Vec<u8>| K::Ciphertext::try_from(bytes).expect("the length is right");
    let ciphertexts: Vec<_> = ciphertexts.iter().map(parsed).collect();
    let received: Vec<_> = keys.iter().zip(&ciphertexts).collect();
    run.operation(name, "decaps, many, one tampered", || K::decapsulate_many(&received));
    public
}

fn pke<P: mlkem_params::Params>(run: &mut Run, name: &str) {
    let (mut rng, mut message, mut coins) = (MarkingRng(1), [0; 32], [0; 32]);
    rng.fill_bytes(&mut message);
    rng.fill_bytes(&mut coins);
    let KeyPair::<P> { encryption_key, decryption_key } =
        run.operation(name, "K-PKE keygen", || KeyPair::generate(&mut rng));
    let ciphertext = run.operation(name, "K-PKE encrypt", || encryption_key.encrypt(&message, &coins));
    let ciphertext = declassify(ciphertext);
    let decrypted = run.operation(name, "K-PKE decrypt", || decryption_key.decrypt(&ciphertext));
    assert_eq!(publish(decrypted.as_ref().to_vec()), publish(message.to_vec()));
    let private = run.operation(name, "K-PKE encode", || decryption_key.to_bytes());
    run.operation(name, "K-PKE decode", || {
        DecryptionKey::<P>::from_bytes(private.as_ref()).expect("a fresh key is valid")
    });
}

fn saber<P: saber_params::Params>() -> Typed {
    (SaberKem::<P>::INFO.name, |run, name| {
        let public = run_batches::<SaberKem<P>>(run, name);
        let prepared = public[0].prepare();
        run.operation(name, "encaps, prepared", || prepared.encapsulate(&mut MarkingRng(1)));
    })
}

fn ntru<P: ntru_params::Params>() -> Typed {
    (Ntru::<P>::INFO.name, |run, name| _ = run_batches::<Ntru<P>>(run, name))
}

fn mldsa<P: mldsa_params::Params>() -> Typed {
    (MlDsa::<P>::INFO.name, |run, name| {
        let mut rng = MarkingRng(1);
        let key = SigningKey::<P>::generate(&mut rng);
        let private = key.to_bytes();
        let trusted = run.operation(name, "decode, trusted", || {
            TrustedSigningKey::<P>::from_bytes(private.as_ref()).expect("a fresh key is valid")
        });
        run.operation(name, "sign, trusted key", || {
            (0..ATTEMPTS).for_each(|message| {
                _ = trusted.sign(&[message], b"", &mut rng).expect("an empty context is short enough")
            });
        });
        run.operation(name, "sign, trusted key, deterministic", || {
            (0..ATTEMPTS).for_each(|message| {
                _ = trusted.sign_deterministic(&[message], b"").expect("an empty context is short enough")
            });
        });
        let prepared = run.operation(name, "prepare", || key.prepare());
        run.operation(name, "sign, prepared key", || {
            (0..ATTEMPTS).for_each(|message| {
                _ = prepared.sign(&[message], b"", &mut rng).expect("an empty context is short enough")
            });
        });
    })
}

fn falcon<P: falcon_params::Params>() -> Typed {
    (Falcon::<P>::INFO.name, |run, name| {
        let (mut rng, mut seed) = (MarkingRng(1), [0; 48]);
        rng.fill_bytes(&mut seed);
        let key = run
            .operation(name, "keygen of a seed", || grille_falcon::SigningKey::<P>::keygen_internal(&seed));
        let prepared = run.operation(name, "prepare", || key.prepare());
        run.operation(name, "sign, prepared key, many", || {
            prepared
                .sign_many(&[b"message".as_slice(); BATCH_LEN], b"", &mut rng)
                .expect("an empty context is short enough")
        });
    })
}

/// Marks a ciphertext as public, because an eavesdropper has it.
fn declassify<B: Bytes>(mut ciphertext: Ciphertext<B>) -> Ciphertext<B> {
    mark_public(ciphertext.0.as_mut());
    ciphertext
}
