//! Encryption and decryption of records: an encrypted record decrypts once, in the order of the records, to the same
//! bytes. Altered, repeated and forged records are rejected. The first byte of the input chooses the record layout, the
//! first byte of a packet the action.
#![no_main]

use grille_fuzz::Counter;
use grille_fuzz::spdm::packets;
use grille_fuzz::spdm::records::{MESSAGE, PLAINTEXT};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::key_schedule::{Application, TrafficSecret};
use grille_spdm_engine::records::{AEADS, Layout, RecordError, RecordKey};

const SESSION: u32 = 7;

/// The sender and the receiver of records, and the number of records that were lost since the last one received.
struct RecordChannel {
    layout: Layout,
    sender: RecordKey,
    receiver: RecordKey,
    lost: u64,
}

impl RecordChannel {
    /// Makes sender and receiver with the parameters in `choice`. Bits 0 and 1 select the AEAD. If bit 2 is set,
    /// records are not encrypted; if bit 3 is set, they contain a sequence number. Bits 4 and 5 select the padding, and
    /// bits 6 and 7 the maximum number of records per key.
    fn new(choice: u8) -> Self {
        let bits = |low: u8| usize::from(choice >> low & 3);
        let layout = Layout {
            sequence_len: 2 * (bits(3) & 1),
            padding: [0, 1, 32, 255][bits(4)],
            encrypted: bits(2) & 1 == 0,
        };
        let key = || {
            let secret = TrafficSecret::<Application>::from_key_log(&HASHES[1], 0x14, (&[7; 48][..]).into());
            let mut key = secret.record_key(&AEADS[bits(0) % AEADS.len()]);
            key.set_limit([64, 0, 1, 4][bits(6)]);
            key
        };
        Self { layout, sender: key(), receiver: key(), lost: 0 }
    }

    /// Encrypts a record; returns `None` if the input itself is a forged record.
    fn seal(&mut self, form: u8, bytes: &[u8]) -> Option<Result<Vec<u8>, RecordError>> {
        match form & 3 {
            MESSAGE => Some(self.sender.seal(SESSION, self.layout, bytes, &mut Counter::default())),
            PLAINTEXT => Some(self.sender.seal_inside(SESSION, self.layout, bytes)),
            _ => None,
        }
    }

    /// Returns the expected plaintext; `None` if the input has an invalid length field.
    fn expected_plaintext<'b>(&self, form: u8, bytes: &'b [u8]) -> Option<&'b [u8]> {
        if form & 3 == MESSAGE || !self.layout.encrypted {
            return Some(bytes);
        }
        let (len, rest) = bytes.split_first_chunk()?;
        rest.get(..u16::from_le_bytes(*len).into())
    }
}

/// Flag: the record is altered in transit.
const ALTERED: u8 = 4;
/// Flag: the receiver knows the number of lost records.
const LOSS_KNOWN: u8 = 8;

libfuzzer_sys::fuzz_target!(|data: &[u8]| {
    let Some((&choice, data)) = data.split_first() else { return };
    let mut channel = RecordChannel::new(choice);
    for (form, bytes) in packets(data) {
        let mut record = match channel.seal(form, bytes) {
            None => {
                assert!(
                    channel.receiver.open(channel.layout, bytes).is_err(),
                    "a forged record was accepted"
                );
                continue;
            }
            Some(Ok(record)) => record,
            Some(Err(error)) => {
                assert!(matches!(error, RecordError::Exhausted | RecordError::TooLong), "{error}");
                continue;
            }
        };
        assert_eq!(channel.layout.record_len(&record), Some(record.len()));
        if form & ALTERED != 0 {
            let at = usize::from(form >> 4) * record.len() / 16;
            record[at] ^= 1;
        }
        let missing = if form & LOSS_KNOWN == 0 { 0 } else { channel.lost };
        let opened = channel.receiver.open_after(missing, channel.layout, &record);
        if form & ALTERED != 0 || missing != channel.lost {
            assert!(opened.is_err(), "an altered or reordered record was accepted");
            channel.lost += 1;
            continue;
        }
        channel.lost = 0;
        let expected = channel.expected_plaintext(form, bytes).ok_or(RecordError::Inside);
        assert_eq!(opened.as_ref().map(|data| &data[..]).map_err(|error| *error), expected);
        assert!(channel.receiver.open(channel.layout, &record).is_err(), "a record was accepted twice");
    }
});
