//! The device behind a responder or requester: measurements, logs, and vendor-defined data.

use crate::algorithms::Asym;
use crate::endpoint_query::FetchEndpointInfo;
use crate::error::Refusal;
use crate::event_list::EventList;
pub use crate::event_list::EventTypes;
use crate::hash::{Digest, HASHES, Hash};
use crate::requester_identity::RequesterIdentity;
use crate::session::SessionId;
use crate::signatures::Signer;
use alloc::{sync::Arc, vec, vec::Vec};
use core::any::Any;
use grille_pki::PublicKey;
use grille_spdm_codec::Code;
use grille_spdm_codec::csr::GetCsr;
use grille_spdm_codec::error::{ErrorCode, ErrorResponse};
use grille_spdm_codec::key_pair_info::{KeyPairAsym, KeyPairCapabilities, KeyUsage, SetKeyPairInfo};
use grille_spdm_codec::measurements::Block;
use grille_spdm_codec::set_certificate::SetCertificate;
use grille_spdm_codec::slot_management::SubCode;

/// The application's side of the protocol: everything except cryptography. Every method has a default, for devices without that
/// feature.
///
/// A method that answers a request may refuse it with an ErrorCode:
///
/// - Busy: the request should be retried later.
/// - OperationFailed (1.3), InvalidState (1.4) or Unspecified: the device cannot do it.
/// - [`Refusal::vendor_defined`]: an error code of the vendor.
/// - RequestResynch: the device lost the negotiated state. All sessions end.
/// - DecryptError: the session that carries the request ends.
///
/// The engine calls the device only while it handles a packet. To send events or requests on its own initiative, the device
/// stores them. The caller then fetches them between two packets, by
/// [`Responder::device_mut`](crate::responder::Responder::device_mut) or a shared [`Arc`]:
///
/// ```
/// use grille_spdm_engine::device::Device;
/// use grille_spdm_engine::error::Usage;
/// use grille_spdm_engine::operations::{EventList, ResponderRequest};
/// use grille_spdm_engine::responder::Responder;
/// use grille_spdm_engine::session::SessionId;
///
/// #[derive(Default)]
/// struct Board {
///     subscribers: Vec<SessionId>,
///     new_events: Vec<EventList>,
/// }
///
/// impl Device for Board {
///     fn subscribe_all(&mut self, session: SessionId) {
///         self.subscribers.push(session);
///     }
///
///     fn session_ended(&mut self, session: SessionId) {
///         self.subscribers.retain(|subscriber| *subscriber != session);
///     }
/// }
///
/// /// Call this after each packet and after each new event.
/// fn send_events(responder: &mut Responder) -> Result<(), Usage> {
///     let Some(board) = responder.device_mut::<Board>() else { return Ok(()) };
///     let (subscribers, events) = (board.subscribers.clone(), core::mem::take(&mut board.new_events));
///     for session in subscribers {
///         for list in &events {
///             responder.queue_request(Some(session), ResponderRequest::Events(list.clone()))?;
///         }
///     }
///     Ok(())
/// }
/// ```
///
/// A requester has a device too, for the responder's encapsulated requests. If the device refuses one, even with Busy,
/// that encapsulated request ends, but no session ends.
pub trait Device: Any + Send {
    /// Returns the measurements in ascending order of their indexes, which must be distinct. `pending`: return the values
    /// that take effect at the next reset (1.3) instead of the current values. The engine also computes MeasurementSummaryHash from the current
    /// values.
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with.
    fn measurements(&mut self, pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let _ = pending;
        Ok(Vec::new())
    }

    /// Sets MeasurementHashAlgo as negotiated; `None` for RAW_BIT_STREAM. The engine calls [`Device::measurements`]
    /// next. A [`MeasuredValue::Digest`] must be of this hash.
    fn set_measurement_hash(&mut self, hash: Option<&'static Hash>) {
        let _ = hash;
    }

    /// Returns OpaqueData for CHALLENGE_AUTH and MEASUREMENTS. Since 1.2 a format is negotiated: if it is format 1, the
    /// data must be a list of elements, as [`grille_spdm_codec::opaque`] writes it. If no format was selected, the
    /// engine omits the data.
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with, if the device needs opaque data but cannot provide it.
    fn opaque(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(Vec::new())
    }

    /// Answers VENDOR_DEFINED_REQUEST, a message of another standard or of a vendor.
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with; UnsupportedRequest for an unknown message.
    fn vendor(
        &mut self,
        session: Option<SessionId>,
        standard_id: u16,
        vendor_id: &[u8],
        data: &[u8],
    ) -> Result<Vec<u8>, Refusal> {
        let _ = (session, standard_id, vendor_id, data);
        Err(Refusal::unsupported(Code::VENDOR_DEFINED_REQUEST))
    }

    /// Returns EPInfo for this SubCode of GET_ENDPOINT_INFO (1.3).
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with; InvalidRequest for an unknown SubCode.
    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        let _ = sub_code;
        Err(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    /// Receives the requester's endpoint information (1.3), sent in this session or outside sessions. The information
    /// answers [`crate::operations::ResponderRequest::EndpointInfo`]. If a signature was requested, the engine has
    /// verified it.
    fn endpoint_info_received(&mut self, session: Option<SessionId>, query: FetchEndpointInfo, info: &[u8]) {
        let _ = (session, query, info);
    }

    /// Reports that the requester refused an encapsulated request, in this session or outside sessions. Nothing more is
    /// sent for that request. If it was part of mutual authentication, the requester is not authenticated.
    fn request_refused(&mut self, session: Option<SessionId>, request: Code, reason: &ErrorResponse<'_>) {
        let _ = (session, request, reason);
    }

    /// Returns the measurement extension log (1.3).
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with.
    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(Vec::new())
    }

    /// Returns a certificate signing request in DER, requested in this session or outside sessions. It is for the key
    /// pair that `request` names. If `request` names none, it is for the only key pair that signs with `asym`.
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with, possibly ResetRequired with a CSRTrackingTag.
    fn csr(
        &mut self,
        session: Option<SessionId>,
        asym: Asym,
        request: &GetCsr<'_>,
    ) -> Result<Vec<u8>, Refusal> {
        let _ = (session, asym, request);
        Err(Refusal::new(ErrorCode::UNSPECIFIED))
    }

    /// Stores a certificate chain for a slot of `asym`, or deletes the stored one; requested in this session or outside
    /// sessions.
    ///
    /// The engine has parsed the chain and verified its internal signatures. Its leaf certificate has the slot's key.
    /// In the alias model the chain ends in the device's CA instead, and the slot keeps its certificates below that CA.
    /// The engine uses the chain from now on. `model`: the slot's new certificate model, one of
    /// [`crate::identity::model`].
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with.
    fn set_certificate(
        &mut self,
        session: Option<SessionId>,
        asym: Asym,
        model: u8,
        request: &SetCertificate<'_>,
    ) -> Result<(), Refusal> {
        let _ = (session, asym, model, request);
        Ok(())
    }

    /// Returns the key pairs in the order of KeyPairID, from 1; at most 255 (1.3).
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with. The call right after [`Device::set_key_pair`] must not fail, because the change
    /// is already made.
    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        Ok(Vec::new())
    }

    /// Changes, erases or generates a key pair; requested in this session or outside sessions. The key pair exists, and
    /// [`Device::key_pairs`] says that it is capable of the change.
    ///
    /// The engine calls [`Device::key_pairs`] again afterwards and applies the result. On multi-key connections it uses
    /// a key only for its key usage. If CertAssocCap is set, the engine assigns the key to exactly the slots that
    /// [`KeyPair::slots`] lists.
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with.
    fn set_key_pair(
        &mut self,
        session: Option<SessionId>,
        request: &SetKeyPairInfo<'_>,
    ) -> Result<(), Refusal> {
        let _ = (session, request);
        Err(Refusal::new(ErrorCode::OPERATION_FAILED))
    }

    /// Returns the public key and the signer of a key pair; `None` if there is none. After SET_KEY_PAIR_INFO, the engine
    /// puts this key pair into newly assigned slots, which have no chain yet.
    fn key(&mut self, key_pair_id: u8) -> Option<(PublicKey, Arc<dyn Signer>)> {
        let _ = key_pair_id;
        None
    }

    /// Returns the supported events (1.3).
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with.
    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(EventTypes::default())
    }

    /// Subscribes the peer to exactly these events in this session; earlier subscriptions end. The engine checks only
    /// that the standards and vendors of the events are registered. The device must check that it supports the events,
    /// and send no others: the engine compares neither with [`Device::event_types`].
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with; InvalidRequest if an event is not supported.
    fn subscribe(&mut self, session: SessionId, wanted: &EventTypes) -> Result<(), Refusal> {
        let _ = (session, wanted);
        Err(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    /// Subscribes the requester of this newly opened session to every event: EventAllPolicy (1.3).
    fn subscribe_all(&mut self, session: SessionId) {
        let _ = session;
    }

    /// Receives the events that this session's requester supports (1.3). They answer [`crate::operations::ResponderRequest::EventTypes`].
    fn event_types_received(&mut self, session: SessionId, types: &EventTypes) {
        let _ = (session, types);
    }

    /// Receives events from the requester, in a session whose responder subscribed to some:
    /// [`crate::operations::ResponderRequest::Subscribe`] (1.3).
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with; Busy if the requester should send them again.
    fn events_received(&mut self, session: SessionId, events: &EventList) -> Result<(), Refusal> {
        let _ = (session, events);
        Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))
    }

    /// Reports that a session's handshake is complete, with the identity of the peer. Requests in sessions come with the session
    /// ID. To authorise by identity, remember which peer has which session.
    fn session_opened(&mut self, session: SessionId, identity: &RequesterIdentity<'_>) {
        let _ = (session, identity);
    }

    /// Reports the end of a session whose handshake was complete. A message or an error ended the session, it was
    /// silent for too long, or its connection was restarted or dropped. No more messages of the session follow.
    fn session_ended(&mut self, session: SessionId) {
        let _ = session;
    }

    /// Answers a SubCode of SLOT_MANAGEMENT (1.4), for devices with more slots than the engine's
    /// [`Identity`](crate::identity::Identity). If the device returns `None`, the engine answers, with one bank for
    /// each algorithm that a slot has.
    ///
    /// # Errors
    /// Returns the ErrorCode to refuse with.
    fn manage_slots(
        &mut self,
        session: Option<SessionId>,
        sub_code: SubCode,
        structure: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal> {
        let _ = (session, sub_code, structure);
        Ok(None)
    }

    /// Answers application data in a session; `None` for an empty answer. The answer is not an SPDM message, so it cannot be
    /// ERROR.
    ///
    /// On MCTP the data starts with a message type, on TCP with that transport's header. If the answer has SPDM's type,
    /// an empty one is sent instead. On PCI DOE, and without a transport, records carry no type, so every record
    /// contains an SPDM message. In both cases this method is never called; applications use [`Device::vendor`].
    fn application(&mut self, session: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        let _ = (session, message);
        None
    }
}

/// A device that supports nothing optional.
pub struct EmptyDevice;

impl Device for EmptyDevice {}

/// The contents of KEY_PAIR_INFO for one key pair (1.3).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KeyPair {
    /// Capabilities.
    pub capabilities: KeyPairCapabilities,
    /// KeyUsageCapabilities.
    pub usage_capabilities: KeyUsage,
    /// CurrentKeyUsage.
    pub usage: KeyUsage,
    /// AsymAlgoCapabilities.
    pub asym_capabilities: KeyPairAsym,
    /// CurrentAsymAlgo.
    pub asym: KeyPairAsym,
    /// AssocCertSlotMask.
    pub slots: u8,
    /// PublicKeyInfo: the AlgorithmIdentifier of the key in DER.
    pub public_key_info: Vec<u8>,
    /// PqcAsymAlgoCapabilities, least significant byte first (1.4).
    pub pqc_capabilities: Vec<u8>,
    /// CurrentPqcAsymAlgo, least significant byte first (1.4).
    pub pqc: Vec<u8>,
}

/// A measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// Index, 1 to 0xFE.
    pub index: u8,
    /// DMTFSpecMeasurementValueType without bit 7.
    pub kind: u8,
    /// The measured value.
    pub value: MeasuredValue,
    /// Whether the measurement belongs to the trusted computing base.
    pub tcb: bool,
}

/// The value of a measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeasuredValue {
    /// A value that is sent raw if the requester asks for raw values, and hashed otherwise.
    Hashed(Vec<u8>),
    /// A value that is always sent raw, such as a version.
    Raw(Vec<u8>),
    /// A digest of a value that the device does not provide. It must be of MeasurementHashAlgo, see
    /// [`Device::set_measurement_hash`]: a digest of another length is not sent.
    Digest(Vec<u8>),
}

impl Measurement {
    /// Returns the digest of [`MeasuredValue::Digest`]; `None` for other values.
    pub(crate) fn digest(&self) -> Option<&[u8]> {
        match &self.value {
            MeasuredValue::Digest(digest) => Some(digest),
            MeasuredValue::Hashed(_) | MeasuredValue::Raw(_) => None,
        }
    }

    /// Encodes the measurement block. `hash`: MeasurementHashAlgo, `None` for RAW_BIT_STREAM.
    pub(crate) fn block(&self, raw: bool, hash: Option<&Hash>) -> Result<Vec<u8>, Refusal> {
        let digest: Digest;
        let (value, is_raw) = match (&self.value, hash) {
            (MeasuredValue::Hashed(value), Some(hash)) if !raw => {
                digest = hash.digest(&[value]);
                (digest.as_ref(), false)
            }
            (MeasuredValue::Hashed(value) | MeasuredValue::Raw(value), _) => (&value[..], true),
            (MeasuredValue::Digest(value), _) => (&value[..], false),
        };
        let value_type = self.kind & !Block::RAW | if is_raw { Block::RAW } else { 0 };
        let mut bytes = vec![0; value.len() + 7];
        let block = Block { index: self.index, value_type, value, bytes: &[] };
        // `encode` fails only if the value is longer than the length field allows
        block.encode(&mut bytes).map_err(Refusal::unencodable)?;
        Ok(bytes)
    }
}

/// Returns the hash that MeasurementHashAlgo selects; `None` for RAW_BIT_STREAM, which is bit 0. So the bit of each
/// hash is one higher than in BaseHashAlgo.
#[must_use]
pub fn measurement_hash(bits: u32) -> Option<&'static Hash> {
    HASHES.iter().find(|hash| bits == 2 << hash.bit)
}

/// Computes MeasurementSummaryHash of all measurements, or of those in the trusted computing base. Returns `None` for
/// the summary type 0.
pub(crate) fn summary(
    measurements: &[Measurement],
    summary_type: u8,
    hash: &Hash,
    measurement_hash: Option<&Hash>,
) -> Result<Option<Digest>, Refusal> {
    if summary_type == 0 {
        return Ok(None);
    }
    let mut running = hash.start();
    for measurement in measurements.iter().filter(|measurement| summary_type == ALL || measurement.tcb) {
        running.update(&measurement.block(false, measurement_hash)?);
    }
    Ok(Some(running.digest()))
}

/// MeasurementSummaryHashType for all measurements.
pub(crate) const ALL: u8 = 0xFF;
