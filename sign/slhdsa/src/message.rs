//! The formatted message M′, FIPS 205 section 10, and its digest.

use crate::family::Family;
use crate::version::{Prefix, Version, context_len};
use grille_core::Error;
use grille_hash::prehash::{HashFunction, PreHash};

/// The formatted message M′ in parts: a prefix, the context, and the message or its hash.
pub struct MessageParts<'a> {
    prefix: Prefix,
    context: &'a [u8],
    message: Message<'a>,
}

/// The message or its hash.
enum Message<'a> {
    AsItIs(&'a [u8]),
    /// The object identifier of a hash function, and the digest of the message.
    Hashed([u8; 11], PreHash),
}

impl<'a> MessageParts<'a> {
    /// Formats a message for a parameter set with the family `F`: FIPS 205 Algorithm 22, line 8, or Algorithm 23 if
    /// the set hashes messages with `prehash`. In rounds 2 to 3.1, M′ is the message M.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub(crate) fn new<F: Family>(
        prehash: Option<HashFunction>,
        message: &'a [u8],
        context: &'a [u8],
    ) -> Result<Self, Error> {
        if let Some(function) = prehash {
            return Self::prehash(PreHash::new(function, message), context);
        }
        let prefix = F::Version::message_prefix(context)?;
        Ok(Self { prefix, context, message: Message::AsItIs(message) })
    }

    /// Formats a hashed message, FIPS 205 Algorithm 23, line 24.
    ///
    /// # Errors
    /// Returns [`Error::ContextTooLong`] if the context is too long.
    pub(crate) fn prehash(message: PreHash, context: &'a [u8]) -> Result<Self, Error> {
        let prefix = Prefix::Domain([1, context_len(context)?]);
        Ok(Self { prefix, context, message: Message::Hashed(message.function().oid(), message) })
    }

    /// Wraps a message that is already formatted.
    pub(crate) const fn formatted(m_prime: &'a [u8]) -> Self {
        Self { prefix: Prefix::None, context: &[], message: Message::AsItIs(m_prime) }
    }

    /// Returns the parts whose concatenation is M′.
    pub(crate) fn parts(&self) -> [&[u8]; 4] {
        let (oid, message) = match &self.message {
            Message::AsItIs(message) => (&[][..], *message),
            Message::Hashed(oid, message) => (&oid[..], message.digest()),
        };
        [self.prefix.as_ref(), self.context, oid, message]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::family::Family;
    use crate::params::{self, Params};
    use crate::signing_key::SigningKey;
    use crate::version::Fips205;
    use grille_core::{SigningKey as _, VerifyingKey as _};
    use grille_hash::prehash::HashFunction;
    use grille_hash::sha2::sha256;
    use grille_stream::Stream;
    use std::vec::Vec;

    /// The SHA-256 hashes of the deterministic signatures of [`MESSAGE`] with [`CONTEXT`], as a JSON object. Its keys
    /// name the parameter set and the hash function, such as `HashSLH-DSA-SHA2-128s-with-SHA224`.
    const RECORDS: &str = include_str!("../../../vectors/slhdsa/hash-slh-dsa.json");
    const MESSAGE: &[u8] = b"message";
    const CONTEXT: &[u8] = b"context";
    /// The names of [`HashFunction::ALL`] in the records.
    const HASHES: [&str; 12] = [
        "SHA224",
        "SHA256",
        "SHA384",
        "SHA512",
        "SHA512-224",
        "SHA512-256",
        "SHA3-224",
        "SHA3-256",
        "SHA3-384",
        "SHA3-512",
        "SHAKE128",
        "SHAKE256",
    ];

    /// Returns the key whose seeds are the bytes 0, 1, 2 and so on.
    fn key<P: Params>() -> SigningKey<P> {
        let n = P::SHAPE.n;
        let bytes: [u8; 96] = core::array::from_fn(|i| i as u8);
        let key = SigningKey::generate_internal(&bytes[..n], &bytes[n..2 * n], &bytes[2 * n..3 * n]);
        key.expect("n bytes each")
    }

    fn assert_recorded(name: &str, signature: &[u8]) {
        let digest = sha256(&[signature]).map(|byte| std::format!("{byte:02x}")).concat();
        let record = std::format!("  \"{name}\": \"{digest}\"");
        assert!(RECORDS.lines().any(|line| line.trim_end_matches(',') == record), "{record}");
    }

    /// Signs and verifies with each hash function whose index `chosen` accepts, and compares the signatures with the
    /// records.
    fn check_records<P: Params<Family: Family<Version = Fips205>>>(chosen: impl Fn(usize) -> bool) {
        let key = key::<P>();
        for (number, name) in HASHES.iter().enumerate().filter(|(number, _)| chosen(*number)) {
            let message = PreHash::new(HashFunction::ALL[number], MESSAGE);
            let signature = key.sign_prehash_deterministic(&message, CONTEXT).expect("a context");
            assert_recorded(&std::format!("Hash{}-with-{name}", P::NAME), &signature);
            assert_eq!(key.verifying_key().verify_prehash(&message, CONTEXT, &signature), Ok(()));
        }
    }

    #[test]
    fn prehash_signatures_of_fast_sets_match_records() {
        check_records::<params::SlhDsaSha2_128f>(|number| number % 4 == 0);
        check_records::<params::SlhDsaShake128f>(|number| number % 4 == 1);
        check_records::<params::SlhDsaSha2_192f>(|number| number % 4 == 2);
        check_records::<params::SlhDsaSha2_256f>(|number| number % 4 == 3);
    }

    #[test]
    #[ignore = "takes nine seconds with AVX-512"]
    fn prehash_signatures_of_all_sets_match_records() {
        macro_rules! all {
            ($($set:ident)*) => { $(check_records::<params::$set>(|_| true);)* };
        }
        all! {
            SlhDsaSha2_128s SlhDsaSha2_128f SlhDsaSha2_192s SlhDsaSha2_192f SlhDsaSha2_256s SlhDsaSha2_256f
            SlhDsaShake128s SlhDsaShake128f SlhDsaShake192s SlhDsaShake192f SlhDsaShake256s SlhDsaShake256f
        }
    }

    fn check_prehash_set<P: Params>() {
        let key = key::<P>();
        let signature = key.sign_deterministic(MESSAGE, CONTEXT).expect("a context");
        assert_recorded(P::NAME, &signature);
        assert_eq!(key.verifying_key().verify(MESSAGE, CONTEXT, &signature), Ok(()));
    }

    macro_rules! check_prehash_sets {
        ($($set:ident)*) => { $(check_prehash_set::<params::$set>();)* };
    }

    #[test]
    fn fast_prehash_sets_match_records() {
        check_prehash_sets! {
            HashSlhDsaSha2_128fWithSha256
            HashSlhDsaSha2_192fWithSha512
            HashSlhDsaSha2_256fWithSha512
            HashSlhDsaShake128fWithShake128
            HashSlhDsaShake192fWithShake256
            HashSlhDsaShake256fWithShake256
        }
    }

    #[test]
    #[ignore = "takes a second with AVX-512; not measured elsewhere"]
    fn small_prehash_sets_match_records() {
        check_prehash_sets! {
            HashSlhDsaSha2_128sWithSha256
            HashSlhDsaSha2_192sWithSha512
            HashSlhDsaSha2_256sWithSha512
            HashSlhDsaShake128sWithShake128
            HashSlhDsaShake192sWithShake256
            HashSlhDsaShake256sWithShake256
        }
    }

    #[test]
    fn internal_functions_take_the_formatted_message() {
        let key = key::<params::SlhDsaSha2_128f>();
        let n = 16;
        let stream = || Stream::new(b"opt_rand");
        let random: [u8; 16] = stream().bytes();
        let formatted = |domain: u8, message: &[&[u8]]| -> Vec<u8> {
            [&[&[domain, 7], CONTEXT][..], message].concat().concat()
        };
        // the object identifier 2.16.840.1.101.3.4.2.1 of SHA-256
        let oid = [6, 9, 0x60, 0x86, 0x48, 1, 0x65, 3, 4, 2, 1];
        let prehash = PreHash::new(HashFunction::Sha256, MESSAGE);
        let digest = sha256(&[MESSAGE]);
        let pure = key.sign(MESSAGE, CONTEXT, &mut stream());
        let hashed = key.sign_prehash(&prehash, CONTEXT, &mut stream());
        for (m_prime, expected) in
            [(formatted(0, &[MESSAGE]), pure), (formatted(1, &[&oid, &digest]), hashed)]
        {
            let signature = key.sign_internal(&m_prime, Some(&random)).expect("n bytes");
            assert!(Ok(&signature) == expected.as_ref());
            assert_eq!(key.verifying_key().verify_internal(&m_prime, &signature), Ok(()));
            assert!(key.verifying_key().verify_internal(&m_prime[1..], &signature).is_err());
        }
        let wrong = key.sign_internal(MESSAGE, Some(&random[1..]));
        assert_eq!(wrong, Err(Error::Length { input: "opt_rand", expected: n, got: n - 1 }));
    }
}
