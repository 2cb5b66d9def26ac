//! Key logs: the secrets of sessions.
//!
//! Three forms, line by line; lines of others are passed over.
//!
//! ```text
//! session 0xfffeffff                          ours: the session, and below it its secrets
//! request_handshake_secret 390919be…
//! request_handshake_secret (0x30) - 39 09 …   libspdm's own log: sessions in the order in which they were opened
//! psk 5465737450736b4461746100                a key that both sides had beforehand
//! ```

use grille_core::SecretBytes;
use grille_spdm_engine::session::SessionId;
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// The secrets of sessions, in the order in which they were opened.
#[derive(Default)]
pub struct Secrets {
    sessions: VecDeque<Session>,
    psks: Vec<SecretBytes>,
    malformed: Vec<usize>,
}

/// Of one session: of the handshake the requester's and the responder's, then of the application.
#[derive(Default)]
pub(crate) struct Session {
    id: Option<SessionId>,
    pub(crate) traffic: [Option<SecretBytes>; 4],
}

/// Names of the secrets of a session, as libspdm prints them.
pub(crate) const NAMES: [&str; 4] =
    ["request_handshake_secret", "response_handshake_secret", "request_data_secret", "response_data_secret"];

/// Names of keys that both sides had beforehand.
const PSK: [&str; 2] = ["psk", "[PSK]:"];

impl Session {
    /// The names of the secrets that it has not.
    pub(crate) fn lacks(&self) -> Vec<&'static str> {
        let all = NAMES.into_iter().zip(&self.traffic);
        all.filter(|(_, secret)| secret.is_none()).map(|(name, _)| name).collect()
    }
}

impl Secrets {
    /// Of the text of a key log.
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
                secrets.take(name, &bytes);
            } else if NAMES.contains(&name) {
                secrets.malformed.push(number);
            }
        }
        secrets
    }

    /// The numbers, from 1, of lines that have the name of a secret of a session, and no whole bytes behind it.
    #[must_use]
    pub fn malformed(&self) -> &[usize] {
        &self.malformed
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.sessions.is_empty() && self.psks.is_empty()
    }

    /// With a key that both sides had beforehand. Secret: `psk`.
    #[must_use]
    pub fn with_psk(mut self, psk: &[u8]) -> Self {
        self.psks.push(psk.into());
        self
    }

    fn take(&mut self, name: &str, bytes: &[u8]) {
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

    /// The secrets of the next session, or of the next with this number if the log has numbers.
    pub(crate) fn next(&mut self, id: SessionId) -> Option<Session> {
        let fits = |session: &Session| session.id.is_none_or(|known| known == id);
        let at = self.sessions.iter().position(fits)?;
        self.sessions.remove(at)
    }

    /// The secrets of the session with this number, if the log has numbers.
    pub(crate) fn next_numbered(&mut self, id: SessionId) -> Option<Session> {
        let at = self.sessions.iter().position(|session| session.id == Some(id))?;
        self.sessions.remove(at)
    }

    /// Keys that both sides had beforehand.
    pub(crate) fn psks(&self) -> &[SecretBytes] {
        &self.psks
    }
}

/// Digits, with spaces between bytes or without; libspdm puts the length before them. Secret: the result.
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
    fn both_forms_are_read_and_all_else_is_passed_over() {
        let text = "session 0x00020001\nrequest_handshake_secret 0102\nresponse_handshake_secret 03\n\
                    nothing here\nsession zz\nrequest_data_secret 04\n[PSK]: aabb\npsk cc\n\
                    request_handshake_secret (0x2) - 05 06 \nrequest_handshake_secret (0x2) - 07 08 \n\
                    request_handshake_secret xyz\nrequest_handshake_secret 123\n";
        let mut secrets = Secrets::parse(text);
        let bytes = |session: Option<Session>, at: usize| {
            session.and_then(|mut session| session.traffic[at].take()).map(|secret| secret.as_ref().to_vec())
        };
        assert_eq!((secrets.psks().len(), secrets.malformed()), (2, &[11, 12][..]));
        assert_eq!(bytes(secrets.next(7), 2), Some(vec![4]), "a session without a number fits every one");
        assert_eq!(bytes(secrets.next(0x2_0001), 0), Some(vec![1, 2]));
        assert_eq!(bytes(secrets.next(7), 0), Some(vec![7, 8]));
        assert!(secrets.next(7).is_none());
    }
}
