//! The DIGESTS and certificate chains of both sides, which TH represents by their hashes.

use crate::negotiated::Negotiated;
use crate::types::Side;
use grille_spdm_codec::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::{Code, Header, Message, Sizes, messages, pqc2021};
use grille_spdm_engine::identity::PROVISIONED;
use std::collections::BTreeMap;

/// The portions of a chain that have arrived.
#[derive(Default)]
pub(crate) struct Portions {
    slot: u8,
    bytes: Vec<u8>,
}

impl Portions {
    /// Adds a portion of a chain. Returns the chain after its last portion.
    pub(crate) fn add(&mut self, slot: u8, offset: u32, portion: &[u8], remainder: u32) -> Option<Vec<u8>> {
        if offset == 0 {
            self.bytes.clear();
            self.slot = slot;
        }
        // A repeated portion, or a portion of another chain.
        if self.slot != slot || offset as usize != self.bytes.len() || portion.is_empty() {
            return None;
        }
        self.bytes.extend_from_slice(portion);
        (remainder == 0).then(|| std::mem::take(&mut self.bytes))
    }
}

/// The DIGESTS and chains of both sides.
#[derive(Default)]
pub(crate) struct Chains {
    /// The offset in the last GET_CERTIFICATE to each side.
    offsets: [u32; 2],
    portions: [Portions; 2],
    /// The complete chains of each side by slot.
    chains: [BTreeMap<u8, Vec<u8>>; 2],
    /// The last DIGESTS of each side. The requester's is cleared by KEY_EXCHANGE, because TH contains it only if it
    /// was sent in the handshake.
    digests: [Vec<u8>; 2],
}

impl Chains {
    /// Updates the chains with a message from this side. Messages that cannot be decoded have no effect.
    pub(crate) fn update(&mut self, from: Side, negotiated: &Negotiated, bytes: &[u8], sizes: &Sizes) {
        match Header::decode(bytes).map(|header| header.code) {
            Ok(Code::GET_VERSION) => *self = Self::default(),
            Ok(Code::KEY_EXCHANGE) => self.digests[Side::Requester as usize].clear(),
            Ok(Code::DIGESTS) => {
                let len = messages::observe(bytes, sizes, &mut ()).unwrap_or(bytes.len());
                self.digests[from as usize] = bytes.get(..len).unwrap_or(bytes).to_vec();
            }
            Ok(Code::GET_CERTIFICATE) => {
                let offset = requested_offset(negotiated, bytes, sizes).unwrap_or_default();
                self.offsets[from.other() as usize] = offset;
            }
            Ok(Code::CERTIFICATE) => self.add_portion(from, negotiated, bytes, sizes).unwrap_or_default(),
            _ => {}
        }
    }

    /// Adds the portion in CERTIFICATE. Returns `None` if the message cannot be decoded.
    fn add_portion(
        &mut self,
        from: Side,
        negotiated: &Negotiated,
        bytes: &[u8],
        sizes: &Sizes,
    ) -> Option<()> {
        let (slot, portion, remainder) = if negotiated.is_dialect() {
            let (message, _) = pqc2021::certificate::Certificate::decode_prefix(bytes, sizes).ok()?;
            (message.slot, message.portion, message.remainder)
        } else {
            let (message, _) = Certificate::decode_prefix(bytes, sizes).ok()?;
            (message.slot, message.portion, message.remainder)
        };
        let (side, offset) = (from as usize, self.offsets[from as usize]);
        let whole = self.portions[side].add(slot, offset, portion, remainder);
        self.chains[side].extend(whole.map(|chain| (slot, chain)));
        Some(())
    }

    /// Appends the representation of a side's slot to TH. Returns `None` if the slot's chain or provisioned key is
    /// unknown.
    pub(crate) fn append_to_th(
        &self,
        th: &mut Vec<u8>,
        side: Side,
        slot: u8,
        negotiated: &Negotiated,
    ) -> Option<()> {
        if negotiated.is_multi_key(side) {
            th.extend_from_slice(&self.digests[side as usize]);
        }
        if negotiated.is_dialect() && slot == PROVISIONED {
            return Some(());
        }
        let (hash, chain) = (negotiated.hash?, self.chains[side as usize].get(&slot)?);
        // The dialect hashes the certificates alone, without the header of the chain.
        let header = if negotiated.is_dialect() { 4 + hash.output_len() } else { 0 };
        th.extend_from_slice(hash.digest(&[chain.get(header..)?]).as_ref());
        Some(())
    }
}

/// Returns Offset of GET_CERTIFICATE; `None` if the message cannot be decoded.
fn requested_offset(negotiated: &Negotiated, bytes: &[u8], sizes: &Sizes) -> Option<u32> {
    if negotiated.is_dialect() {
        let request = pqc2021::certificate::GetCertificate::decode_prefix(bytes, sizes);
        return request.ok().map(|(request, _)| request.offset);
    }
    GetCertificate::decode_prefix(bytes, sizes).ok().map(|(request, _)| request.offset)
}
