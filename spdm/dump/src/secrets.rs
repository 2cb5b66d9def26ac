//! Key logs: the secrets of sessions.
//!
//! Three line formats are recognized; other lines are ignored.
//!
//! ```text
//! session 0xfffeffff                          grille: a session, followed by its secrets
//! request_handshake_secret 390919be…
//! request_handshake_secret (0x30) - 39 09 …   libspdm: sessions in the order in which they were opened
//! psk 5465737450736b4461746100                a pre-shared key
//! ```

use grille_core::SecretBytes;
use grille_spdm_engine::session::SessionId;
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// The secrets of sessions, in the order in which the sessions were opened.
#[derive(Default)]
pub struct Secrets {
    sessions: VecDeque<Session>,
    psks: Vec<SecretBytes>,
    /// The shared secrets of sessions that KEY_EXCHANGE opened.
    shared: Vec<SecretBytes>,
    malformed: Vec<usize>,
}

/// The secrets of one session: the requester's and the responder's handshake secret, then their application secrets.
#[derive(Default)]
pub(crate) struct Session {
    id: Option<SessionId>,
    pub(crate) traffic: [Option<SecretBytes>; 4],
}

/// Names of a session's secrets, as printed by libspdm.
pub(crate) const NAMES: [&str; 4] =
    ["request_handshake_secret", "response_handshake_secret", "request_data_secret", "response_data_secret"];

/// Names of pre-shared keys.
const PSK: [&str; 2] = ["psk", "[PSK]:"];

impl Session {
    /// Returns the names of the missing secrets.
    pub(crate) fn missing_secrets(&self) -> Vec<&'static str> {
        let all = NAMES.into_iter().zip(&self.traffic);
        all.filter(|(_, secret)| secret.is_none()).map(|(name, _)| name).collect()
    }
}

impl Secrets {
    /// Parses the text of a key log.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let mut secrets = Self::default();
        for (number, line) in (1..).zip(text.lines()) {
            let Some((name, value)) = line.trim().split_once(' ') else { continue };
            if name == "session" {
                let id = value.trim().trim_start_matches("0x");
                let id = SessionId::from_str_radix(id, 16).ok();
                secrets.sessions.push_back(Session { id, ..Session::default() });
            } else if let Some(bytes) = hexadecimal(value) {
                secrets.store(name, &bytes);
            } else if NAMES.contains(&name) {
                secrets.malformed.push(number);
            }
        }
        secrets
    }

    /// Returns the numbers, starting at 1, of the lines that name a session secret but have no valid hexadecimal bytes.
    #[must_use]
    pub fn malformed(&self) -> &[usize] {
        &self.malformed
    }

    /// Returns whether there are no secrets.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.psks.is_empty() && self.shared.is_empty()
    }

    /// Adds a pre-shared key. Secret: `psk`.
    #[must_use]
    pub fn with_psk(mut self, psk: &[u8]) -> Self {
        self.psks.push(psk.into());
        self
    }

    /// Adds the shared secret of a session that KEY_EXCHANGE opened: that of the DHE group, followed by that of the KEM.
    /// One of them may be empty. With KEM authentication in the dialect of openspdm-pqc, `kem` is the secret that
    /// replaces the KEM's. Secret: `dhe`, `kem`.
    #[must_use]
    pub fn with_shared_secret(mut self, dhe: &[u8], kem: &[u8]) -> Self {
        self.shared.push(SecretBytes::new([dhe, kem].concat()));
        self
    }

    /// Returns the first value that `derive` returns for a remaining shared secret, and removes that secret.
    pub(crate) fn take_shared<T>(&mut self, derive: impl Fn(&[u8]) -> Option<T>) -> Option<T> {
        let mut derived = self.shared.iter().enumerate().map(|(at, one)| (at, derive(one.as_ref())));
        let (at, value) = derived.find_map(|(at, value)| Some((at, value?)))?;
        self.shared.remove(at);
        Some(value)
    }

    fn store(&mut self, name: &str, bytes: &[u8]) {
        if PSK.contains(&name) {
            self.psks.push(bytes.into());
        }
        let Some(at) = NAMES.iter().position(|known| *known == name) else { return };
        if self.sessions.back().is_none_or(|session| session.traffic[at].is_some()) {
            self.sessions.push_back(Session::default());
        }
        if let Some(session) = self.sessions.back_mut() {
            session.traffic[at] = Some(bytes.into());
        }
    }

    /// Removes and returns the secrets of the first remaining session whose ID is `id`, or whose ID the log lacks.
    pub(crate) fn next(&mut self, id: SessionId) -> Option<Session> {
        let fits = |session: &Session| session.id.is_none_or(|known| known == id);
        let at = self.sessions.iter().position(fits)?;
        self.sessions.remove(at)
    }

    /// Removes and returns the secrets of the next session with this ID; `None` if the log lacks the ID.
    pub(crate) fn next_with_id(&mut self, id: SessionId) -> Option<Session> {
        let at = self.sessions.iter().position(|session| session.id == Some(id))?;
        self.sessions.remove(at)
    }

    /// Returns the pre-shared keys.
    pub(crate) fn psks(&self) -> &[SecretBytes] {
        &self.psks
    }
}

/// Parses hexadecimal digits, with or without spaces between bytes; libspdm puts the length before them. Secret: the
/// result.
fn hexadecimal(value: &str) -> Option<Zeroizing<Vec<u8>>> {
    let digits = value.rsplit_once(" - ").map_or(value, |(_, digits)| digits);
    let mut joined = Zeroizing::new(Vec::with_capacity(digits.len()));
    joined.extend(digits.bytes().filter(|c| !c.is_ascii_whitespace()));
    let mut bytes = Zeroizing::new(vec![0; joined.len() / 2]);
    base16ct::mixed::decode(&*joined, &mut bytes).ok()?;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parses_all_formats_and_ignores_other_lines() {
        let text = "session 0x00020001\nrequest_handshake_secret 0102\nresponse_handshake_secret 03\n\
                    nothing here\nsession zz\nrequest_data_secret 04\n[PSK]: aabb\npsk cc\n\
                    request_handshake_secret (0x2) - 05 06 \nrequest_handshake_secret (0x2) - 07 08 \n\
                    request_handshake_secret xyz\nrequest_handshake_secret 123\n";
        let mut secrets = Secrets::parse(text);
        let bytes = |session: Option<Session>, at: usize| {
            session.and_then(|mut session| session.traffic[at].take()).map(|secret| secret.as_ref().to_vec())
        };
        assert_eq!((secrets.psks().len(), secrets.malformed()), (2, &[11, 12][..]));
        assert_eq!(bytes(secrets.next(7), 2), Some(vec![4]), "a session without an ID matches any");
        assert_eq!(bytes(secrets.next(0x2_0001), 0), Some(vec![1, 2]));
        assert_eq!(bytes(secrets.next(7), 0), Some(vec![7, 8]));
        assert!(secrets.next(7).is_none());
    }
}
