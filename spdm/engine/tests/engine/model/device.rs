//! The responder's device: its answers, and the data it received.

use crate::common::measurements;
use crate::model::events::MAX_EVENTS;
use grille_spdm_codec::Code;
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage, SetKeyPairInfo};
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::device::{Device, EventTypes, KeyPair, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::operations::{EventList, FetchEndpointInfo};
use grille_spdm_engine::requester_identity::RequesterIdentity;
use grille_spdm_engine::session::SessionId;
use std::sync::{Arc, Mutex};

/// EPInfo of SubCode 1, the only one.
pub(crate) const EP_INFO: [u8; 12] = [1, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0];
/// SupportedEventGroupsList with one group.
pub(crate) const GROUPS: [u8; 14] = [0, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0];
/// RequesterInfo of certificate signing requests that need a reset.
pub(crate) const RESET_INFO: &[u8] = b"later";
/// CSRTrackingTag of certificate signing requests that need a reset.
pub(crate) const TRACKING_TAG: u8 = 3;
/// StandardID, VendorID and OpaqueErrorData of the vendor's error.
pub(crate) const VENDOR_ERROR: (u8, [u8; 2], [u8; 2]) = (3, [0x86, 0x80], [1, 2]);
/// The number of key pairs, one for each slot in order. The first can be erased. The second could be generated if it
/// had an algorithm.
pub(crate) const KEY_PAIRS: u8 = 2;
/// The supported key usages.
pub(crate) const KEY_USAGES: u16 = 0xF;

/// Returns the measurement extension log.
pub(crate) fn log() -> Vec<u8> {
    (0..700_u32).flat_map(u32::to_le_bytes).collect()
}

/// The identity of a session's requester: a slot or a PSK hint.
#[derive(Debug, PartialEq)]
pub(crate) enum RequesterId {
    Anonymous,
    Slot(u8),
    Psk(Vec<u8>),
}

/// The data that the device received.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct DeviceLog {
    /// The sessions subscribed to every event.
    pub(crate) subscribers: Vec<SessionId>,
    /// The opened sessions.
    pub(crate) opened: Vec<(SessionId, RequesterId)>,
    /// The ended sessions.
    pub(crate) ended: Vec<SessionId>,
    /// The requesters' event types.
    pub(crate) offered: Vec<(SessionId, EventTypes)>,
    /// The requesters' events, encoded from EventCount on.
    pub(crate) events: Vec<(SessionId, Vec<u8>)>,
    /// The refused encapsulated requests, with their error codes.
    pub(crate) refused_requests: Vec<(Option<SessionId>, u8, u8)>,
    /// The requesters' endpoint information.
    pub(crate) endpoint_infos: Vec<(Option<SessionId>, FetchEndpointInfo, Vec<u8>)>,
}

/// The responder's device.
#[derive(Default)]
pub(crate) struct Sample {
    pub(crate) device_log: Arc<Mutex<DeviceLog>>,
    pub(crate) usage: [KeyUsage; KEY_PAIRS as usize],
    /// The refusal with which the device answers requests for measurements, endpoint information and event types, and
    /// vendor messages; `None` if it does not refuse them.
    pub(crate) device_refusal: Arc<Mutex<Option<Refusal>>>,
}

impl Sample {
    /// Returns `answer`, unless the device refuses.
    fn unless_refused<T>(&self, answer: T) -> Result<T, Refusal> {
        self.device_refusal.lock().unwrap().map_or(Ok(answer), Err)
    }

    /// Returns the event types that both sides use: those supported, and those subscribed to.
    pub(crate) fn types() -> EventTypes {
        EventTypes { count: 1, groups: GROUPS.to_vec() }
    }
}

impl Device for Sample {
    fn measurements(&mut self, _pending: bool) -> Result<Vec<Measurement>, Refusal> {
        self.unless_refused(measurements())
    }

    fn vendor(&mut self, _: Option<SessionId>, _: u16, _: &[u8], data: &[u8]) -> Result<Vec<u8>, Refusal> {
        self.unless_refused(data.to_vec())
    }

    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        let known = (sub_code == 1).then(|| EP_INFO.to_vec());
        self.unless_refused(known)?.ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    fn endpoint_info_received(&mut self, session: Option<SessionId>, asked: FetchEndpointInfo, info: &[u8]) {
        self.device_log.lock().unwrap().endpoint_infos.push((session, asked, info.to_vec()));
    }

    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        self.unless_refused(log())
    }

    fn csr(&mut self, _: Option<SessionId>, _: Asym, request: &GetCsr<'_>) -> Result<Vec<u8>, Refusal> {
        if request.requester_info == RESET_INFO {
            return Err(Refusal::with_data(ErrorCode::RESET_REQUIRED, TRACKING_TAG));
        }
        Ok([request.requester_info, request.opaque].concat())
    }

    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        let more = [
            (KeyPairCapabilities::ERASABLE, KeyPairAsym::ECC_256),
            (KeyPairCapabilities::GEN_KEY, KeyPairAsym::NONE),
        ];
        let pair = |(usage, (more, asym)): (&KeyUsage, (KeyPairCapabilities, KeyPairAsym))| KeyPair {
            capabilities: KeyPairCapabilities::KEY_USAGE | more,
            usage_capabilities: KeyUsage(KEY_USAGES),
            usage: *usage,
            asym,
            ..KeyPair::default()
        };
        Ok(self.usage.iter().zip(more).map(pair).collect())
    }

    fn set_key_pair(&mut self, _: Option<SessionId>, request: &SetKeyPairInfo<'_>) -> Result<(), Refusal> {
        if request.operation == SetKeyPairInfo::ERASE || !request.usage.is_empty() {
            self.usage[usize::from(request.key_pair_id - 1)] = request.usage;
        }
        Ok(())
    }

    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        self.unless_refused(Self::types())
    }

    fn subscribe(&mut self, _: SessionId, wanted: &EventTypes) -> Result<(), Refusal> {
        let known = wanted.count == 0 || wanted.count == 1 && wanted.groups == GROUPS;
        if known { Ok(()) } else { Err(Refusal::new(ErrorCode::INVALID_REQUEST)) }
    }

    fn subscribe_all(&mut self, session: SessionId) {
        self.device_log.lock().unwrap().subscribers.push(session);
    }

    fn request_refused(&mut self, session: Option<SessionId>, request: Code, reason: &ErrorResponse<'_>) {
        self.device_log.lock().unwrap().refused_requests.push((session, request.0, reason.code.0));
    }

    fn event_types_received(&mut self, session: SessionId, types: &EventTypes) {
        self.device_log.lock().unwrap().offered.push((session, types.clone()));
    }

    fn events_received(
        &mut self,
        session: SessionId,
        EventList { count, events }: &EventList,
    ) -> Result<(), Refusal> {
        if *count > MAX_EVENTS {
            return Err(Refusal::new(ErrorCode::BUSY));
        }
        let encoded = [&count.to_le_bytes(), &events[..]].concat();
        self.device_log.lock().unwrap().events.push((session, encoded));
        Ok(())
    }

    fn session_opened(&mut self, session: SessionId, identity: &RequesterIdentity<'_>) {
        let identity = match *identity {
            RequesterIdentity::Anonymous => RequesterId::Anonymous,
            RequesterIdentity::Key { slot, .. } | RequesterIdentity::Kem { slot } => RequesterId::Slot(slot),
            RequesterIdentity::Psk { hint } => RequesterId::Psk(hint.to_vec()),
        };
        self.device_log.lock().unwrap().opened.push((session, identity));
    }

    fn session_ended(&mut self, session: SessionId) {
        self.device_log.lock().unwrap().ended.push(session);
    }

    fn application(&mut self, _session: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        Some(message.to_vec())
    }
}
