//! The key exchange of KEY_EXCHANGE: one DHE group or KEM, or in [`crate::hybrid`] and [`crate::pqc2021`] one of each.
//!
//! ExchangeData is the concatenation of all parts. Every part must succeed.

use crate::algorithms::KeyExchange;
use crate::connection::Connection;
use alloc::{boxed::Box, vec::Vec};
use grille_core::{CryptoRng, DynDecapsKey, Error, SecretBytes};

/// The algorithms of a key exchange, in the order of ExchangeData.
#[derive(Clone)]
pub(crate) struct ExchangeParts(Vec<KeyExchange>);

/// The result of a key exchange on the responder's side.
pub(crate) struct Encapsulated {
    /// ExchangeData of the response.
    pub(crate) data: Vec<u8>,
    /// The secret of each part.
    pub(crate) secrets: Vec<SecretBytes>,
}

impl ExchangeParts {
    /// Returns the negotiated algorithms; `None` if there are none.
    pub(crate) fn from_connection(connection: &Connection) -> Option<Self> {
        let algorithms = connection.negotiated()?.algorithms;
        let kem = algorithms.pqc2021.and_then(|selected| selected.kem()).map(KeyExchange::from_kem);
        let parts = algorithms.key_exchange.into_iter().chain(algorithms.hybrid_kem).chain(kem);
        let parts: Vec<_> = parts.collect();
        (!parts.is_empty()).then_some(Self(parts))
    }

    /// Returns the length of the requester's ExchangeData in bytes.
    pub(crate) fn request_len(&self) -> usize {
        self.0.iter().map(|part| part.request_len()).sum()
    }

    /// Returns the length of the responder's ExchangeData in bytes.
    pub(crate) fn response_len(&self) -> usize {
        self.0.iter().map(|part| part.response_len()).sum()
    }

    /// Generates a key for each part. Returns the keys and ExchangeData of the request.
    pub(crate) fn generate(&self, rng: &mut dyn CryptoRng) -> (Vec<Box<dyn DynDecapsKey>>, Vec<u8>) {
        let mut data = Vec::with_capacity(self.request_len());
        let generate = |part: &KeyExchange| {
            let key = part.kem().generate(rng);
            data.extend_from_slice(part.to_wire(&key.encaps_key_bytes()));
            key
        };
        let keys = self.0.iter().map(generate).collect();
        (keys, data)
    }

    /// Encapsulates to the keys in the requester's ExchangeData.
    ///
    /// # Errors
    /// Returns an error if a part's key is malformed.
    pub(crate) fn encapsulate(&self, data: &[u8], rng: &mut dyn CryptoRng) -> Result<Encapsulated, Error> {
        let mut all = Encapsulated { data: Vec::with_capacity(self.response_len()), secrets: Vec::new() };
        for (part, bytes) in self.split(data, KeyExchange::request_len)? {
            let encapsulated = part.kem().encaps_key(&part.from_wire(bytes))?.encapsulate(rng);
            all.data.extend_from_slice(part.to_wire(&encapsulated.ciphertext));
            all.secrets.push(encapsulated.secret);
        }
        Ok(all)
    }

    /// Returns the secret of each part from the responder's ExchangeData. `keys`: from [`ExchangeParts::generate`].
    ///
    /// # Errors
    /// Returns an error if a part is malformed.
    pub(crate) fn decapsulate(
        &self,
        keys: &[Box<dyn DynDecapsKey>],
        data: &[u8],
    ) -> Result<Vec<SecretBytes>, Error> {
        let parts = self.split(data, KeyExchange::response_len)?;
        parts.zip(keys).map(|((part, bytes), key)| key.decapsulate(&part.from_wire(bytes))).collect()
    }

    /// Splits ExchangeData into its parts. `len`: returns the length of a part.
    fn split<'a>(
        &'a self,
        data: &'a [u8],
        len: fn(KeyExchange) -> usize,
    ) -> Result<impl Iterator<Item = (KeyExchange, &'a [u8])>, Error> {
        let expected = self.0.iter().map(|part| len(*part)).sum();
        Error::check_len("ExchangeData", expected, data.len())?;
        let mut rest = data;
        Ok(self.0.iter().map(move |part| {
            let (bytes, after) = rest.split_at_checked(len(*part)).unwrap_or_default();
            rest = after;
            (*part, bytes)
        }))
    }
}

/// Returns the concatenation of the secrets. Secret: `secrets`, the result.
pub(crate) fn join(mut secrets: Vec<SecretBytes>) -> SecretBytes {
    match secrets.pop() {
        Some(only) if secrets.is_empty() => only,
        last => {
            let len = secrets.iter().chain(&last).map(|secret| secret.as_ref().len()).sum();
            // allocate once, so that no copy of a secret remains in freed memory
            let mut joined = Vec::with_capacity(len);
            secrets.iter().chain(&last).for_each(|secret| joined.extend_from_slice(secret.as_ref()));
            SecretBytes::new(joined)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec;

    #[cfg(feature = "std")]
    #[test]
    fn each_part_of_a_hybrid_determines_its_secret() {
        use grille_core::SystemRng;
        let all = (0..9).filter_map(crate::hybrid::hybrid_exchange);
        for parts in all.map(|parts| ExchangeParts(parts.to_vec())) {
            let (keys, request) = parts.generate(&mut SystemRng);
            let Encapsulated { data, secrets } = parts.encapsulate(&request, &mut SystemRng).unwrap();
            let joined = join(secrets);
            let same = |data: &[u8]| parts.decapsulate(&keys, data).map(|secrets| join(secrets) == joined);
            assert!(matches!(same(&data), Ok(true)));
            for at in [5, data.len() - 5] {
                let mut changed = data.clone();
                changed[at] ^= 1;
                assert!(!matches!(same(&changed), Ok(true)), "{at}");
            }
            let classical = parts.0[0].response_len();
            assert!(same(&[&vec![0; classical][..], &data[classical..]].concat()).is_err());
            assert!(same(&data[1..]).is_err() && parts.encapsulate(&request[1..], &mut SystemRng).is_err());
        }
    }

    #[test]
    fn secrets_are_joined_in_the_order_of_their_parts() {
        let secrets =
            |lens: &[usize]| lens.iter().map(|&len| SecretBytes::new(vec![len as u8; len])).collect();
        assert_eq!(join(secrets(&[3, 2])).as_ref(), [3, 3, 3, 2, 2]);
        assert_eq!(join(secrets(&[2])).as_ref(), [2, 2]);
        assert!(join(Vec::new()).as_ref().is_empty());
    }
}
