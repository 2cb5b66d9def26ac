//! Session tickets that several servers can decrypt: they share a file of keys.
//!
//! The file is text: one key of 32 bytes per line, in hexadecimal. Empty lines and lines that start with `#` are
//! ignored. The first key encrypts; all keys decrypt. To rotate the keys, insert a new one at the top and remove the
//! last one. A leaked key exposes the sessions resumed with it, so a key should be used for at most a day.
//!
//! A ticket consists of the first 8 bytes of HKDF-SHA256(key, "name"), a salt of 32 random bytes, and the session,
//! encrypted with AES-256-GCM under HKDF-SHA256(salt, key, "seal"). Each ticket has its own key, so the number of
//! tickets per key is not limited, unlike with random nonces under one key.

use crate::error::Error;
use aws_lc_rs::aead::{AES_256_GCM, Aad, LessSafeKey, NONCE_LEN, Nonce, UnboundKey};
use aws_lc_rs::hkdf::{HKDF_SHA256, Salt};
use grille_core::{CryptoRng, SystemRng};
use rustls::server::ProducesTickets;
use std::fmt;
use zeroize::Zeroizing;

/// Length of a key in bytes.
pub const KEY_LEN: usize = 32;

/// Maximum number of keys in a file. Decryption compares the key name of a ticket with all of them.
pub const MAX_KEYS: usize = 16;

const NAME_LEN: usize = 8;
const SALT_LEN: usize = 32;
const TAG_LEN: usize = 16;

/// Ticket lifetime that servers state to clients, in seconds: half a day. On servers, key rotation limits the lifetime.
const LIFETIME: u32 = 12 * 60 * 60;

/// Keys of a file, which encrypt and decrypt tickets.
pub struct SharedKeys(Vec<Key>);

struct Key {
    name: [u8; NAME_LEN],
    /// The key from the file. It is secret.
    master: Zeroizing<[u8; KEY_LEN]>,
}

impl SharedKeys {
    /// Parses the text of a key file.
    ///
    /// # Errors
    /// Returns [`Error::Configuration`] if a line is not a key, or if there are no keys or more than [`MAX_KEYS`].
    pub fn from_text(text: &str) -> Result<Self, Error> {
        let lines = text.lines().map(str::trim).enumerate();
        let keys = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
        let keys: Result<Vec<Key>, Error> = keys
            .map(|(number, line)| {
                let not_a_key = || {
                    Error::configuration(format!(
                        "line {} is not a ticket key: expected {} hexadecimal digits",
                        number + 1,
                        2 * KEY_LEN
                    ))
                };
                decode_hex(line).and_then(Key::new).ok_or_else(not_a_key)
            })
            .collect();
        match keys? {
            keys if keys.is_empty() => Err(Error::configuration("the file has no ticket key")),
            keys if keys.len() > MAX_KEYS => Err(Error::configuration(format!(
                "the file has {} ticket keys, but at most {MAX_KEYS} are supported",
                keys.len()
            ))),
            keys => Ok(Self(keys)),
        }
    }
}

/// Returns the text of a file with a new key in front of those in `text`, limited to `keep` keys in total.
///
/// # Errors
/// The errors of [`SharedKeys::from_text`], if `text` is not empty.
pub fn rotate(text: &str, keep: usize) -> Result<Zeroizing<String>, Error> {
    let old = if text.trim().is_empty() { Vec::new() } else { SharedKeys::from_text(text)?.0 };
    let mut fresh = Zeroizing::new([0; KEY_LEN]);
    let rng: &mut dyn CryptoRng = &mut SystemRng;
    rng.fill_bytes(fresh.as_mut());
    // full capacity, so that no reallocation leaves a copy of the keys behind
    let mut lines = Zeroizing::new(String::with_capacity((old.len() + 1) * (2 * KEY_LEN + 1)));
    for key in std::iter::once(&fresh).chain(old.iter().map(|key| &key.master)).take(keep.max(1)) {
        lines.push_str(&Zeroizing::new(base16ct::lower::encode_string(key.as_ref())));
        lines.push('\n');
    }
    Ok(lines)
}

impl Key {
    fn new(master: Zeroizing<[u8; KEY_LEN]>) -> Option<Self> {
        let name = *derive(&master, b"", b"name")?.first_chunk()?;
        Some(Self { name, master })
    }

    /// Derives the key of one ticket.
    fn ticket_key(&self, salt: &[u8]) -> Option<LessSafeKey> {
        let key = derive(&self.master, salt, b"seal")?;
        UnboundKey::new(&AES_256_GCM, key.as_ref()).ok().map(LessSafeKey::new)
    }
}

/// HKDF-SHA256, RFC 5869. It never fails, because 32 bytes are only its first block.
fn derive(master: &[u8; KEY_LEN], salt: &[u8], info: &[u8]) -> Option<Zeroizing<[u8; KEY_LEN]>> {
    let mut derived = Zeroizing::new([0; KEY_LEN]);
    let pseudorandom = Salt::new(HKDF_SHA256, salt).extract(master);
    pseudorandom.expand(&[info], HKDF_SHA256).and_then(|okm| okm.fill(derived.as_mut())).ok()?;
    Some(derived)
}

/// Returns the fixed nonce: each key encrypts only one ticket.
fn nonce() -> Nonce {
    Nonce::assume_unique_for_key([0; NONCE_LEN])
}

impl ProducesTickets for SharedKeys {
    fn enabled(&self) -> bool {
        true
    }

    fn lifetime(&self) -> u32 {
        LIFETIME
    }

    fn encrypt(&self, session: &[u8]) -> Option<Vec<u8>> {
        let key = self.0.first()?;
        let mut ticket = Vec::with_capacity(NAME_LEN + SALT_LEN + session.len() + TAG_LEN);
        ticket.extend_from_slice(&key.name);
        ticket.resize(NAME_LEN + SALT_LEN, 0);
        let rng: &mut dyn CryptoRng = &mut SystemRng;
        rng.fill_bytes(&mut ticket[NAME_LEN..]);
        let sealing = key.ticket_key(&ticket[NAME_LEN..])?;
        ticket.extend_from_slice(session);
        let (header, body) = ticket.split_at_mut(NAME_LEN + SALT_LEN);
        let tag = sealing.seal_in_place_separate_tag(nonce(), Aad::from(&*header), body).ok()?;
        ticket.extend_from_slice(tag.as_ref());
        Some(ticket)
    }

    fn decrypt(&self, ticket: &[u8]) -> Option<Vec<u8>> {
        let (header, sealed) = ticket.split_at_checked(NAME_LEN + SALT_LEN)?;
        let (name, salt) = header.split_at(NAME_LEN);
        let key = self.0.iter().find(|key| key.name == name)?;
        let mut session = sealed.to_vec();
        let len = key.ticket_key(salt)?.open_in_place(nonce(), Aad::from(header), &mut session).ok()?.len();
        session.truncate(len);
        Some(session)
    }
}

impl fmt::Debug for SharedKeys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "SharedKeys({})", self.0.len())
    }
}

fn decode_hex(line: &str) -> Option<Zeroizing<[u8; KEY_LEN]>> {
    let mut key = Zeroizing::new([0; KEY_LEN]);
    let len = base16ct::mixed::decode(line, key.as_mut()).ok()?.len();
    (len == KEY_LEN).then_some(key)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn keys(text: &str) -> SharedKeys {
        SharedKeys::from_text(text).expect("keys")
    }

    #[test]
    fn ticket_decrypts_with_every_file_that_has_its_key() {
        let first = rotate("", 3).expect("a key");
        let second = rotate(&first, 3).expect("two keys");
        let ticket = keys(&first).encrypt(b"session").expect("a ticket");
        assert_eq!(keys(&second).decrypt(&ticket).as_deref(), Some(&b"session"[..]));
        let newer = keys(&second).encrypt(b"session").expect("a ticket");
        assert_eq!(keys(&first).decrypt(&newer), None, "the new key is not in the old file");
        let alone = rotate(&second, 1).expect("one key");
        assert_eq!(alone.lines().count(), 1);
        assert_eq!(keys(&alone).decrypt(&newer), None);
    }

    #[test]
    fn rejects_altered_tickets() {
        let keys = keys(&rotate("", 1).expect("a key"));
        let ticket = keys.encrypt(b"session").expect("a ticket");
        for index in 0..ticket.len() {
            let mut altered = ticket.clone();
            altered[index] ^= 1;
            assert_eq!(keys.decrypt(&altered), None, "byte {index}");
            assert_eq!(keys.decrypt(&ticket[..index]), None, "{index} bytes");
        }
        assert_ne!(ticket, keys.encrypt(b"session").expect("a ticket"), "each ticket has its own salt");
    }

    #[test]
    fn names_the_line_of_an_invalid_key() {
        let key = rotate("", 1).expect("a key");
        let refusal = |text: &str| SharedKeys::from_text(text).expect_err("an invalid file").to_string();
        assert!(refusal("# none\n\n").contains("no ticket key"));
        assert!(refusal(&format!("# one\n{}\nxyz\n", key.trim())).starts_with("line 3 "));
        assert!(refusal(&key.trim()[2..]).starts_with("line 1 "));
        assert!(refusal(&key.replacen(&key[..1], "g", 1)).starts_with("line 1 "));
        assert!(refusal(&key.repeat(MAX_KEYS + 1)).contains("at most 16"));
        assert!(!refusal(&format!("{}0", key.trim())).contains(key.trim()), "keys are not presented");
    }
}
