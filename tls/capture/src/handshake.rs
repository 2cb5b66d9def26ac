//! Unencrypted messages of one direction of a connection, RFC 8446 section 5.

use grille_tls::hello::{self, Hello};

const CHANGE_CIPHER_SPEC: u8 = 20;
const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;

/// Unencrypted messages that one side sent.
#[derive(Debug, Default)]
pub(crate) struct SentMessages {
    /// ClientHellos or ServerHellos, with the length of each message in bytes.
    pub(crate) hellos: Vec<(Hello, usize)>,
    pub(crate) alert: Option<u8>,
    /// Whether all unencrypted messages are complete.
    pub(crate) complete: bool,
}

/// Parses records until the first that is encrypted or malformed.
pub(crate) fn read(stream: &[u8]) -> SentMessages {
    let (mut half, mut messages, mut rest) =
        (SentMessages { complete: true, ..SentMessages::default() }, Vec::new(), stream);
    let mut changed = false;
    // start of the first incomplete message
    let mut open = 0;
    while let Some(Record { kind, content, after }) = Record::parse_first(rest) {
        match (kind, content) {
            (HANDSHAKE, Some(record)) if !changed || is_hello(record) || open < messages.len() => {
                messages.extend_from_slice(record);
                open = messages.len() - hello::messages(&messages[open..]).1.len();
            }
            (CHANGE_CIPHER_SPEC, Some(_)) => changed = true,
            (ALERT, Some(&[_, description])) => half.alert = Some(description),
            (HANDSHAKE, None) if !changed => {
                half.complete = false;
                break;
            }
            _ => break,
        }
        rest = after;
    }
    let (messages, cut_off) = hello::messages(&messages);
    half.hellos =
        messages.iter().filter_map(|message| Some((Hello::parse(message)?, message.len()))).collect();
    half.complete &= cut_off.is_empty();
    half
}

/// First record of a stream.
struct Record<'a> {
    kind: u8,
    /// Content of the record; `None` if the record is truncated.
    content: Option<&'a [u8]>,
    after: &'a [u8],
}

impl<'a> Record<'a> {
    /// Parses the first record; returns `None` if there is none.
    fn parse_first(stream: &'a [u8]) -> Option<Self> {
        let ([kind, 3, _, high, low], rest) = stream.split_first_chunk()? else { return None };
        let split = rest.split_at_checked(u16::from_be_bytes([*high, *low]).into());
        let (content, after) = split.map_or((None, &[][..]), |(content, after)| (Some(content), after));
        Some(Self { kind: *kind, content, after })
    }
}

/// Returns whether the record starts with a ClientHello or ServerHello. After ChangeCipherSpec, only these two messages
/// are unencrypted.
fn is_hello(record: &[u8]) -> bool {
    matches!(record, [1 | 2, ..])
}
