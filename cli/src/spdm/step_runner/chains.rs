//! The chains in a device's slots, and errors explained by the state of the slots.

use super::{Client, StepRunner};
use crate::error::Error;
use crate::hex;
use crate::spdm::advice::{KEY_PAIR_ADVICE, REFUSED_SESSION_ADVICE};
use crate::spdm::algorithms::spdm_key_name;
use crate::spdm::claims::Claims;
use crate::spdm::emulation::Step;
use crate::spdm::link::ExchangeError;
use crate::spdm::options::in_era;
use crate::spdm::tree::Node;
use grille_pki::Certificate;
use grille_registry::Numbers;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::chain;
use grille_spdm_engine::error::{Error as EngineError, Usage};
use grille_spdm_engine::operations::{FetchCertificate, FetchDigests, SlotDigest};
use grille_spdm_engine::requester::Requester;

impl StepRunner<'_> {
    /// Sets the object identifiers in the device's certificates.
    pub(crate) const fn use_numbers(&mut self, numbers: Numbers) {
        self.numbers = numbers;
    }

    pub(super) fn digests(&mut self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        self.digests = party.run(FetchDigests, self.session)?;
        let line = |slot: &SlotDigest| {
            let node =
                Node::new(format!("slot {}", slot.slot), hex::encode(slot.digest.as_ref()).to_string());
            match slot.key_pair_id {
                0 => node,
                pair => node.with(Node::new(
                    "key pair",
                    format!("{pair}, model {}, usage {:#06x}", slot.model, slot.key_usage),
                )),
            }
        };
        Ok(Node::new("DIGESTS", "").with_all(self.digests.iter().map(line)))
    }

    /// Fetches the chains of all slots in DIGESTS, or of the selected slot if DIGESTS was not fetched. Chains of
    /// other slots need not be trusted.
    pub(super) fn certificates(&mut self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let announced: Vec<u8> = self.digests.iter().map(|slot| slot.slot).collect();
        let slots = if announced.is_empty() { vec![self.slot] } else { announced };
        let mut nodes = Vec::new();
        for slot in slots {
            let name = format!("slot {slot}");
            match party.run(FetchCertificate::new(slot), self.session) {
                Ok(chain) => {
                    nodes.push(self.mark_trust(slot, show_chain(party.0, slot, &chain, self.numbers)?));
                    if slot == self.slot {
                        self.chain = chain;
                    }
                }
                Err(fault) => {
                    let error = Error::from(fault);
                    self.partial_results = nodes;
                    self.partial_results.push(Node::new(&name, error.to_string()).bad());
                    return Err(error.with_subject(name).into());
                }
            }
        }
        Ok(Node::new("CERTIFICATE", "").with_all(nodes))
    }

    /// Marks a chain as trusted or not.
    fn mark_trust(&self, slot: u8, line: Node) -> Node {
        match (self.slot_errors, self.slot_errors.and_then(|slot_errors| slot_errors.error_for_slot(slot))) {
            (None, _) => line.with(no_roots_line()),
            (_, None) => line.good(),
            (_, Some(why)) => line.bad().with(Node::new("not trusted", why)),
        }
    }

    /// Returns the line of a step, and the error if the step failed.
    pub(super) fn finish_step(
        &mut self,
        outcome: Result<Node, ExchangeError>,
        step: Step,
    ) -> (Node, Result<(), Error>) {
        match outcome {
            Ok(node) => (node, Ok(())),
            Err(fault) => {
                let error = self.explain(fault);
                let node = Node::new(step.name(), error.to_string()).bad();
                (node.with_all(self.partial_results.drain(..)), Err(error))
            }
        }
    }

    /// Returns a text that says that a slot is missing from DIGESTS; `None` if the slot is present, or DIGESTS was not
    /// fetched.
    pub(super) fn empty_slot_text(&self, slot: u8) -> Option<String> {
        let slots: Vec<String> = self.digests.iter().map(|slot| slot.slot.to_string()).collect();
        let is_empty = !slots.is_empty() && self.digests.iter().all(|known| known.slot != slot);
        is_empty.then(|| format!("slot {slot} is empty: DIGESTS lists {}", slots.join(", ")))
    }

    /// Converts a failure to an error, and adds advice that depends on the state of the slots.
    fn explain(&self, fault: ExchangeError) -> Error {
        use EngineError::{Refused, Usage as Wrong};
        let refused = match &fault {
            ExchangeError::Engine(
                Refused { request, code: ErrorCode::INVALID_REQUEST, .. } | Wrong(Usage::KeyPair { request }),
            ) => Some(*request),
            _ => None,
        };
        match (&fault, refused, self.empty_slot_text(self.slot)) {
            (ExchangeError::Engine(Wrong(Usage::NoChain { slot })), _, Some(empty)) if *slot == self.slot => {
                Error::failure(empty).advise("choose another slot with --slot-id")
            }
            // A responder without a negotiated state expects a negotiation (DSP0274 "ERROR").
            (ExchangeError::Engine(Refused { code: ErrorCode::UNEXPECTED_REQUEST, .. }), ..)
                if self.how.state_files.loads_state() && self.attempted.len() == 1 =>
            {
                Error::from(fault).advise(OTHER_STATE)
            }
            (_, Some(Code::GET_CSR), Some(empty)) => {
                Error::from(fault).advise(format_args!("choose another slot with --slot-id: {empty}"))
            }
            (_, Some(Code::GET_CSR), None) if self.digests.is_empty() => {
                Error::from(fault).advise(KEY_PAIR_ADVICE)
            }
            (_, Some(Code::SET_CERTIFICATE), Some(empty)) => Error::from(fault).with_subject(empty),
            (_, Some(Code::KEY_EXCHANGE), _) if !self.chain.is_empty() => {
                Error::from(fault).advise(REFUSED_SESSION_ADVICE)
            }
            _ => fault.into(),
        }
    }
}

/// Advice if the responder does not expect the first request after a loaded state.
const OTHER_STATE: &str = "start without --load-state: the responder may not have that state";

fn no_roots_line() -> Node {
    Node::new("trust", "not checked without trusted roots; give them with --ca").skipped()
}

/// Shows the certificates of a slot, each below its issuer, with their device claims.
fn show_chain(
    requester: &Requester,
    slot: u8,
    bytes: &[u8],
    numbers: Numbers,
) -> Result<Node, ExchangeError> {
    let hash = requester.connection().negotiated().map(|negotiated| negotiated.algorithms.hash);
    let hash = hash.ok_or_else(|| Error::failure("nothing was negotiated"))?;
    let parsed = chain::parse(hash, bytes).map_err(EngineError::from)?;
    let line = |certificate: &Certificate| {
        let key = certificate.public_key().map_or("unknown", |key| spdm_key_name(key.row()));
        let claims = Claims::new(certificate);
        Node::new(certificate.subject(), key)
            .with_all(claims.lines().map(|(label, text)| Node::new(label, text)))
    };
    let (issuers, leaf) = (in_era(parsed.issuers, numbers), parsed.leaf.in_era(numbers));
    let issued = issuers.iter().rev().fold(line(&leaf), |below, issuer| line(issuer).with(below));
    Ok(Node::new(format!("slot {slot}"), format!("{} bytes", bytes.len())).with(issued))
}
