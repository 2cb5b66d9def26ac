//! The messages in the clear of one end of a connection: RFC 8446 section 5.

use grille_tls::hello::{self, Hello};

const CHANGE_CIPHER_SPEC: u8 = 20;
const ALERT: u8 = 21;
const HANDSHAKE: u8 = 22;

/// What one end said.
#[derive(Debug, Default)]
pub(crate) struct Half {
    /// Hellos, and the length of each message.
    pub(crate) hellos: Vec<(Hello, usize)>,
    pub(crate) alert: Option<u8>,
    /// Whether no message in the clear is cut off.
    pub(crate) complete: bool,
}

/// Reads records until they are encrypted, or are none.
pub(crate) fn read(stream: &[u8]) -> Half {
    let (mut half, mut messages, mut rest) = (Half { complete: true, ..Half::default() }, Vec::new(), stream);
    let mut changed = false;
    // where the first message begins that is not whole
    let mut open = 0;
    while let Some(Record { kind, content, after }) = Record::first(rest) {
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

/// The begin of a stream.
struct Record<'a> {
    kind: u8,
    /// `None` if it is cut off.
    content: Option<&'a [u8]>,
    after: &'a [u8],
}

impl<'a> Record<'a> {
    /// `None` if there is no record.
    fn first(stream: &'a [u8]) -> Option<Self> {
        let ([kind, 3, _, high, low], rest) = stream.split_first_chunk()? else { return None };
        let split = rest.split_at_checked(u16::from_be_bytes([*high, *low]).into());
        let (content, after) = split.map_or((None, &[][..]), |(content, after)| (Some(content), after));
        Some(Self { kind: *kind, content, after })
    }
}

/// ClientHello or ServerHello: behind ChangeCipherSpec everything else is encrypted.
fn is_hello(record: &[u8]) -> bool {
    matches!(record, [1 | 2, ..])
}
