//! The traits of typed keys, for one `use` together with a family's types.
//!
//! The traits have no names here, because families name their key types like the traits. The traits of
//! [`dynamic`](crate::dynamic) are missing, because their methods have the same names.
//!
//! ```
//! use grille_core::prelude::*;
//!
//! fn new_secret<K: grille_core::Kem>(key: &K::EncapsKey, rng: &mut dyn CryptoRng) -> K::SharedSecret {
//!     key.encapsulate(rng).secret
//! }
//! ```

pub use crate::kem::{DecapsKey as _, EncapsKey as _, Kem as _};
#[cfg(feature = "system-rng")]
pub use crate::rng::SystemRng;
pub use crate::signature::{Signature as _, SigningKey as _, VerifyingKey as _};
pub use crate::{Error, Secret, SecretBytes};
pub use rand_core::CryptoRng;
