//! Encapsulated requests: the responder's requests, valid answers, and their effects.

use crate::model::announced::Told;
use crate::model::events::are_groups;
use crate::model::fields::Fields;
use crate::model::identity::signed;
use crate::model::questions::subscription;
use crate::model::session::Mutual;
use crate::model::state::Model;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::device::EventTypes;
use grille_spdm_engine::identity::{PROVISIONED, usage};
use grille_spdm_engine::operations::{Describe, Question};
use grille_spdm_engine::signatures::{self, ToBeSigned};
use std::collections::BTreeMap;

/// An encapsulated request flow.
pub(crate) struct Interview {
    /// The session of the flow.
    pub(crate) session: Option<u32>,
    /// The outstanding request with its RequestID; empty until it was sent.
    pub(crate) request: Vec<u8>,
    pub(crate) id: u8,
    pub(crate) step: Step,
    /// The requester's DIGESTS in this flow, and its parsed contents.
    pub(crate) told: Vec<u8>,
    announced: BTreeMap<u8, Told>,
}

impl Interview {
    fn new(session: Option<u32>, request: Vec<u8>, step: Step) -> Self {
        Self { session, request, id: 0, step, told: Vec::new(), announced: BTreeMap::new() }
    }
}

#[derive(Clone)]
pub(crate) enum Step {
    Digests,
    /// GET_CERTIFICATE of this slot, the received part of the chain, and the total length from the first portion.
    Certificate(u8, Vec<u8>, Option<usize>),
    Challenge(u8),
    /// KEY_UPDATE; whether the new key must be verified.
    Update(bool),
    /// SEND_EVENT from EventCount on.
    Event(Vec<u8>),
    /// GET_SUPPORTED_EVENT_TYPES.
    EventTypes,
    /// SUBSCRIBE_EVENT_TYPES from its count on.
    Subscribe(Vec<u8>),
    Describe(Describe),
}

/// The knowledge about the requester.
#[derive(Default)]
pub(crate) struct Acquaintance {
    /// The slots in its last DIGESTS, and the hashes of its fetched chains.
    pub(super) announced: BTreeMap<u8, Told>,
    shown: BTreeMap<u8, Vec<u8>>,
    /// DIGESTS and CERTIFICATE outside sessions, which its CHALLENGE_AUTH covers.
    b: Vec<u8>,
    /// Whether it authenticated since the last CHALLENGE.
    pub(crate) proved: bool,
}

/// The contents of a valid answer.
enum Outcome {
    Digests(BTreeMap<u8, Told>),
    /// The chain so far, and the length of the rest.
    Portion(Vec<u8>, usize),
    Described(Vec<u8>),
    Offered(EventTypes),
    Done,
}

/// The longest chain that the responder accepts.
const LONGEST_CHAIN: usize = 0x8_0000;

impl Model {
    /// Returns whether the requester's public key, or its chain in this slot, is known.
    pub(crate) fn knows(&self, slot: u8) -> bool {
        if slot == PROVISIONED { self.settled.acquainted } else { self.peer.shown.contains_key(&slot) }
    }

    /// Returns whether the next request is possible after a valid answer. A slot without a chain cannot be fetched, and a key
    /// without the usage cannot be challenged.
    fn leads_on(&self, interview: &Interview, outcome: &Outcome) -> bool {
        match (&interview.step, outcome) {
            (_, Outcome::Digests(told)) => self.chosen(interview, told).is_some(),
            (Step::Certificate(slot, ..), Outcome::Portion(_, 0)) if interview.session.is_none() => {
                self.may_prove(*slot, usage::CHALLENGE)
            }
            _ => true,
        }
    }

    fn may_be_mutual(&self) -> bool {
        self.both(Caps::MUT_AUTH.0) && self.req_asym
    }

    /// Returns MutAuthRequested and SlotIDParam of KEY_EXCHANGE_RSP, and the authentication expected in FINISH.
    pub(crate) fn demand(&self) -> (u8, u8, Mutual) {
        use MutualAuthentication as Mode;
        let (possible, encapsulates) = (self.may_be_mutual(), self.both(Caps::ENCAP.0));
        let mode = match self.settled.mutual {
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
    pub(crate) fn asks_back(&self) -> bool {
        let unknown = self.flags & Caps::PUB_KEY_ID.0 != 0 && !self.settled.acquainted;
        let challenged = self.both(Caps::ENCAP.0) && self.flags & Caps::CHAL.0 != 0;
        self.settled.basic && self.may_be_mutual() && challenged && !unknown
    }

    /// Starts a flow after CHALLENGE_AUTH, or after KEY_EXCHANGE_RSP with this MutAuthRequested.
    pub(crate) fn begin_interview(&mut self, session: Option<u32>, mut_auth: u8) {
        let raw = session.is_none() && self.flags & Caps::PUB_KEY_ID.0 != 0;
        let step = if raw { Step::Challenge(PROVISIONED) } else { Step::Digests };
        // DIGESTS may be sent without GET_DIGESTS
        let request = if mut_auth == 4 { vec![self.version, 0x81, 0, 0] } else { Vec::new() };
        self.interviews.push(Interview::new(session, request, step));
    }

    pub(crate) fn here(&self, place: Option<u32>) -> Option<&Interview> {
        self.interviews.iter().find(|interview| interview.session == place)
    }

    fn take_here(&mut self, place: Option<u32>) -> Option<Interview> {
        let at = self.interviews.iter().position(|interview| interview.session == place)?;
        Some(self.interviews.remove(at))
    }

    /// Removes the flows and pending chunks of ended sessions.
    pub(crate) fn bury(&mut self) {
        let open = |id: u32| self.sessions.iter().any(|session| session.id == id);
        self.interviews.retain(|interview| interview.session.is_none_or(open));
        self.in_chunks.take_if(|place| !place.is_none_or(open));
    }

    /// Returns the errors that DELIVER_ENCAPSULATED_RESPONSE may get.
    pub(crate) fn wrong_answer(&self, place: Option<u32>, m: &[u8]) -> Vec<ErrorCode> {
        match self.here(place) {
            _ if m.len() == 4 => vec![ErrorCode::INVALID_REQUEST],
            None => vec![ErrorCode::UNEXPECTED_REQUEST],
            Some(interview) if m[2] != interview.id => vec![ErrorCode::INVALID_REQUEST],
            Some(interview)
                if self.read(interview, &m[4..]).is_some_and(|said| self.leads_on(interview, &said)) =>
            {
                Vec::new()
            }
            Some(_) if self.refuses(&m[4..]) => Vec::new(),
            Some(_) => vec![ErrorCode::INVALID_RESPONSE_CODE],
        }
    }

    /// Returns whether the requester answers ERROR, which ends the flow.
    pub(super) fn refuses(&self, response: &[u8]) -> bool {
        response.len() >= 4 && response[..2] == [self.version, 0x7F]
    }

    /// Returns whether the answer updates the responder's keys, so that it is acknowledged under the new one.
    pub(crate) fn updates(&self, place: Option<u32>, m: &[u8]) -> bool {
        m[1] == 0xEB
            && !self.refuses(&m[4..])
            && self.here(place).is_some_and(|interview| matches!(interview.step, Step::Update(false)))
    }

    /// Applies ERROR in response to GET_ENCAPSULATED_REQUEST or DELIVER_ENCAPSULATED_RESPONSE.
    pub(crate) fn interview_refused(&mut self, place: Option<u32>, m: &[u8], error: u8) {
        let too_large = error == 0x0D;
        let here = self.here(place).is_some();
        match m[1] {
            0xEA if too_large || error == 0x05 => {
                self.question(place).map(|at| self.questions.remove(at));
                self.take_here(place);
            }
            // the answer was valid, but the next request is too long
            0xEB if too_large => {
                self.take_answer(place, &m[4..]);
                self.take_here(place);
                self.end_unproved(place);
            }
            0xEB if here && error == 0x09 => {
                let interview = self.take_here(place).unwrap();
                // the contents of a valid answer are stored even if no further request is possible
                if let Some(outcome) = self.read(&interview, &m[4..]) {
                    self.learn(&interview, &outcome);
                }
                self.end_unproved(place);
            }
            _ => {}
        }
    }

    /// Ends a session whose flow ended without authenticating the requester.
    fn end_unproved(&mut self, place: Option<u32>) {
        self.end(|session| Some(session.id) == place && session.mutual == Mutual::Pending);
    }

    /// Checks ENCAPSULATED_REQUEST.
    pub(crate) fn on_encapsulated_request(&mut self, place: Option<u32>, r: &[u8]) {
        if let Some(at) = self.question(place) {
            let step = match self.questions.remove(at).1 {
                Question::UpdateKey => Step::Update(false),
                Question::Events(list) => Step::Event([&list.count.to_le_bytes()[..], &list.events].concat()),
                Question::EventTypes => Step::EventTypes,
                Question::Subscribe(types) => Step::Subscribe(subscription(&types)),
                Question::Describe(describe) => Step::Describe(describe),
            };
            self.interviews.push(Interview::new(place, Vec::new(), step));
        }
        let before = self.here(place).unwrap();
        assert!(
            before.request.is_empty() || (&before.request[..], before.id) == (&r[4..], r[2]),
            "the same again"
        );
        self.asked(place, r[2], &r[4..]);
    }

    /// Checks that the request belongs to the current step.
    fn asked(&mut self, place: Option<u32>, id: u8, request: &[u8]) {
        let version = self.version;
        let context = if version >= 0x13 { 8 } else { 0 };
        let large = version >= 0x14 && self.flags & Caps::LARGE_RESP.0 != 0;
        let interview = self.interviews.iter_mut().find(|interview| interview.session == place).unwrap();
        let (code, params, rest) = (request[1], [request[2], request[3]], &request[4..]);
        assert_eq!(request[0], version);
        match &interview.step {
            Step::Digests => assert_eq!((code, params, rest.len()), (0x81, [0, 0], 0)),
            Step::Certificate(slot, got, _) => {
                let (at, slot) = if large { (4, slot | 0x80) } else { (0, *slot) };
                let offset = Fields(&rest[at..]).number(if large { 4 } else { 2 });
                assert_eq!((code, params, offset), (0x82, [slot, 0], Some(got.len() as u32)));
            }
            Step::Challenge(slot) => assert_eq!((code, params, rest.len()), (0x83, [*slot, 0], 32 + context)),
            Step::Update(prove) => {
                assert_eq!((code, params[0], rest.len()), (0xE9, if *prove { 3 } else { 1 }, 0));
            }
            Step::Event(events) => assert_eq!((code, rest), (0xF1, &events[..])),
            Step::EventTypes => assert_eq!((code, params, rest.len()), (0xE2, [0, 0], 0)),
            Step::Subscribe(wanted) => assert_eq!((code, &request[2..]), (0xF0, &wanted[..])),
            Step::Describe(Describe { sub_code, signed }) => {
                assert_eq!((code, params), (0x87, [*sub_code, signed.unwrap_or(0) & 0xF]));
                assert_eq!((rest[0], rest.len()), if signed.is_some() { (1, 36) } else { (0, 4) });
            }
        }
        (interview.request, interview.id) = (request.to_vec(), id);
    }

    /// Checks ENCAPSULATED_RESPONSE_ACK.
    pub(crate) fn on_acknowledged(&mut self, place: Option<u32>, m: &[u8], r: &[u8]) {
        let slot = self.take_answer(place, &m[4..]);
        let late = self.version >= 0x12;
        let payload = &r[if late { 8 } else { 4 }..];
        assert!(!late || r[4] == m[2], "AckRequestID");
        match (self.here(place), slot) {
            (Some(_), _) => {
                assert_eq!(r[3], 1);
                self.asked(place, r[2], payload);
            }
            (None, Some(slot)) => assert_eq!((r[3], payload), (2, &[slot][..])),
            (None, None) => {
                assert_eq!((r[3], payload.len()), (0, 0));
                self.end_unproved(place);
            }
        }
    }

    /// Parses the answer; `None` if it is invalid. It must have the request's version and code, and answer the request.
    fn read(&self, interview: &Interview, response: &[u8]) -> Option<Outcome> {
        let asked = &interview.request;
        let (header, mut fields) = (response.first_chunk::<4>()?, Fields(&response[4..]));
        let right = asked.len() >= 4 && header[0] == asked[0] && header[1] == asked[1] & 0x7F;
        let hash = self.hash.filter(|_| right)?;
        let late = self.version >= 0x13;
        let outcome = match &interview.step {
            Step::Digests => Outcome::Digests(self.read_digests(header, &mut fields, hash)?),
            Step::Certificate(slot, got, total) => {
                let large = self.version >= 0x14 && header[2] & 0x80 != 0;
                let width = if large { 4 } else { 2 };
                fields.take(if large { 4 } else { 0 })?;
                let (len, rest) = (fields.number(width)? as usize, fields.number(width)? as usize);
                let all = [got, fields.take(len)?].concat();
                let announced = interview.announced.get(slot).map(|told| &told.digest[..]);
                let whole = rest > 0
                    || all == self.settled.host.chain(hash)
                        && announced == Some(self.settled.host.digest(hash, *slot).as_ref());
                let told = if late { header[3] & 7 } else { 0 };
                let model = interview.announced.get(slot).map(|told| told.model);
                let fine = header[2] & 0xF == *slot && model == Some(told) && len > 0;
                let fine = fine && whole && all.len() + rest <= LONGEST_CHAIN;
                let fine = fine && total.is_none_or(|total| total == all.len() + rest);
                Outcome::Portion(Some(all).filter(|_| fine)?, rest)
            }
            Step::Challenge(slot) => {
                let chain = fields.take(hash.output_len())?;
                fields.take(32)?;
                let opaque = fields.counted(2)?;
                let context = fields.take(if late { 8 } else { 0 })?;
                // a requester never requests mutual authentication; its slot has a chain, and no DIGESTS in a session has removed
                // it since
                let fine = header[2] & 0x8F == slot & 0xF
                    && self.knows(*slot)
                    && (*slot > 7 || header[3] >> slot & 1 == 1)
                    && self.takes_opaque(opaque)
                    && chain == self.settled.host.digest(hash, *slot).as_ref()
                    && context == &asked[36..];
                fields.take(self.signature_len())?;
                Some(Outcome::Done).filter(|_| fine && self.is_signed(interview, response))?
            }
            Step::Update(_) => Some(Outcome::Done).filter(|_| header[2..] == asked[2..4])?,
            Step::Event(_) | Step::Subscribe(_) => Outcome::Done,
            Step::EventTypes => {
                let types = EventTypes { count: header[2], groups: fields.counted(4)?.to_vec() };
                Outcome::Offered(Some(types).filter(|types| are_groups(types.count, &types.groups))?)
            }
            Step::Describe(Describe { signed, .. }) => {
                fields.take(if signed.is_some() { 4 + 32 } else { 4 })?;
                let info = fields.counted(4)?.to_vec();
                let fine = header[3] & 0xF == signed.unwrap_or(0) & 0xF;
                fields.take(if signed.is_some() { self.signature_len() } else { 0 })?;
                let proved = |slot| self.knows(slot) && self.is_signed(interview, response);
                let fine = fine && signed.is_none_or(proved);
                Outcome::Described(Some(info).filter(|_| fine)?)
            }
        };
        fields.over().map(|()| outcome)
    }

    /// Returns the input of the signature at the end of a response with this `body`.
    pub(crate) fn to_be_signed(&self, interview: &Interview, body: &[u8]) -> ToBeSigned {
        let (context, b) = match interview.step {
            Step::Describe(_) => (signatures::ENCAPSULATED_ENDPOINT_INFO, &[][..]),
            _ => (signatures::ENCAPSULATED_CHALLENGE_AUTH, &self.peer.b[..]),
        };
        // M1/M2 of the requester contains VCA since 1.2
        let vca = if self.version >= 0x12 { &self.vca[..] } else { &[] };
        signed(self.version, self.hash.unwrap(), context, &[vca, b, &interview.request, body])
    }

    fn is_signed(&self, interview: &Interview, response: &[u8]) -> bool {
        let at = response.len().checked_sub(self.signature_len());
        let (body, signature) = response.split_at(at.unwrap_or(response.len()));
        self.req_asym && self.settled.host.signed(&self.to_be_signed(interview, body), signature)
    }

    /// Binds the session to the requester's chain. Returns whether the flow belongs to a session.
    fn is_bound(&mut self, interview: &Interview, slot: u8, chain: &[u8]) -> bool {
        let digest = self.hash.unwrap().digest(&[chain]);
        let told = if self.multi_key { &interview.told[..] } else { &[] };
        let session = interview.session.and_then(|id| self.session(id));
        session.map(|session| session.bind(slot, &[told, digest.as_ref()].concat())).is_some()
    }

    /// Stores the contents of a valid answer.
    fn learn(&mut self, interview: &Interview, outcome: &Outcome) {
        match (&interview.step, outcome) {
            (_, Outcome::Digests(told)) => {
                // a changed or removed chain is no longer known
                self.peer
                    .shown
                    .retain(|slot, known| told.get(slot).is_some_and(|told| told.digest == *known));
                self.peer.announced.clone_from(told);
            }
            (Step::Certificate(slot, ..), Outcome::Portion(all, 0)) => {
                self.peer.shown.insert(*slot, self.hash.unwrap().digest(&[all]).as_ref().to_vec());
            }
            _ => {}
        }
    }

    /// Applies a valid answer and advances to the next request. Returns the slot for FINISH, once known.
    fn take_answer(&mut self, place: Option<u32>, response: &[u8]) -> Option<u8> {
        let mut interview = self.take_here(place).unwrap();
        if self.refuses(response) {
            self.on_declined(place, interview.request[1], response);
            return None;
        }
        let outcome = self.read(&interview, response).unwrap();
        self.learn(&interview, &outcome);
        self.kept.answered.insert(interview.request[1]);
        let pair = [&interview.request[..], response].concat();
        let next = match (interview.step.clone(), outcome) {
            (Step::Digests, Outcome::Digests(digests)) => {
                interview.told = response.to_vec();
                if place.is_none() {
                    self.peer.b = pair;
                }
                let slot = self.chosen(&interview, &digests).unwrap();
                interview.announced = digests;
                Step::Certificate(slot, Vec::new(), None)
            }
            (Step::Certificate(slot, ..), Outcome::Portion(all, rest)) => {
                if place.is_none() {
                    self.peer.b.extend(pair);
                }
                if rest > 0 {
                    let total = Some(all.len() + rest);
                    Step::Certificate(slot, all, total)
                } else if self.is_bound(&interview, slot, &all) {
                    return Some(slot);
                } else {
                    Step::Challenge(slot)
                }
            }
            (Step::Challenge(_), _) => {
                self.peer.b.clear();
                self.peer.proved = true;
                return None;
            }
            (Step::Update(false), _) => Step::Update(true),
            (Step::Subscribe(wanted), _) => {
                self.session(place.unwrap()).unwrap().listens = wanted[0] != 0;
                return None;
            }
            (Step::EventTypes, Outcome::Offered(types)) => {
                self.heard.offered.push((place.unwrap(), types));
                return None;
            }
            (Step::Describe(describe), Outcome::Described(info)) => {
                self.heard.described.push((place, describe, info));
                return None;
            }
            _ => return None,
        };
        self.interviews.push(Interview { step: next, ..interview });
        None
    }
}
