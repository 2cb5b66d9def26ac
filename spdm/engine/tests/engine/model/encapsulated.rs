//! Encapsulated requests: the responder's requests, valid answers, and their effects.

use crate::model::events::are_groups;
use crate::model::fields::Fields;
use crate::model::identity::signing_input;
use crate::model::requester_slots::SlotEntry;
use crate::model::responder_requests::subscription;
use crate::model::session::Mutual;
use crate::model::state::Model;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::device::EventTypes;
use grille_spdm_engine::identity::{PROVISIONED, usage};
use grille_spdm_engine::operations::{FetchEndpointInfo, ResponderRequest};
use grille_spdm_engine::signatures::{self, ToBeSigned};
use std::collections::BTreeMap;

/// An encapsulated request flow.
pub(crate) struct EncapsulatedFlow {
    /// The session of the flow.
    pub(crate) session: Option<u32>,
    /// The outstanding request, whose RequestID is `id`; empty until it is sent.
    pub(crate) request: Vec<u8>,
    pub(crate) id: u8,
    pub(crate) step: FlowStep,
    /// The requester's DIGESTS in this flow.
    pub(crate) digests: Vec<u8>,
    /// The slots in these DIGESTS.
    announced: BTreeMap<u8, SlotEntry>,
}

impl EncapsulatedFlow {
    fn new(session: Option<u32>, request: Vec<u8>, step: FlowStep) -> Self {
        Self { session, request, id: 0, step, digests: Vec::new(), announced: BTreeMap::new() }
    }
}

#[derive(Clone)]
pub(crate) enum FlowStep {
    Digests,
    /// GET_CERTIFICATE of this slot, the received part of the chain, and the total length from the first portion.
    Certificate(u8, Vec<u8>, Option<usize>),
    Challenge(u8),
    /// KEY_UPDATE. Whether its operation is VerifyNewKey.
    Update(bool),
    /// SEND_EVENT from EventCount on.
    Event(Vec<u8>),
    /// GET_SUPPORTED_EVENT_TYPES.
    EventTypes,
    /// SUBSCRIBE_EVENT_TYPES from its count on.
    Subscribe(Vec<u8>),
    EndpointInfo(FetchEndpointInfo),
}

/// The responder's knowledge about the requester.
#[derive(Default)]
pub(crate) struct KnownPeer {
    /// The slots in the requester's last DIGESTS.
    pub(super) announced: BTreeMap<u8, SlotEntry>,
    /// The hashes of the chains that were fetched from the requester, by slot.
    chain_hashes: BTreeMap<u8, Vec<u8>>,
    /// DIGESTS and CERTIFICATE outside sessions, which the requester's CHALLENGE_AUTH covers.
    b: Vec<u8>,
    /// Whether the requester authenticated itself since the last CHALLENGE.
    pub(crate) proved: bool,
}

/// The contents of a valid answer.
enum AnswerContent {
    Digests(BTreeMap<u8, SlotEntry>),
    /// The part of the chain received so far, and the length of the missing part.
    Portion(Vec<u8>, usize),
    EndpointInfo(Vec<u8>),
    SupportedEventTypes(EventTypes),
    Done,
}

/// The longest chain that the responder accepts.
const LONGEST_CHAIN: usize = 0x8_0000;

impl Model {
    /// Returns whether the requester's public key, or its chain in this slot, is known.
    pub(crate) fn knows_key(&self, slot: u8) -> bool {
        if slot == PROVISIONED {
            self.settings.provisioned
        } else {
            self.peer.chain_hashes.contains_key(&slot)
        }
    }

    /// Returns whether the next request is possible after a valid answer. A chain cannot be fetched from a slot without
    /// one, and a key without the necessary key usage cannot be challenged.
    fn has_next_request(&self, flow: &EncapsulatedFlow, outcome: &AnswerContent) -> bool {
        match (&flow.step, outcome) {
            (_, AnswerContent::Digests(announced)) => self.select_slot(flow, announced).is_some(),
            (FlowStep::Certificate(slot, ..), AnswerContent::Portion(_, 0)) if flow.session.is_none() => {
                self.may_prove(*slot, usage::CHALLENGE)
            }
            _ => true,
        }
    }

    fn may_be_mutual(&self) -> bool {
        self.both_support(Caps::MUT_AUTH.0) && self.req_asym
    }

    /// Returns MutAuthRequested and SlotIDParam of KEY_EXCHANGE_RSP, and the authentication expected in FINISH.
    pub(crate) fn requested_authentication(&self) -> (u8, u8, Mutual) {
        use MutualAuthentication as Mode;
        let (possible, encapsulates) = (self.may_be_mutual(), self.both_support(Caps::ENCAP.0));
        let mode = match self.settings.mutual {
            Mode::No => Mode::No,
            _ if self.flags & Caps::PUB_KEY_ID.0 != 0 => Mode::Slot(PROVISIONED),
            Mode::Slot(PROVISIONED) if encapsulates => Mode::Encapsulated,
            mode => mode,
        };
        match mode {
            Mode::Slot(slot) if possible => (1, slot & 0xF, Mutual::Slot(slot)),
            Mode::Encapsulated if possible && encapsulates => (2, 0, Mutual::Pending),
            Mode::Digests if possible && encapsulates => (4, 0, Mutual::Pending),
            _ => (0, 0, Mutual::No),
        }
    }

    /// Returns whether CHALLENGE_AUTH requests mutual authentication.
    pub(crate) fn requests_mutual_auth(&self) -> bool {
        let unknown = self.flags & Caps::PUB_KEY_ID.0 != 0 && !self.settings.provisioned;
        let challenged = self.both_support(Caps::ENCAP.0) && self.flags & Caps::CHAL.0 != 0;
        self.settings.basic && self.may_be_mutual() && challenged && !unknown
    }

    /// Starts a flow after CHALLENGE_AUTH, or after KEY_EXCHANGE_RSP with this MutAuthRequested.
    pub(crate) fn begin_flow(&mut self, session: Option<u32>, mut_auth: u8) {
        let raw = session.is_none() && self.flags & Caps::PUB_KEY_ID.0 != 0;
        let step = if raw { FlowStep::Challenge(PROVISIONED) } else { FlowStep::Digests };
        // with MutAuthRequested 4, DIGESTS is sent without GET_DIGESTS
        let request = if mut_auth == 4 { vec![self.version, 0x81, 0, 0] } else { Vec::new() };
        self.flows.push(EncapsulatedFlow::new(session, request, step));
    }

    pub(crate) fn flow_at(&self, place: Option<u32>) -> Option<&EncapsulatedFlow> {
        self.flows.iter().find(|flow| flow.session == place)
    }

    fn take_flow(&mut self, place: Option<u32>) -> Option<EncapsulatedFlow> {
        let at = self.flows.iter().position(|flow| flow.session == place)?;
        Some(self.flows.remove(at))
    }

    /// Removes the flows and pending chunks of ended sessions.
    pub(crate) fn end_flows(&mut self) {
        let open = |id: u32| self.sessions.iter().any(|session| session.id == id);
        self.flows.retain(|flow| flow.session.is_none_or(open));
        self.chunked_place.take_if(|place| !place.is_none_or(open));
    }

    /// Returns the errors that DELIVER_ENCAPSULATED_RESPONSE may get.
    pub(crate) fn deliver_errors(&self, place: Option<u32>, m: &[u8]) -> Vec<ErrorCode> {
        match self.flow_at(place) {
            _ if m.len() == 4 => vec![ErrorCode::INVALID_REQUEST],
            None => vec![ErrorCode::UNEXPECTED_REQUEST],
            Some(flow) if m[2] != flow.id => vec![ErrorCode::INVALID_REQUEST],
            Some(flow)
                if self.read(flow, &m[4..]).is_some_and(|content| self.has_next_request(flow, &content)) =>
            {
                Vec::new()
            }
            Some(_) if self.refuses(&m[4..]) => Vec::new(),
            Some(_) => vec![ErrorCode::INVALID_RESPONSE_CODE],
        }
    }

    /// Returns whether the requester's response is ERROR, which ends the flow.
    pub(super) fn refuses(&self, response: &[u8]) -> bool {
        response.len() >= 4 && response[..2] == [self.version, 0x7F]
    }

    /// Returns whether the DELIVER_ENCAPSULATED_RESPONSE `m` accepts UpdateKey, which updates the responder's key. The
    /// acknowledgement is then sent under the new key.
    pub(crate) fn updates_key(&self, place: Option<u32>, m: &[u8]) -> bool {
        m[1] == 0xEB
            && !self.refuses(&m[4..])
            && self.flow_at(place).is_some_and(|flow| matches!(flow.step, FlowStep::Update(false)))
    }

    /// Applies ERROR in response to GET_ENCAPSULATED_REQUEST or DELIVER_ENCAPSULATED_RESPONSE.
    pub(crate) fn flow_refused(&mut self, place: Option<u32>, m: &[u8], error: u8) {
        let too_large = error == 0x0D;
        let here = self.flow_at(place).is_some();
        match m[1] {
            0xEA if too_large || error == 0x05 => {
                self.next_queued_request(place).map(|at| self.queued_requests.remove(at));
                self.take_flow(place);
            }
            // the answer was valid, but the next request is too long
            0xEB if too_large => {
                self.take_answer(place, &m[4..]);
                self.take_flow(place);
                self.end_unauthenticated(place);
            }
            0xEB if here && error == 0x09 => {
                let flow = self.take_flow(place).unwrap();
                // the contents of a valid answer are stored even if no further request is possible
                if let Some(outcome) = self.read(&flow, &m[4..]) {
                    self.store_answer(&flow, &outcome);
                }
                self.end_unauthenticated(place);
            }
            _ => {}
        }
    }

    /// Ends a session whose flow ended without authenticating the requester.
    fn end_unauthenticated(&mut self, place: Option<u32>) {
        self.end(|session| Some(session.id) == place && session.mutual == Mutual::Pending);
    }

    /// Checks ENCAPSULATED_REQUEST.
    pub(crate) fn on_encapsulated_request(&mut self, place: Option<u32>, r: &[u8]) {
        if let Some(at) = self.next_queued_request(place) {
            let step = match self.queued_requests.remove(at).1 {
                ResponderRequest::UpdateKey => FlowStep::Update(false),
                ResponderRequest::Events(list) => {
                    FlowStep::Event([&list.count.to_le_bytes()[..], &list.events].concat())
                }
                ResponderRequest::EventTypes => FlowStep::EventTypes,
                ResponderRequest::Subscribe(types) => FlowStep::Subscribe(subscription(&types)),
                ResponderRequest::EndpointInfo(describe) => FlowStep::EndpointInfo(describe),
            };
            self.flows.push(EncapsulatedFlow::new(place, Vec::new(), step));
        }
        let before = self.flow_at(place).unwrap();
        assert!(
            before.request.is_empty() || (&before.request[..], before.id) == (&r[4..], r[2]),
            "the request is repeated"
        );
        self.check_request(place, r[2], &r[4..]);
    }

    /// Checks that the request belongs to the current step.
    fn check_request(&mut self, place: Option<u32>, id: u8, request: &[u8]) {
        let version = self.version;
        let context = if version >= 0x13 { 8 } else { 0 };
        let large = version >= 0x14 && self.flags & Caps::LARGE_RESP.0 != 0;
        let flow = self.flows.iter_mut().find(|flow| flow.session == place).unwrap();
        let (code, params, rest) = (request[1], [request[2], request[3]], &request[4..]);
        assert_eq!(request[0], version);
        match &flow.step {
            FlowStep::Digests => assert_eq!((code, params, rest.len()), (0x81, [0, 0], 0)),
            FlowStep::Certificate(slot, got, _) => {
                let (at, slot) = if large { (4, slot | 0x80) } else { (0, *slot) };
                let offset = Fields(&rest[at..]).number(if large { 4 } else { 2 });
                assert_eq!((code, params, offset), (0x82, [slot, 0], Some(got.len() as u32)));
            }
            FlowStep::Challenge(slot) => {
                assert_eq!((code, params, rest.len()), (0x83, [*slot, 0], 32 + context));
            }
            FlowStep::Update(prove) => {
                assert_eq!((code, params[0], rest.len()), (0xE9, if *prove { 3 } else { 1 }, 0));
            }
            FlowStep::Event(events) => assert_eq!((code, rest), (0xF1, &events[..])),
            FlowStep::EventTypes => assert_eq!((code, params, rest.len()), (0xE2, [0, 0], 0)),
            FlowStep::Subscribe(wanted) => assert_eq!((code, &request[2..]), (0xF0, &wanted[..])),
            FlowStep::EndpointInfo(FetchEndpointInfo { sub_code, signed }) => {
                assert_eq!((code, params), (0x87, [*sub_code, signed.unwrap_or(0) & 0xF]));
                assert_eq!((rest[0], rest.len()), if signed.is_some() { (1, 36) } else { (0, 4) });
            }
        }
        (flow.request, flow.id) = (request.to_vec(), id);
    }

    /// Checks ENCAPSULATED_RESPONSE_ACK.
    pub(crate) fn on_acknowledged(&mut self, place: Option<u32>, m: &[u8], r: &[u8]) {
        let slot = self.take_answer(place, &m[4..]);
        let late = self.version >= 0x12;
        let payload = &r[if late { 8 } else { 4 }..];
        assert!(!late || r[4] == m[2], "AckRequestID");
        match (self.flow_at(place), slot) {
            (Some(_), _) => {
                assert_eq!(r[3], 1);
                self.check_request(place, r[2], payload);
            }
            (None, Some(slot)) => assert_eq!((r[3], payload), (2, &[slot][..])),
            (None, None) => {
                assert_eq!((r[3], payload.len()), (0, 0));
                self.end_unauthenticated(place);
            }
        }
    }

    /// Parses the answer; `None` if it is invalid. A valid answer has the request's version, the response code of the
    /// request, and contents that fit the request.
    fn read(&self, flow: &EncapsulatedFlow, response: &[u8]) -> Option<AnswerContent> {
        let asked = &flow.request;
        let (header, mut fields) = (response.first_chunk::<4>()?, Fields(&response[4..]));
        let right = asked.len() >= 4 && header[0] == asked[0] && header[1] == asked[1] & 0x7F;
        let hash = self.hash.filter(|_| right)?;
        let late = self.version >= 0x13;
        let outcome = match &flow.step {
            FlowStep::Digests => AnswerContent::Digests(self.read_digests(header, &mut fields, hash)?),
            FlowStep::Certificate(slot, got, total) => {
                let large = self.version >= 0x14 && header[2] & 0x80 != 0;
                let width = if large { 4 } else { 2 };
                fields.take(if large { 4 } else { 0 })?;
                let (len, rest) = (fields.number(width)? as usize, fields.number(width)? as usize);
                let all = [got, fields.take(len)?].concat();
                let announced = flow.announced.get(slot).map(|announced| &announced.digest[..]);
                let whole = rest > 0
                    || all == self.settings.host.chain(hash)
                        && announced == Some(self.settings.host.digest(hash, *slot).as_ref());
                let sent_model = if late { header[3] & 7 } else { 0 };
                let model = flow.announced.get(slot).map(|announced| announced.model);
                let fine = header[2] & 0xF == *slot && model == Some(sent_model) && len > 0;
                let fine = fine && whole && all.len() + rest <= LONGEST_CHAIN;
                let fine = fine && total.is_none_or(|total| total == all.len() + rest);
                AnswerContent::Portion(Some(all).filter(|_| fine)?, rest)
            }
            FlowStep::Challenge(slot) => {
                let chain = fields.take(hash.output_len())?;
                fields.take(32)?;
                let opaque = fields.counted(2)?;
                let context = fields.take(if late { 8 } else { 0 })?;
                // no request for mutual authentication, and a slot whose chain no later DIGESTS removed
                let fine = header[2] & 0x8F == slot & 0xF
                    && self.knows_key(*slot)
                    && (*slot > 7 || header[3] >> slot & 1 == 1)
                    && self.accepts_opaque(opaque)
                    && chain == self.settings.host.digest(hash, *slot).as_ref()
                    && context == &asked[36..];
                fields.take(self.signature_len())?;
                Some(AnswerContent::Done).filter(|_| fine && self.is_signed(flow, response))?
            }
            FlowStep::Update(_) => Some(AnswerContent::Done).filter(|_| header[2..] == asked[2..4])?,
            FlowStep::Event(_) | FlowStep::Subscribe(_) => AnswerContent::Done,
            FlowStep::EventTypes => {
                let types = EventTypes { count: header[2], groups: fields.counted(4)?.to_vec() };
                AnswerContent::SupportedEventTypes(
                    Some(types).filter(|types| are_groups(types.count, &types.groups))?,
                )
            }
            FlowStep::EndpointInfo(FetchEndpointInfo { signed, .. }) => {
                fields.take(if signed.is_some() { 4 + 32 } else { 4 })?;
                let info = fields.counted(4)?.to_vec();
                let fine = header[3] & 0xF == signed.unwrap_or(0) & 0xF;
                fields.take(if signed.is_some() { self.signature_len() } else { 0 })?;
                let proved = |slot| self.knows_key(slot) && self.is_signed(flow, response);
                let fine = fine && signed.is_none_or(proved);
                AnswerContent::EndpointInfo(Some(info).filter(|_| fine)?)
            }
        };
        fields.expect_end().map(|()| outcome)
    }

    /// Returns the input of the signature at the end of a response with this `body`.
    pub(crate) fn to_be_signed(&self, flow: &EncapsulatedFlow, body: &[u8]) -> ToBeSigned {
        let (context, b) = match flow.step {
            FlowStep::EndpointInfo(_) => (signatures::ENCAPSULATED_ENDPOINT_INFO, &[][..]),
            _ => (signatures::ENCAPSULATED_CHALLENGE_AUTH, &self.peer.b[..]),
        };
        // M1/M2 of the requester contains VCA since 1.2
        let vca = if self.version >= 0x12 { &self.vca[..] } else { &[] };
        signing_input(self.version, self.hash.unwrap(), context, &[vca, b, &flow.request, body])
    }

    fn is_signed(&self, flow: &EncapsulatedFlow, response: &[u8]) -> bool {
        let at = response.len().checked_sub(self.signature_len());
        let (body, signature) = response.split_at(at.unwrap_or(response.len()));
        self.req_asym && self.settings.host.verifies_signature(&self.to_be_signed(flow, body), signature)
    }

    /// Binds the session to the requester's chain. Returns whether the flow belongs to a session.
    fn bind_session(&mut self, flow: &EncapsulatedFlow, slot: u8, chain: &[u8]) -> bool {
        let digest = self.hash.unwrap().digest(&[chain]);
        let announced = if self.multi_key { &flow.digests[..] } else { &[] };
        let session = flow.session.and_then(|id| self.session(id));
        session.map(|session| session.bind(slot, &[announced, digest.as_ref()].concat())).is_some()
    }

    /// Stores the contents of a valid answer.
    fn store_answer(&mut self, flow: &EncapsulatedFlow, outcome: &AnswerContent) {
        match (&flow.step, outcome) {
            (_, AnswerContent::Digests(announced)) => {
                // a changed or removed chain is no longer known
                self.peer.chain_hashes.retain(|slot, known| {
                    announced.get(slot).is_some_and(|announced| announced.digest == *known)
                });
                self.peer.announced.clone_from(announced);
            }
            (FlowStep::Certificate(slot, ..), AnswerContent::Portion(all, 0)) => {
                self.peer.chain_hashes.insert(*slot, self.hash.unwrap().digest(&[all]).as_ref().to_vec());
            }
            _ => {}
        }
    }

    /// Applies a valid answer and advances to the next request. Returns the slot for FINISH, once known.
    fn take_answer(&mut self, place: Option<u32>, response: &[u8]) -> Option<u8> {
        let mut flow = self.take_flow(place).unwrap();
        if self.refuses(response) {
            self.on_declined(place, flow.request[1], response);
            return None;
        }
        let outcome = self.read(&flow, response).unwrap();
        self.store_answer(&flow, &outcome);
        self.device_state.answered.insert(flow.request[1]);
        let pair = [&flow.request[..], response].concat();
        let next = match (flow.step.clone(), outcome) {
            (FlowStep::Digests, AnswerContent::Digests(digests)) => {
                flow.digests = response.to_vec();
                if place.is_none() {
                    self.peer.b = pair;
                }
                let slot = self.select_slot(&flow, &digests).unwrap();
                flow.announced = digests;
                FlowStep::Certificate(slot, Vec::new(), None)
            }
            (FlowStep::Certificate(slot, ..), AnswerContent::Portion(all, rest)) => {
                if place.is_none() {
                    self.peer.b.extend(pair);
                }
                if rest > 0 {
                    let total = Some(all.len() + rest);
                    FlowStep::Certificate(slot, all, total)
                } else if self.bind_session(&flow, slot, &all) {
                    return Some(slot);
                } else {
                    FlowStep::Challenge(slot)
                }
            }
            (FlowStep::Challenge(_), _) => {
                self.peer.b.clear();
                self.peer.proved = true;
                return None;
            }
            (FlowStep::Update(false), _) => FlowStep::Update(true),
            (FlowStep::Subscribe(wanted), _) => {
                self.session(place.unwrap()).unwrap().responder_subscribed = wanted[0] != 0;
                return None;
            }
            (FlowStep::EventTypes, AnswerContent::SupportedEventTypes(types)) => {
                self.device_log.offered.push((place.unwrap(), types));
                return None;
            }
            (FlowStep::EndpointInfo(describe), AnswerContent::EndpointInfo(info)) => {
                self.device_log.endpoint_infos.push((place, describe, info));
                return None;
            }
            _ => return None,
        };
        self.flows.push(EncapsulatedFlow { step: next, ..flow });
        None
    }
}
