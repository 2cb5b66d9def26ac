//! What only the device itself knows: measurements, logs, and what its vendor adds.

use crate::algorithms::Asym;
use crate::authenticated::Authenticated;
use crate::error::Refusal;
pub use crate::events::EventTypes;
use crate::hash::{Digest, HASHES, Hash};
use crate::operations::{Describe, EventList};
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

/// One side of everything that is not cryptography. Each method may be left out: the device then does
/// without.
///
/// Whatever answers a request may refuse it with the ErrorCode that is right: Busy if it is to be asked once more later,
/// OperationFailed (1.3), InvalidState (1.4) or Unspecified if it cannot, [`Refusal::vendor_defined`] with a code of the vendor's own,
/// RequestResynch if it lost what was negotiated, which ends all sessions, and DecryptError, which ends the one that it is said in.
///
/// It is called while its side answers, and raises nothing by itself. Who drives the responder reaches it between two packets, or
/// shares with it what is in an [`Arc`]; what it has to tell it keeps, to be asked then:
///
/// ```
/// use grille_spdm_engine::device::Device;
/// use grille_spdm_engine::error::Usage;
/// use grille_spdm_engine::operations::{EventList, Question};
/// use grille_spdm_engine::responder::Responder;
/// use grille_spdm_engine::session::SessionId;
///
/// #[derive(Default)]
/// struct Board {
///     listening: Vec<SessionId>,
///     news: Vec<EventList>,
/// }
///
/// impl Device for Board {
///     fn subscribe_all(&mut self, session: SessionId) {
///         self.listening.push(session);
///     }
///
///     fn session_ended(&mut self, session: SessionId) {
///         self.listening.retain(|listening| *listening != session);
///     }
/// }
///
/// /// After each packet, and whenever something happened.
/// fn tell(responder: &mut Responder) -> Result<(), Usage> {
///     let Some(board) = responder.device_mut::<Board>() else { return Ok(()) };
///     let (listening, news) = (board.listening.clone(), core::mem::take(&mut board.news));
///     for session in listening {
///         for list in &news {
///             responder.ask(Some(session), Question::Events(list.clone()))?;
///         }
///     }
///     Ok(())
/// }
/// ```
///
/// A requester has a device too, for what its responder asks. What that refuses is the end of the question, Busy too, and of no
/// session.
pub trait Device: Any + Send {
    /// The measurements, ascending by index, each of another; `pending`: those that the next reset brings (1.3). MeasurementSummaryHash
    /// is of them too.
    ///
    /// # Errors
    /// Why they are not told.
    fn measurements(&mut self, pending: bool) -> Result<Vec<Measurement>, Refusal> {
        let _ = pending;
        Ok(Vec::new())
    }

    /// MeasurementHashAlgo as it was negotiated, `None` if that is RAW_BIT_STREAM: [`Device::measurements`] is asked next, and a
    /// [`MeasuredValue::Digest`] has to be of this one.
    fn measured_with(&mut self, hash: Option<&'static Hash>) {
        let _ = hash;
    }

    /// OpaqueData of CHALLENGE_AUTH and MEASUREMENTS: since 1.2 a list of elements, as [`grille_spdm_codec::opaque`] writes it,
    /// where both sides chose that format. Where they chose none, it is not said.
    ///
    /// # Errors
    /// Why there is no response: it would have to say something here, and cannot.
    fn opaque(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(Vec::new())
    }

    /// The answer to a message of another standard or of a vendor's.
    ///
    /// # Errors
    /// Why there is none: UnsupportedRequest, if it is not known.
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

    /// EPInfo of this SubCode (1.3).
    ///
    /// # Errors
    /// Why it is not told: InvalidRequest, if it is not known.
    fn endpoint_info(&mut self, sub_code: u8) -> Result<Vec<u8>, Refusal> {
        let _ = sub_code;
        Err(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    /// What kind of device the requester is, said in this session or outside: the answer to
    /// [`crate::operations::Question::Describe`] (1.3). If it was to be signed, the signature was right.
    fn described(&mut self, session: Option<SessionId>, asked: Describe, info: &[u8]) {
        let _ = (session, asked, info);
    }

    /// What the responder asked in this session or outside was refused by the requester: the question is over. Of one that took the
    /// requester's chain, what it was for does not happen.
    fn declined(&mut self, session: Option<SessionId>, request: Code, why: &ErrorResponse<'_>) {
        let _ = (session, request, why);
    }

    /// The measurement extension log (1.3).
    ///
    /// # Errors
    /// Why it is not told.
    fn measurement_log(&mut self) -> Result<Vec<u8>, Refusal> {
        Ok(Vec::new())
    }

    /// A certification request, DER, for the key pair that the request names, which signs with `asym`, or the only one that does;
    /// asked in this session or outside.
    ///
    /// # Errors
    /// Why there is none, perhaps ResetRequired with a CSRTrackingTag.
    fn csr(
        &mut self,
        session: Option<SessionId>,
        asym: Asym,
        request: &GetCsr<'_>,
    ) -> Result<Vec<u8>, Refusal> {
        let _ = (session, asym, request);
        Err(Refusal::new(ErrorCode::UNSPECIFIED))
    }

    /// Keeps the chain that was put into a slot of `asym`, in this session or outside, or forgets the one that was there. The
    /// chain was read, each of its certificates signed the next, and it is for the slot's key, or in the alias model for the CA
    /// above the certificates that the slot came with; the engine uses it from now on. `model`: what the slot's certificate is then,
    /// of [`crate::identity::model`].
    ///
    /// # Errors
    /// Why it is not kept.
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

    /// The key pairs, from KeyPairID 1 on, 255 at most (1.3).
    ///
    /// # Errors
    /// Why they are not told. Right after [`Device::set_key_pair`] there is no reason: what it changed is changed.
    fn key_pairs(&mut self) -> Result<Vec<KeyPair>, Refusal> {
        Ok(Vec::new())
    }

    /// Changes, erases or generates a key pair, which exists and can do what is asked of it by what [`Device::key_pairs`] says;
    /// asked in this session or outside. From then on the engine goes by what that says anew: where the connection has several
    /// keys, a key is used for nothing but its usage; and where CertAssocCap is set, it is in its slots and in no other.
    ///
    /// # Errors
    /// Why it is not done.
    fn set_key_pair(
        &mut self,
        session: Option<SessionId>,
        request: &SetKeyPairInfo<'_>,
    ) -> Result<(), Refusal> {
        let _ = (session, request);
        Err(Refusal::new(ErrorCode::OPERATION_FAILED))
    }

    /// A key pair, as SET_KEY_PAIR_INFO left it: for slots that it was put into, which wait for a chain then.
    fn key(&mut self, key_pair_id: u8) -> Option<(PublicKey, Arc<dyn Signer>)> {
        let _ = key_pair_id;
        None
    }

    /// The events there are (1.3).
    ///
    /// # Errors
    /// Why they are not told.
    fn event_types(&mut self) -> Result<EventTypes, Refusal> {
        Ok(EventTypes::default())
    }

    /// The other side wants to hear of these events in this session, and of no others. They are of standards and vendors that there are;
    /// whether the device has them, and that nothing else is told in the session then, is its own to see to: nobody else compares them
    /// with [`Device::event_types`] or with what is told.
    ///
    /// # Errors
    /// Why it will not: InvalidRequest, if it has not all of them.
    fn subscribe(&mut self, session: SessionId, wanted: &EventTypes) -> Result<(), Refusal> {
        let _ = (session, wanted);
        Err(Refusal::new(ErrorCode::INVALID_REQUEST))
    }

    /// The requester of this session, which was just opened, wants to hear of every event: EventAllPolicy (1.3).
    fn subscribe_all(&mut self, session: SessionId) {
        let _ = session;
    }

    /// The events that the requester of this session has: the answer to [`crate::operations::Question::EventTypes`] (1.3).
    fn offered(&mut self, session: SessionId, types: &EventTypes) {
        let _ = (session, types);
    }

    /// Events of the requester's, in a session whose responder subscribed to some: [`crate::operations::Question::Subscribe`] (1.3).
    ///
    /// # Errors
    /// Why they are not taken; Busy, if they are to be told again.
    fn heard(&mut self, session: SessionId, events: &EventList) -> Result<(), Refusal> {
        let _ = (session, events);
        Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST))
    }

    /// The handshake of a session is over, and this is at its other end. What is asked in sessions comes with their number: whoever
    /// does not answer everybody keeps who is where.
    fn session_opened(&mut self, session: SessionId, who: &Authenticated<'_>) {
        let _ = (session, who);
    }

    /// A session whose handshake was over is over itself: ended, refused, silent for too long, or its connection was begun anew or
    /// is gone. Nothing is heard in it or told to it any more.
    fn session_ended(&mut self, session: SessionId) {
        let _ = session;
    }

    /// The struct that answers a SubCode of SLOT_MANAGEMENT (1.4), where the device has more than its slots; `None`: the engine
    /// answers, with a bank for each algorithm that there are slots for.
    ///
    /// # Errors
    /// Why it is not done.
    fn manage_slots(
        &mut self,
        session: Option<SessionId>,
        sub_code: SubCode,
        structure: &[u8],
    ) -> Result<Option<Vec<u8>>, Refusal> {
        let _ = (session, sub_code, structure);
        Ok(None)
    }

    /// The answer to what an application says in a session; `None`: an empty one. It is no message of SPDM's, and so not refused with
    /// ERROR. On MCTP both begin with a message type, on TCP with a header of that transport's; instead of an answer of SPDM's type an
    /// empty one is said. On PCI DOE and without a transport nothing in a record says what it is: all of it is SPDM, nothing comes
    /// here, and applications speak to [`Device::vendor`].
    fn application(&mut self, session: SessionId, message: &[u8]) -> Option<Vec<u8>> {
        let _ = (session, message);
        None
    }
}

/// A device without anything.
pub struct Bare;

impl Device for Bare {}

/// What KEY_PAIR_INFO says of a key pair (1.3).
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
    /// PublicKeyInfo: the AlgorithmIdentifier of the key, DER.
    pub public_key_info: Vec<u8>,
    /// PqcAsymAlgoCapabilities, lowest byte first (1.4).
    pub pqc_capabilities: Vec<u8>,
    /// CurrentPqcAsymAlgo, likewise (1.4).
    pub pqc: Vec<u8>,
}

/// One measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measurement {
    /// Index, 1 to 0xFE.
    pub index: u8,
    /// DMTFSpecMeasurementValueType without bit 7.
    pub kind: u8,
    /// The value.
    pub value: MeasuredValue,
    /// Whether it belongs to the trusted computing base.
    pub tcb: bool,
}

/// What was measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MeasuredValue {
    /// Sent as it is if the requester asks so, else hashed.
    Hashed(Vec<u8>),
    /// Always sent as it is, such as a version.
    Raw(Vec<u8>),
    /// Only the digest is known; of MeasurementHashAlgo, which [`Device::measured_with`] hears. Of another length it is not sent.
    Digest(Vec<u8>),
}

impl Measurement {
    /// The digest, if that is all that is known.
    pub(crate) fn digest(&self) -> Option<&[u8]> {
        match &self.value {
            MeasuredValue::Digest(digest) => Some(digest),
            MeasuredValue::Hashed(_) | MeasuredValue::Raw(_) => None,
        }
    }

    /// The block; `hash` is that of MeasurementHashAlgo, `None` if that is RAW_BIT_STREAM.
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
        // it is too long for its length
        block.encode(&mut bytes).map_err(Refusal::unwritable)?;
        Ok(bytes)
    }
}

/// The hash with this bit of MeasurementHashAlgo: the raw bit stream has bit 0, so that all others are one up.
#[must_use]
pub fn measurement_hash(bits: u32) -> Option<&'static Hash> {
    HASHES.iter().find(|hash| bits == 2 << hash.bit)
}

/// MeasurementSummaryHash: all blocks, or those of the trusted computing base.
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

/// MeasurementSummaryHashType: all measurements.
pub(crate) const ALL: u8 = 0xFF;
