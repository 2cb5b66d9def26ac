//! The state of a connection that checks need, and the checks of signatures.

use super::check::{Check, Outcome, Subject};
use super::handshakes::Handshakes;
use super::peers::Peer;
use crate::keys::Keys;
use crate::negotiated::Negotiated;
use crate::types::{Container, Side};
use grille_spdm_codec::{Sizes, Version};
use grille_spdm_engine::algorithms::{Asym, NegotiatedAlgorithms};
use grille_spdm_engine::hash::Digest;
use grille_spdm_engine::observer::Observer;
use grille_spdm_engine::session::SessionId;
use grille_spdm_engine::signatures::{self, ToBeSigned};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// The state of one connection that checks need.
#[derive(Default)]
pub(crate) struct Verifier {
    pub(super) observer: Observer,
    pub(super) algorithms: Option<(Version, NegotiatedAlgorithms)>,
    /// The pending requests by session, including encapsulated requests of the responder.
    pub(super) requests: BTreeMap<Option<SessionId>, Vec<u8>>,
    pub(super) encapsulated_requests: BTreeMap<Option<SessionId>, Vec<u8>>,
    /// The last request of VCA. If the requester repeats it, the responder repeats its response; the transcripts
    /// contain the repeated request and response only once.
    pub(super) last_vca_request: Vec<u8>,
    /// The requester and the responder.
    pub(super) peers: [Peer; 2],
    pub(super) handshakes: Handshakes,
    /// Whether a record was not decrypted. Its unknown message may have ended B, a part of the transcript M1/M2.
    pub(super) has_undecrypted: bool,
}

/// A message with its context.
#[derive(Clone, Copy)]
pub(crate) struct MessageContext<'a> {
    pub(crate) negotiated: &'a Negotiated,
    pub(crate) keys: &'a Keys,
    pub(crate) from: Side,
    pub(crate) session: Option<SessionId>,
    pub(crate) bytes: &'a [u8],
    pub(crate) sizes: &'a Sizes,
    pub(crate) within: Container,
}

const UNREADABLE: Cow<'static, str> = Cow::Borrowed("the message cannot be decoded");
const NO_NEGOTIATION: &str = "the capture lacks the negotiation";

impl Verifier {
    /// Checks a signature over a transcript.
    pub(super) fn check_signature(
        &self,
        prover: Side,
        slot: u8,
        context: &'static str,
        digest: Option<Digest>,
        signature: &[u8],
    ) -> Check {
        let key = self.peers[prover as usize].key(slot);
        let outcome = match (digest, self.signing_algorithm(prover), key) {
            (None, ..) | (_, None, _) => Outcome::Unchecked(NO_NEGOTIATION),
            (.., Err(reason)) => Outcome::Unchecked(reason),
            (Some(digest), Some((version, of, asym)), Ok(key)) => {
                let message = ToBeSigned::new(version, context, of.hash, &digest);
                match signatures::verify(asym, key, &message, signature) {
                    Ok(()) => Outcome::Right,
                    Err(error) => Outcome::Wrong(error.to_string().into()),
                }
            }
        };
        Check { outcome, ..self.unreadable_check(prover, slot) }
    }

    /// Returns the check of a signature that cannot be read: wrong, because the message cannot be decoded, or unchecked,
    /// because the capture lacks the negotiation.
    pub(super) fn unreadable_check(&self, prover: Side, slot: u8) -> Check {
        let algorithm = self.signing_algorithm(prover).map_or("", |(_, _, asym)| asym.name());
        let outcome = match self.algorithms {
            Some(_) => Outcome::Wrong(UNREADABLE),
            None => Outcome::Unchecked(NO_NEGOTIATION),
        };
        Check { subject: Subject::Signature, prover, slot: Some(slot), algorithm, outcome }
    }

    pub(super) fn chain_check(&self, prover: Side, slot: u8, outcome: Outcome) -> Check {
        let algorithm = self.algorithms.map_or("", |(_, of)| of.hash.name);
        Check { subject: Subject::Chain, prover, slot: Some(slot), algorithm, outcome }
    }

    /// Returns the version, the negotiated algorithms, and the algorithm with which `prover` signs; `None` if
    /// `prover` has no algorithm, or the negotiation is unknown.
    fn signing_algorithm(&self, prover: Side) -> Option<(Version, NegotiatedAlgorithms, Asym)> {
        let (version, of) = self.algorithms?;
        let asym = match prover {
            Side::Requester => of.req_asym,
            Side::Responder => of.asym,
        };
        Some((version, of, asym?))
    }
}
