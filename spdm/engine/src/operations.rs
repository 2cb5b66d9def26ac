//! The operations of a requester. Start one with [`crate::requester::Requester::start`], or run it to completion with
//! [`crate::requester::Requester::run`].

pub use crate::certificate::FetchCertificate;
pub use crate::challenge::{ChallengeResponder, ChallengeResult};
pub use crate::connect::Connect;
pub use crate::csr::FetchCsr;
pub use crate::digests::FetchDigests;
pub use crate::encapsulated_requester::{AnswerMutualAuth, AnswerRequests};
pub use crate::end_session::{End, EndAndClearState};
pub use crate::endpoint_query::FetchEndpointInfo;
pub use crate::event_list::{EventList, EventTypes};
pub use crate::events::{FetchEventTypes, SendEvents, Subscribe};
pub use crate::heartbeat::SendHeartbeat;
pub use crate::key_pair_info::{FetchKeyPair, SetKeyPair};
pub use crate::key_update::UpdateKeys;
pub use crate::measurements::{Measure, MeasuredBlock, MeasurementResult};
pub use crate::mel::FetchLog;
pub use crate::open_session::OpenSession;
pub use crate::psk::OpenPskSession;
pub use crate::responder_request::ResponderRequest;
pub use crate::set_certificate::SetChain;
pub use crate::slot_digest::SlotDigest;
pub use crate::slot_management::ManageSlots;
pub use crate::vendor::VendorRequest;
