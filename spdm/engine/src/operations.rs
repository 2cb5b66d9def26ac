//! What a requester can do; each is started with [`crate::requester::Requester::start`] or run to its end with
//! [`crate::requester::Requester::run`].

pub use crate::certificate::FetchCertificate;
pub use crate::challenge::{Proof, Prove};
pub use crate::connect::Connect;
pub use crate::digests::{FetchDigests, SlotDigest};
pub use crate::encapsulated::ProveBack;
pub use crate::end_session::End;
pub use crate::heartbeat::Beat;
pub use crate::key_update::Update;
pub use crate::measurements::{Measure, Measured, MeasuredBlock};
pub use crate::open::OpenSession;
pub use crate::psk::OpenPskSession;
