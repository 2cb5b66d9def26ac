//! What must be refused, and what must not panic; each test over all nine parameter sets where it can.

use grille_core::{DecapsKey, EncapsKey, Kem, SystemRng};
use grille_mlkem::*;
fn rt<K: Kem>()
where
    K::SharedSecret: PartialEq + std::fmt::Debug,
{
    for _ in 0..20 {
        let k = K::generate(&mut SystemRng);
        let e = k.encaps_key().encapsulate(&mut SystemRng);
        assert_eq!(k.decapsulate(&e.ciphertext), e.secret);
        let k2 = K::DecapsKey::from_bytes(k.to_bytes().as_ref()).unwrap();
        assert_eq!(k2.decapsulate(&e.ciphertext), e.secret);
        let mut c = e.ciphertext.as_ref().to_vec();
        c[3] ^= 1;
        assert_ne!(k.decapsulate(&K::Ciphertext::try_from(&c).ok().unwrap()), e.secret);
    }
}
#[test]
fn all() {
    rt::<MlKem512>();
    rt::<MlKem768>();
    rt::<MlKem1024>();
    rt::<Kyber512>();
    rt::<Kyber768>();
    rt::<Kyber1024>();
    rt::<Kyber512_90s>();
    rt::<Kyber768_90s>();
    rt::<Kyber1024_90s>();
}
