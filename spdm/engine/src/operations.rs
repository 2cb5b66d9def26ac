//! The operations of a requester. Start one with [`crate::requester::Requester::start`], or run it to completion with
//! [`crate::requester::Requester::run`].

pub use crate::certificate::FetchCertificate;
pub use crate::challenge::{Proof, Prove};
pub use crate::connect::Connect;
pub use crate::csr::FetchCsr;
pub use crate::digests::{FetchDigests, SlotDigest};
pub use crate::encapsulated_requester::{Listen, ProveBack};
pub use crate::end_session::{End, EndForGood};
pub use crate::endpoint_info::Describe;
pub use crate::events::{EventList, EventTypes, FetchEventTypes, Subscribe, Tell};
pub use crate::heartbeat::Beat;
pub use crate::key_pair_info::{FetchKeyPair, SetKeyPair};
pub use crate::key_update::Update;
pub use crate::measurements::{Measure, Measured, MeasuredBlock};
pub use crate::mel::FetchLog;
pub use crate::open_session::OpenSession;
pub use crate::psk::OpenPskSession;
pub use crate::responder_request::Question;
pub use crate::set_certificate::SetChain;
pub use crate::slot_management::ManageSlots;
pub use crate::vendor::Vendor;
