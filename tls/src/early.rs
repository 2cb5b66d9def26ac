//! Early data (0-RTT), RFC 8446 section 2.3: what a client says along with its first message, and either side's part in it.

use rustls::Error;
use rustls::client::ClientConnectionData;
use rustls::server::ServerConnectionData;
use rustls::unbuffered::{ReadEarlyData, TransmitTlsData};

/// Whether something was said before the handshake was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyData {
    /// Nothing.
    None,
    /// So many bytes, which the server took. Whoever recorded them may have been the one who sent them.
    Accepted(usize),
    /// So many bytes, which the server did not look at.
    Refused(usize),
}

/// The early data of one side.
#[derive(Default)]
pub(crate) struct Early {
    /// Of a client: what is to be sent.
    waiting: Vec<u8>,
    /// Of a client: how much of it was sent; the session says what the server takes at most.
    sent: usize,
    /// Of a server: what the client said.
    pub(crate) received: Vec<u8>,
}

impl Early {
    pub(crate) fn to_send(data: &[u8]) -> Self {
        Self { waiting: data.to_vec(), ..Self::default() }
    }

    /// Once the handshake is over; `accepted`: what the server answered.
    pub(crate) fn outcome(&self, accepted: bool) -> EarlyData {
        match (self.sent + self.received.len(), accepted) {
            (0, _) => EarlyData::None,
            (len, true) => EarlyData::Accepted(len),
            (len, false) => EarlyData::Refused(len),
        }
    }
}

/// What a side of rustls' does with early data.
pub(crate) trait Speaks: Sized {
    /// Adds it to the first flight.
    fn send(
        _flight: &mut TransmitTlsData<'_, Self>,
        _early: &mut Early,
        _outgoing: &mut Vec<u8>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// Takes what has come; how many more bytes of the peer's are done with.
    fn receive(_data: ReadEarlyData<'_, '_, Self>, _early: &mut Early) -> Result<usize, Error> {
        Err(Error::General("a server sent early data".to_owned()))
    }
}

/// A record around its data, RFC 8446 section 5.2: header, type and tag.
const RECORD_OVERHEAD: usize = 5 + 1 + 16;
/// The most data in a record, RFC 8446 section 5.1.
const MAX_RECORD_DATA_LEN: usize = 1 << 14;

impl Speaks for ClientConnectionData {
    fn send(
        flight: &mut TransmitTlsData<'_, Self>,
        early: &mut Early,
        outgoing: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let waiting = std::mem::take(&mut early.waiting);
        if waiting.is_empty() {
            return Ok(());
        }
        let Some(mut encrypter) = flight.may_encrypt_early_data() else { return Ok(()) };
        for piece in waiting.chunks(MAX_RECORD_DATA_LEN) {
            let start = outgoing.len();
            outgoing.resize(start + piece.len() + RECORD_OVERHEAD, 0);
            let written = encrypter.encrypt(piece, &mut outgoing[start..]);
            let written = written.map_err(|error| Error::General(error.to_string()))?;
            outgoing.truncate(start + written);
            // rustls writes what the server takes at most, and does not say how much that is
            let taken = written.saturating_sub(RECORD_OVERHEAD);
            early.sent += taken;
            if taken < piece.len() {
                break;
            }
        }
        Ok(())
    }
}

impl Speaks for ServerConnectionData {
    fn receive(mut data: ReadEarlyData<'_, '_, Self>, early: &mut Early) -> Result<usize, Error> {
        let mut discard = 0;
        while let Some(record) = data.next_record() {
            let record = record?;
            discard += record.discard;
            early.received.extend_from_slice(record.payload);
        }
        Ok(discard)
    }
}

/// The number of the extension, RFC 8446 section 4.2.
const EARLY_DATA: u16 = 42;

/// Whether the body of an EncryptedExtensions message says that the server takes the early data, RFC 8446 section 4.2.10.
pub(crate) fn accepts(encrypted_extensions: &[u8]) -> bool {
    let Some((_, mut rest)) = encrypted_extensions.split_first_chunk::<2>() else { return false };
    while let Some((&[kind_high, kind_low, len_high, len_low], after)) = rest.split_first_chunk::<4>() {
        if u16::from_be_bytes([kind_high, kind_low]) == EARLY_DATA {
            return true;
        }
        rest = after.get(usize::from(u16::from_be_bytes([len_high, len_low]))..).unwrap_or_default();
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_is_found_among_others() {
        assert!(accepts(&[0, 4, 0, 42, 0, 0]));
        assert!(accepts(&[0, 9, 0, 16, 0, 1, 9, 0, 42, 0, 0]));
        assert!(!accepts(&[0, 6, 0, 16, 0, 2, 0, 42]));
        for len in 0..6 {
            assert!(!accepts(&[0, 9, 0, 16, 0, 1][..len]));
        }
    }
}
