//! Sessions whose shared secret is known: their keys follow from the messages of the handshake.

use crate::chains::Chains;
use crate::negotiated::Negotiated;
use crate::types::Side;
use grille_spdm_codec::finish::Finish;
use grille_spdm_codec::{Message, Sizes};
use grille_spdm_engine::hash::Hash;
use grille_spdm_engine::key_schedule::{Application, Handshake, KeySchedule, Origin, Traffic, TrafficSecret};
use grille_spdm_engine::session::SessionId;

/// KEY_EXCHANGE and KEY_EXCHANGE_RSP, with everything that their TH needs.
#[derive(Clone, Copy)]
pub(crate) struct KeyExchangePair<'a> {
    pub(crate) negotiated: &'a Negotiated,
    pub(crate) chains: &'a Chains,
    pub(crate) request: &'a [u8],
    pub(crate) response: &'a [u8],
    /// The length of ResponderVerifyData; 0 if the handshake continues in the clear.
    pub(crate) verify_data_len: usize,
}

/// A handshake whose shared secret is known.
pub(crate) struct KnownHandshake {
    pub(crate) id: SessionId,
    hash: &'static Hash,
    schedule: KeySchedule<Handshake>,
    /// TH so far.
    th: Vec<u8>,
}

impl KnownHandshake {
    /// Derives the handshake secrets. Returns `None` if the capture lacks a part of TH, or ResponderVerifyData does not
    /// match. Secret: `shared`.
    pub(crate) fn begin(
        id: SessionId,
        pair: KeyExchangePair<'_>,
        shared: &[u8],
    ) -> Option<(Self, Traffic<Handshake>)> {
        let KeyExchangePair { negotiated, chains, request, response, verify_data_len } = pair;
        let hash = negotiated.hash?;
        let mut th = negotiated.short_vca.clone()?;
        chains.append_to_th(&mut th, Side::Responder, *request.get(3)?, negotiated)?;
        let (body, mac) = response.split_at_checked(response.len().checked_sub(verify_data_len)?)?;
        th.extend([request, body].concat());
        let schedule = KeySchedule::new(hash, negotiated.rules(), Origin::KeyExchange, shared);
        let traffic = schedule.traffic(&hash.digest(&[&th]));
        if !mac.is_empty() && !is_verify_data(negotiated, hash, &traffic.response, &th, mac) {
            return None;
        }
        th.extend_from_slice(mac);
        Some((Self { id, hash, schedule, th }, traffic))
    }

    /// Adds FINISH. Returns `None` if the capture lacks the requester's chain.
    pub(crate) fn add_request(
        mut self,
        negotiated: &Negotiated,
        chains: &Chains,
        bytes: &[u8],
        sizes: &Sizes,
    ) -> Option<Self> {
        let (message, len) = Finish::decode_prefix(bytes, sizes).ok()?;
        if message.signed {
            chains.append_to_th(&mut self.th, Side::Requester, message.req_slot, negotiated)?;
        }
        self.th.extend_from_slice(bytes.get(..len)?);
        Some(self)
    }

    /// Adds FINISH_RSP, and derives the application secrets.
    pub(crate) fn finish(mut self, response: &[u8]) -> Traffic<Application> {
        self.th.extend_from_slice(response);
        self.schedule.finish().traffic(&self.hash.digest(&[&self.th]))
    }
}

/// Returns whether `mac` is the side's VerifyData. In the dialect of openspdm-pqc, the MAC covers TH itself instead of
/// its hash.
fn is_verify_data(
    negotiated: &Negotiated,
    hash: &'static Hash,
    secret: &TrafficSecret<Handshake>,
    th: &[u8],
    mac: &[u8],
) -> bool {
    let expected = match negotiated.is_dialect() {
        true => secret.verify_data(th),
        false => secret.verify_data(&hash.digest(&[th])),
    };
    expected.as_ref() == mac
}
