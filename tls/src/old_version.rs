//! Refusal of clients that support no version of TLS newer than 1.1.
//!
//! rustls looks for signature_algorithms, an extension introduced by TLS 1.2, before it looks at the version. It
//! therefore refuses such a client with handshake_failure. The right alert is protocol_version (RFC 8446 section
//! 4.2.1, RFC 5246 appendix E.1), which shows users that a newer client would be served.

/// Number of bytes that determine the version: the header of a record (5 bytes), the header of a handshake message (4
/// bytes) and the client's version (2 bytes).
pub const START_LEN: usize = 11;

/// Returns the record that refuses a client whose connection starts with these bytes: the alert protocol_version.
/// Returns `None` if the client may support TLS 1.2 or newer, if the bytes are not a ClientHello, if its first record
/// ends before the version, or if there are fewer bytes than [`START_LEN`].
#[must_use]
pub fn alert(start: &[u8]) -> Option<[u8; 7]> {
    let start = start.first_chunk()?;
    let version = match *start {
        [HANDSHAKE, 3, _, high, low, CLIENT_HELLO, _, _, _, major, minor]
            if u16::from_be_bytes([high, low]) >= VERSION_END =>
        {
            [major, minor]
        }
        // a ClientHello in SSL 2.0 format, which clients of SSL 3.0 to TLS 1.1 may use (RFC 5246 appendix E.2)
        [high, _, SSL2_CLIENT_HELLO, major, minor, ..] if high & 0x80 != 0 => [major, minor],
        _ => return None,
    };
    (version < TLS_1_2).then(|| alert_record(version))
}

/// Builds a fatal alert, in a record of a version that the client supports.
fn alert_record(version: [u8; 2]) -> [u8; 7] {
    let [major, minor] = version.max(SSL_3_0);
    [ALERT, major, minor, 0, 2, FATAL, PROTOCOL_VERSION]
}

/// Minimum length of a record that contains the version: the message's header and two bytes.
const VERSION_END: u16 = 4 + 2;

const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;
const CLIENT_HELLO: u8 = 1;
const SSL2_CLIENT_HELLO: u8 = 1;
const FATAL: u8 = 2;
const PROTOCOL_VERSION: u8 = 70;
const SSL_3_0: [u8; 2] = [3, 0];
const TLS_1_2: [u8; 2] = [3, 3];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refuses_clients_older_than_tls_1_2_in_their_own_version() {
        let record = |version| [22, 3, 1, 0, 100, 1, 0, 0, 96, 3, version];
        for minor in 0..3 {
            assert_eq!(alert(&record(minor)), Some([21, 3, minor, 0, 2, 2, 70]));
        }
        for minor in 3..5 {
            assert_eq!(alert(&record(minor)), None, "TLS 1.2 and newer");
        }
        let ssl2 = |version: [u8; 2]| [0x80, 46, 1, version[0], version[1], 0, 21, 0, 0, 0, 16];
        assert_eq!(alert(&ssl2([3, 1])), Some([21, 3, 1, 0, 2, 2, 70]));
        assert_eq!(alert(&ssl2([0, 2])), Some([21, 3, 0, 0, 2, 2, 70]));
        assert_eq!(alert(&ssl2([3, 3])), None);
    }

    #[test]
    fn leaves_everything_else_to_rustls() {
        assert_eq!(alert(&[22, 3, 1, 0, 100, 1, 0, 0, 96, 3]), None, "too short to determine the version");
        assert_eq!(alert(b"GET / HTTP/"), None);
        assert_eq!(alert(&[22, 3, 1, 0, 100, 2, 0, 0, 96, 3, 1]), None, "a ServerHello");
        assert_eq!(alert(&[22, 3, 1, 0, 4, 1, 0, 0, 96, 3, 1]), None, "the next record's header");
    }
}
