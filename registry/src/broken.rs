//! The items for the table's rows of SIKE, SIDH and their hybrids, which need the feature `broken`.

pub(crate) use crate::row::Status::Broken;
pub(crate) use grille_sike::erased::{
    SidhP434, SidhP434Compressed, SidhP503, SidhP503Compressed, SidhP610, SidhP610Compressed, SidhP751,
    SidhP751Compressed, SikeP434, SikeP434Compressed, SikeP503, SikeP503Compressed, SikeP610,
    SikeP610Compressed, SikeP751, SikeP751Compressed,
};

#[cfg(feature = "all")]
pub(crate) use hybrids::*;

#[cfg(feature = "all")]
mod hybrids {
    use super::*;
    use grille_classical::{SECP256R1, SECP384R1, SECP521R1, X25519};
    use grille_hybrid::{Hybrid, Order::ClassicalFirst};

    macro_rules! hybrids {
        ($($static:ident = $name:literal $classical:ident $post_quantum:ident;)*) => {$(
            pub(crate) static $static: Hybrid = Hybrid::new($name, &$classical, &$post_quantum, ClassicalFirst);
        )*};
    }

    hybrids! {
        P256_SIKEP434 = "p256_sikep434" SECP256R1 SikeP434;
        X25519_SIKEP434 = "x25519_sikep434" X25519 SikeP434;
        P256_SIKEP503 = "p256_sikep503" SECP256R1 SikeP503;
        P384_SIKEP610 = "p384_sikep610" SECP384R1 SikeP610;
        P521_SIKEP751 = "p521_sikep751" SECP521R1 SikeP751;
        P256_SIDHP434 = "p256_sidhp434" SECP256R1 SidhP434;
        P256_SIDHP503 = "p256_sidhp503" SECP256R1 SidhP503;
        P384_SIDHP610 = "p384_sidhp610" SECP384R1 SidhP610;
        P521_SIDHP751 = "p521_sidhp751" SECP521R1 SidhP751;
    }
}
