//! Runs a requester's steps against a device, and collects the results as a tree.

mod chains;
mod events;
mod factory;
mod measurements;
mod negotiated;

use super::attestor::check_provisioned_key_support;
use super::device::{GET_TID, PCI_SIG, PCI_SIG_ID, QUERY_PORT_0};
use super::emulation::{Attribute, Emulation, KeyUpdate, MeasureOperation, Step, Summary};
use super::events::Subscriptions;
use super::link::{ExchangeError, Link};
use super::message_fields::device_class;
use super::pqc2021::description::{is_dialect, signs_measurements};
use super::requirements::{check_signing_slot, describe_unmet};
use super::slot_trust::SlotErrors;
use super::state::State;
use super::tree::Node;
use crate::{error::Error, hex};
use grille_pki::Certificate;
use grille_registry::Numbers;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, Limits};
use grille_spdm_codec::{Code, endpoint_info::GetEndpointInfo, error::ErrorCode};
use grille_spdm_engine::config::{Binding, Packet};
use grille_spdm_engine::error::Error as EngineError;
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{
    AnswerMutualAuth, ChallengeResponder, End, EndAndClearState, FetchEndpointInfo, Measure, OpenPskSession,
    OpenSession, SendHeartbeat, SlotDigest, UpdateKeys, VendorRequest,
};
use grille_spdm_engine::requester::{Carrier, Requester};
use grille_spdm_engine::session::SessionId;
use grille_spdm_transport::emulator::Command;
use measurements::{show_measured, show_summary};

/// The steps, and their results so far.
pub(super) struct StepRunner<'a> {
    how: &'a Emulation,
    /// The chain of --new-chain.
    new_chain: Option<Vec<Certificate>>,
    psk_hint: &'a [u8],
    /// Whether the pre-shared key is the published test key.
    test_psk: bool,
    /// Subscriptions to this side's events.
    own: &'a Subscriptions,
    /// The slot that authenticates the device.
    slot: u8,
    /// Trust errors of chains in other slots, if roots judge the chains.
    slot_errors: Option<&'a SlotErrors>,
    /// The object identifiers in certificates.
    numbers: Numbers,
    session: Option<SessionId>,
    /// Steps that were not skipped.
    attempted: Vec<Step>,
    digests: Vec<SlotDigest>,
    /// The chain in [`Self::slot`].
    chain: Vec<u8>,
    /// Results of a failed step before its failure.
    partial_results: Vec<Node>,
    results: Vec<Node>,
}

impl Step {
    /// Returns the request of the step, if both sides must have negotiated it.
    const fn request(self) -> Option<Code> {
        Some(match self {
            Self::None | Self::VerOnly | Self::Vca | Self::NoEnd | Self::App => return None,
            Self::Digest => Code::GET_DIGESTS,
            Self::Cert => Code::GET_CERTIFICATE,
            Self::Chal => Code::CHALLENGE,
            Self::Meas => Code::GET_MEASUREMENTS,
            Self::Mel => Code::GET_MEASUREMENT_EXTENSION_LOG,
            Self::GetCsr => Code::GET_CSR,
            Self::SetCert => Code::SET_CERTIFICATE,
            Self::GetKeyPairInfo => Code::GET_KEY_PAIR_INFO,
            Self::SetKeyPairInfo => Code::SET_KEY_PAIR_INFO,
            Self::EpInfo => Code::GET_ENDPOINT_INFO,
            Self::SlotMgmt => Code::SLOT_MANAGEMENT,
            Self::KeyEx => Code::KEY_EXCHANGE,
            Self::Psk => Code::PSK_EXCHANGE,
            Self::KeyUpdate => Code::KEY_UPDATE,
            Self::Heartbeat => Code::HEARTBEAT,
            Self::Event => Code::SUBSCRIBE_EVENT_TYPES,
        })
    }

    /// Describes an unmet requirement of this step; `None` if the step is possible.
    fn describe_unmet(self, requester: &Requester) -> Option<String> {
        let unmet = describe_unmet(self.request()?, requester.connection());
        // Events may come from the responder or from this side.
        unmet.filter(|_| {
            self != Self::Event || describe_unmet(Code::SEND_EVENT, requester.connection()).is_some()
        })
    }

    fn is_possible(self, requester: &Requester) -> bool {
        self.describe_unmet(requester).is_none()
    }

    /// Returns the line of a skipped step.
    fn skipped(self, unmet: &str) -> Node {
        Node::new(self.name(), format!("not negotiated: {unmet}")).skipped()
    }
}

/// A requester and the link to its responder.
struct Client<'r>(&'r mut Requester, &'r mut Link);

impl<'a> StepRunner<'a> {
    /// Creates a runner. `new_chain` is the chain of --new-chain, and `own` the subscriptions to the requester's
    /// events. `slot_errors` is present if roots judge the chains.
    pub(super) fn new(
        how: &'a Emulation,
        new_chain: Option<Vec<Certificate>>,
        psk_hint: &'a [u8],
        own: &'a Subscriptions,
        slot_errors: Option<&'a SlotErrors>,
    ) -> Self {
        Self {
            how,
            new_chain,
            psk_hint,
            test_psk: false,
            own,
            slot: how.slot_id,
            slot_errors,
            numbers: Numbers::default(),
            session: None,
            attempted: Vec::new(),
            digests: Vec::new(),
            chain: Vec::new(),
            partial_results: Vec::new(),
            results: Vec::new(),
        }
    }

    /// Sets whether sessions use the published test key, which the tree reports.
    pub(super) const fn set_uses_test_psk(&mut self, uses: bool) {
        self.test_psk = uses;
    }

    /// Returns the results of all steps.
    pub(super) fn finish(self) -> Vec<Node> {
        self.results
    }

    /// Runs all steps. Replays the negotiation of `before`, if there is one. The last line names the failed step.
    ///
    /// # Errors
    /// Returns an error if a step fails.
    pub(super) fn run(
        &mut self,
        requester: &mut Requester,
        link: &mut Link,
        before: Option<&State<'_>>,
    ) -> Result<(), Error> {
        let party = &mut Client(requester, link);
        self.how.state_files.connect(before, party.0, party.1)?;
        let (how, flags) = (self.how, party.0.connection().responder().flags);
        let is_dialect = is_dialect(party.0.connection());
        if flags.contains(Caps::PUB_KEY_ID) && !is_dialect {
            // The device has no other slot.
            self.slot = PROVISIONED;
        }
        self.results.extend(negotiated::lines(party.0));
        if !is_dialect {
            check_provisioned_key_support(
                self.slot,
                flags,
                "use --slot-id 0 for a chain, and name its root with --ca",
            )?;
        }
        for step in how.exe_conn.iter().filter(|step| !matches!(step, Step::None | Step::Vca)) {
            let node = self.run_step(party, *step);
            let (node, failed) = self.finish_step(node, *step);
            self.results.push(node);
            failed?;
        }
        let openings =
            || [Step::KeyEx, Step::Psk].into_iter().filter(|step| how.session_steps().contains(step));
        if openings().next().is_none() {
            let no_session =
                |step: &Step| Node::new(step.name(), "no session; open one with KEY_EX or PSK").skipped();
            let steps = how.session_steps().iter().filter(|step| !matches!(step, Step::None | Step::NoEnd));
            self.results.extend(steps.map(no_session));
        }
        for opening in openings() {
            if party.1.binding() == Binding::Bare {
                self.results
                    .push(Node::new(opening.name(), "--trans NONE does not support sessions").skipped());
            } else if let Some(unmet) = opening.describe_unmet(party.0) {
                self.results.push(opening.skipped(&unmet));
            } else {
                let opened = self.open(party, opening);
                let (mut node, opened) = self.finish_step(opened, opening);
                let walked = opened.and_then(|()| self.run_session(party, &mut node));
                self.results.push(node);
                self.session = None;
                walked?;
            }
        }
        self.check_done(party.0)
    }

    /// Checks that no step with a named file was skipped.
    ///
    /// # Errors
    /// Returns an error if a step with a named file was skipped.
    fn check_done(&self, requester: &Requester) -> Result<(), Error> {
        let left_out = self.how.files().find(|(_, step)| !self.attempted.contains(step));
        left_out.map_or(Ok(()), |(option, step)| {
            let why = step.describe_unmet(requester).map_or_else(
                || "no session was opened".to_owned(),
                |unmet| format!("not negotiated: {unmet}"),
            );
            Err(Error::failure(format_args!("{} was skipped: {why}", step.name())).with_place(option))
        })
    }

    /// Runs the steps of a session, and ends it.
    fn run_session(&mut self, party: &mut Client<'_>, below: &mut Node) -> Result<(), Error> {
        let how = self.how;
        for step in how.session_plan() {
            let node = self.run_step(party, step);
            let (node, failed) = self.finish_step(node, step);
            below.children.push(node);
            failed?;
            let received = self.session.map_or(Ok(()), |session| party.1.check_silence(party.0, session));
            note_failure(below, "session", received)?;
        }
        if let Some(session) = self.session.filter(|_| !how.session_steps().contains(&Step::NoEnd)) {
            let ended = if how.state_files.saves_state()
                || !party.0.connection().responder().flags.contains(Caps::CACHE)
            {
                party.0.run(End(session), party.1)
            } else {
                party.0.run(EndAndClearState(session), party.1)
            };
            note_failure(below, "END_SESSION", ended.map_err(Error::from))?;
            below.children.push(Node::new("END_SESSION", "").good());
        }
        Ok(())
    }

    fn run_step(&mut self, party: &mut Client<'_>, step: Step) -> Result<Node, ExchangeError> {
        if self.has_no_chain(party.0) && matches!(step, Step::Digest | Step::Cert) {
            return Ok(Node::new(step.name(), "slot 0xFF has no chain").skipped());
        }
        if let Some(unmet) = step.describe_unmet(party.0) {
            return Ok(step.skipped(&unmet));
        }
        self.attempted.push(step);
        match step {
            Step::Digest => self.digests(party),
            Step::Cert => self.certificates(party),
            Step::Chal => self.challenge(party),
            Step::Meas => self.measure(party),
            Step::Mel => self.log(party),
            Step::GetCsr => self.fetch_csr(party),
            Step::SetCert => self.set_certificate(party),
            Step::GetKeyPairInfo => self.key_pairs(party),
            Step::SetKeyPairInfo => self.set_key_pair(party),
            Step::EpInfo => self.endpoint_info(party),
            Step::SlotMgmt => self.banks(party),
            Step::KeyUpdate | Step::Heartbeat | Step::App | Step::Event => self.run_session_step(party, step),
            Step::None | Step::VerOnly | Step::Vca | Step::KeyEx | Step::Psk | Step::NoEnd => {
                Ok(Node::default())
            }
        }
    }

    /// Returns whether the device's keys in this slot have no certificates. In the dialect, the device may have chains
    /// in other slots.
    fn has_no_chain(&self, requester: &Requester) -> bool {
        self.slot == PROVISIONED && is_dialect(requester.connection())
    }

    fn challenge(&mut self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let proof = party.run(ChallengeResponder::new(self.slot, self.how.meas_sum as u8), None)?;
        let signer = match self.slot {
            PROVISIONED if negotiated::uses_kem(party.0) => {
                "authenticated by the provisioned KEM key".to_owned()
            }
            PROVISIONED => "signed by the provisioned key".to_owned(),
            slot => format!("signed by slot {slot}"),
        };
        let mut node = Node::new("CHALLENGE_AUTH", signer).good();
        if !proof.summary_hash.is_empty() {
            node.children.push(show_summary(&proof.summary_hash));
        }
        if proof.mutual {
            party.run(AnswerMutualAuth::new(), None)?;
            node.children.push(Node::new("mutual authentication", "this side authenticated itself").good());
        }
        Ok(node)
    }

    /// Reads the measurements, with a signature if the device signs measurements.
    fn measure(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let can_sign = signs_measurements(party.0.connection());
        let slot = self.slot;
        if can_sign {
            check_signing_slot(slot, party.0.connection().version())?;
        }
        let request = |operation, last| {
            let request = Measure::new(operation);
            let request = if self.how.meas_att == Attribute::Raw { request.raw() } else { request };
            if can_sign && last { request.signed(slot) } else { request }
        };
        let results = match self.how.meas_op {
            MeasureOperation::All => vec![party.run(request(ALL, true), self.session)?],
            MeasureOperation::OneByOne => {
                let indexes = self.indexes(party, request)?;
                let last = indexes.len().saturating_sub(1);
                let one = |(i, index): (usize, &u8)| party.run(request(*index, i == last), self.session);
                indexes.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?
            }
        };
        Ok(show_measured(&results, can_sign))
    }

    /// Finds the indexes of all measurements. Runs before the signed request, because the error for a missing index
    /// resets the transcript that is signed.
    fn indexes(
        &self,
        party: &mut Client<'_>,
        make: impl Fn(u8, bool) -> Measure,
    ) -> Result<Vec<u8>, ExchangeError> {
        let total = usize::from(party.run(make(0, false), self.session)?.total);
        let mut indexes = Vec::new();
        for index in 1..ALL {
            if indexes.len() >= total {
                break;
            }
            match party.run(make(index, false), self.session) {
                Ok(_) => indexes.push(index),
                Err(ExchangeError::Engine(EngineError::Refused {
                    code: ErrorCode::INVALID_REQUEST, ..
                })) => {}
                Err(fault) => return Err(fault),
            }
        }
        Ok(indexes)
    }

    fn endpoint_info(&self, party: &mut Client<'_>) -> Result<Node, ExchangeError> {
        let signs = party.0.connection().responder().flags.contains(Caps::EP_INFO_SIG);
        let signed = signs.then_some(self.slot);
        let info =
            party.run(FetchEndpointInfo { sub_code: GetEndpointInfo::DEVICE_CLASS, signed }, self.session)?;
        let node = Node::new("ENDPOINT_INFO", "").with_all(device_class(&info));
        let node = if signs { node.good() } else { node };
        if !party.can_send_endpoint_info()
            || !party.1.send_command(Command::ENCAPSULATED_ENDPOINT_INFO, &[])?
        {
            return Ok(node);
        }
        let received = party.answer_requests(self.session)?;
        let node = node.with(Node::new("encapsulated", "this side sent its endpoint info").good());
        Ok(node.with_all(received))
    }

    fn open(&mut self, party: &mut Client<'_>, step: Step) -> Result<Node, ExchangeError> {
        let summary = self.how.meas_sum as u8;
        let measures = Step::Meas.is_possible(party.0);
        let summary = if measures { summary } else { Summary::No as u8 };
        let (session, value) = if step == Step::Psk {
            let opened = party.run(OpenPskSession::new(self.psk_hint).with_summary(summary), None)?;
            (opened, "PSK_EXCHANGE")
        } else {
            let opening = OpenSession::new(self.slot).with_summary(summary);
            (party.run(opening, None)?, "KEY_EXCHANGE")
        };
        self.session = Some(session);
        party.1.begin_session();
        let node = Node::new(format!("session {session:#010x}"), value).good();
        let is_test = step == Step::Psk && self.test_psk;
        let node = node.with_all(is_test.then(|| Node::new("test key", PUBLISHED_KEY).skipped()));
        let node = node.with_all(party.0.summary(session).map(show_summary));
        let node = if party.sends_events() { node.with_all(party.poll_events(session)?) } else { node };
        Ok(match party.0.authenticated_with(session) {
            None => node,
            Some(slot) => {
                let text = format!("this side authenticated itself with slot {slot}");
                let text = if slot == PROVISIONED { PROVED_BEFOREHAND.to_owned() } else { text };
                node.with(Node::new("mutual authentication", text).good())
            }
        })
    }

    /// Runs a step that exists only in sessions.
    fn run_session_step(&self, party: &mut Client<'_>, step: Step) -> Result<Node, ExchangeError> {
        let Some(session) = self.session else { return Ok(Node::new(step.name(), "no session").skipped()) };
        match (step, self.how.key_upd) {
            (Step::KeyUpdate, KeyUpdate::All) => {
                party.run(UpdateKeys::all_keys(session), None)?;
                Ok(Node::new("KEY_UPDATE_ACK", "all keys").good())
            }
            (Step::KeyUpdate, KeyUpdate::Req) => {
                party.run(UpdateKeys::request_key(session), None)?;
                Ok(Node::new("KEY_UPDATE_ACK", "the requester's key").good())
            }
            (Step::KeyUpdate, KeyUpdate::Rsp) => {
                if !party.1.send_command(Command::ENCAPSULATED_KEY_UPDATE, &session.to_le_bytes())? {
                    return Ok(Node::new("KEY_UPDATE", "only emulators accept this command").skipped());
                }
                let received = party.answer_requests(Some(session))?;
                Ok(Node::new("KEY_UPDATE", "the responder's key, at its request").good().with_all(received))
            }
            (Step::Heartbeat, _) if party.0.heartbeat(session).is_none() => {
                Ok(Node::new(step.name(), "the responder requires none").skipped())
            }
            (Step::Heartbeat, _) => {
                party.run(SendHeartbeat(session), None)?;
                Ok(Node::new("HEARTBEAT_ACK", "").good())
            }
            (Step::Event, _) => self.events(party, session),
            _ => party.application(session),
        }
    }
}

impl Client<'_> {
    fn run<O: Operation>(
        &mut self,
        operation: O,
        session: Option<SessionId>,
    ) -> Result<O::Output, ExchangeError> {
        match session {
            Some(session) => self.0.run(operation.within(session), self.1),
            None => self.0.run(operation, self.1),
        }
    }

    /// Returns whether the responder may request this side's endpoint info.
    fn can_send_endpoint_info(&self) -> bool {
        let connection = self.0.connection();
        let describes = connection.requester().flags.intersects(Caps::EP_INFO_NO_SIG | Caps::EP_INFO_SIG);
        let encapsulates = |limits: &Limits| limits.flags.contains(Caps::ENCAP);
        describes && encapsulates(connection.requester()) && encapsulates(connection.responder())
    }

    /// Sends application data like DMTF's emulators: PLDM's first request on MCTP, otherwise IDE_KM's QUERY in a
    /// vendor-defined message.
    fn application(&mut self, session: SessionId) -> Result<Node, ExchangeError> {
        if self.1.binding() == Binding::Mctp {
            let packet = self.0.seal_application(session, &GET_TID)?;
            return match self.1.exchange(packet)? {
                Packet::Secured(record) => {
                    let results = self.0.open_application(session, &record)?;
                    Ok(Node::new("application", format!("PLDM GetTID: {}", *hex::encode(&results))))
                }
                Packet::Message(_) => Ok(Node::new("application", "answered outside the session").bad()),
            };
        }
        let query = VendorRequest {
            standard_id: PCI_SIG,
            vendor_id: PCI_SIG_ID.to_vec(),
            data: QUERY_PORT_0.to_vec(),
        };
        let results = self.run(query, Some(session))?;
        Ok(Node::new("VENDOR_DEFINED_RESPONSE", hex::encode(&results).to_string()))
    }
}

/// Adds a line for a failure outside of steps.
fn note_failure(below: &mut Node, name: &str, outcome: Result<(), Error>) -> Result<(), Error> {
    outcome.inspect_err(|error| below.children.push(Node::new(name, error.to_string()).bad()))
}

/// Tree text for mutual authentication with slot 0xFF.
const PROVED_BEFOREHAND: &str = "this side authenticated itself with its provisioned key";

/// Tree text for a session with the test key.
const PUBLISHED_KEY: &str = "of DMTF's emulators: it is published, so it proves no identity";

/// MeasurementOperation: all blocks at once.
const ALL: u8 = 0xFF;

#[cfg(test)]
mod tests {
    use super::super::link::tests::{UNREACHED_TIMEOUT, with_session};
    use super::*;
    use clap::{Args as _, Command, FromArgMatches as _};
    use grille_spdm_engine::hash::HASHES;
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};

    fn with_steps(steps: &str) -> Emulation {
        let words = Emulation::augment_args(Command::new("walk").no_binary_name(true));
        Emulation::from_arg_matches(&words.get_matches_from(["--exe-session", steps])).unwrap()
    }

    #[test]
    fn advises_digests_before_csr_only_without_digests() {
        let (how, own) = (with_steps("NONE"), Subscriptions::default());
        let mut walk = StepRunner::new(&how, None, &[], &own, None);
        let (request, code) = (Code::GET_CSR, ErrorCode::INVALID_REQUEST);
        let digest = HASHES[0].digest(&[]);
        let announced = SlotDigest { slot: 0, digest, key_pair_id: 1, model: 1, key_usage: 0 };
        for has_digests in [false, true] {
            let refused = EngineError::Refused { request, code, data: 0, extended: Vec::new() };
            walk.digests.extend(has_digests.then_some(announced));
            let message = walk.finish_step(Err(refused.into()), Step::GetCsr).1.unwrap_err().to_string();
            assert_eq!(message.contains("DIGEST before GET_CSR"), !has_digests, "{message}");
        }
    }

    /// Calls `breaks` in an open session, and then runs these steps in it. Returns the error and the last line.
    fn run_steps(steps: &str, breaks: impl FnOnce(&AtomicBool, Client<'_>, SessionId)) -> (String, Node) {
        let (how, own) = (with_steps(steps), Subscriptions::default());
        let mut walk = StepRunner::new(&how, None, &[], &own, None);
        let slow = Arc::new(AtomicBool::new(false));
        let (mut requester, mut link, session, _served) = with_session(UNREACHED_TIMEOUT, &slow);
        walk.session = Some(session);
        breaks(&slow, Client(&mut requester, &mut link), session);
        let mut below = Node::default();
        let failed = walk.run_session(&mut Client(&mut requester, &mut link), &mut below).unwrap_err();
        (failed.to_string(), below.children.pop().unwrap())
    }

    #[test]
    fn last_line_reports_session_ended_by_silence() {
        let (failed, last) = run_steps("KEY_EX,HEARTBEAT", |slow, _, _| slow.store(true, Ordering::Relaxed));
        assert!(failed.contains("HeartbeatPeriod of 1"), "{failed}");
        assert_eq!(last, Node::new("session", failed).bad());
    }

    #[test]
    fn last_line_reports_failed_session_end() {
        let (failed, last) = run_steps("KEY_EX", |_, party, session| {
            party.0.run(End(session), party.1).unwrap();
        });
        assert_eq!(last, Node::new("END_SESSION", failed).bad());
    }
}
