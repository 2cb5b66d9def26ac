//! Early data (0-RTT), RFC 8446 section 2.3, which a client sends along with its first message.

use rustls::Error;
use rustls::client::ClientConnectionData;
use rustls::server::ServerConnectionData;
use rustls::unbuffered::{ReadEarlyData, TransmitTlsData};

/// Outcome of early data on a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EarlyData {
    /// No early data was sent.
    None,
    /// The server accepted this number of bytes. They may be a replay.
    Accepted(usize),
    /// The server ignored this number of bytes.
    Refused(usize),
}

/// Early data of one side of a connection.
#[derive(Default)]
pub(crate) struct Early {
    /// On a client: data to be sent.
    pending: Vec<u8>,
    /// On a client: number of bytes sent. The session limits how much the server accepts.
    sent: usize,
    /// On a server: data received from the client.
    pub(crate) received: Vec<u8>,
}

impl Early {
    pub(crate) fn with_data(data: &[u8]) -> Self {
        Self { pending: data.to_vec(), ..Self::default() }
    }

    /// Returns the outcome after the handshake. `accepted`: whether the server accepted the early data.
    pub(crate) fn outcome(&self, accepted: bool) -> EarlyData {
        match (self.sent + self.received.len(), accepted) {
            (0, _) => EarlyData::None,
            (len, true) => EarlyData::Accepted(len),
            (len, false) => EarlyData::Refused(len),
        }
    }
}

/// Handling of early data in the rustls type of one side, client or server.
pub(crate) trait EarlyDataSide: Sized {
    /// On a client, appends early data to the first flight; on a server, does nothing.
    fn send(
        _flight: &mut TransmitTlsData<'_, Self>,
        _early: &mut Early,
        _outgoing: &mut Vec<u8>,
    ) -> Result<(), Error> {
        Ok(())
    }

    /// On a server, stores the received early data in `early` and returns the number of input bytes that it occupied.
    /// On a client, returns an error.
    fn receive(_data: ReadEarlyData<'_, '_, Self>, _early: &mut Early) -> Result<usize, Error> {
        Err(Error::General("the server sent early data".to_owned()))
    }
}

/// Overhead of a record, RFC 8446 section 5.2: header, type and tag.
const RECORD_OVERHEAD: usize = 5 + 1 + 16;
/// Maximum data in a record, RFC 8446 section 5.1.
const MAX_RECORD_DATA_LEN: usize = 1 << 14;

impl EarlyDataSide for ClientConnectionData {
    fn send(
        flight: &mut TransmitTlsData<'_, Self>,
        early: &mut Early,
        outgoing: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let waiting = std::mem::take(&mut early.pending);
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
            // rustls writes at most what the server accepts, and does not report the limit
            let accepted = written.saturating_sub(RECORD_OVERHEAD);
            early.sent += accepted;
            if accepted < piece.len() {
                break;
            }
        }
        Ok(())
    }
}

impl EarlyDataSide for ServerConnectionData {
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

/// Number of the extension early_data, RFC 8446 section 4.2.
const EARLY_DATA: u16 = 42;

/// Returns whether the body of EncryptedExtensions accepts early data, RFC 8446 section 4.2.10.
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
    fn finds_the_extension_among_others() {
        assert!(accepts(&[0, 4, 0, 42, 0, 0]));
        assert!(accepts(&[0, 9, 0, 16, 0, 1, 9, 0, 42, 0, 0]));
        assert!(!accepts(&[0, 6, 0, 16, 0, 2, 0, 42]));
        for len in 0..6 {
            assert!(!accepts(&[0, 9, 0, 16, 0, 1][..len]));
        }
    }
}
