//! What a side is able and willing to do.

use crate::algorithms::Bits;
use crate::session::SessionId;
use alloc::{sync::Arc, vec, vec::Vec};
use core::fmt;
use core::time::Duration;
use grille_core::SecretBytes;
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::{MelSpecification, OtherParams};
use grille_spdm_codec::capabilities::{CapabilityFlags, Limits};
pub use grille_spdm_codec::capability_rules::Contradiction;
use grille_spdm_codec::version::VersionNumber;
pub use grille_spdm_transport::binding::{Binding, Kind};

/// What a side offers, requester or responder.
#[derive(Clone, Debug)]
pub struct Config {
    /// The versions, ascending.
    pub versions: Vec<Version>,
    /// Capabilities and sizes, as [`Config::check`] finds them right. What a version does not know yet is left out of its messages.
    pub limits: Limits,
    /// The algorithms.
    pub algorithms: Bits,
    /// Those that the responder chooses before others where both sides have them, of several the highest.
    pub preferred: Bits,
    /// OtherParams: formats of opaque data, several keys.
    pub other_params: OtherParams,
    /// MELspecification.
    pub mel_specification: MelSpecification,
    /// Of a post-quantum and a classical algorithm the responder chooses the post-quantum one.
    pub pqc_first: bool,
    /// What carries the messages.
    pub binding: Binding,
    /// The versions of secured messages, DSP0277.
    pub secured_versions: Vec<VersionNumber>,
    /// 2 to this power secured messages at most under one key. Where DSP0277 1.3 is spoken the other side is told, and has its
    /// own say.
    pub aead_limit: u32,
    /// The responder wants HEARTBEAT so often, in seconds; 0 for never.
    pub heartbeat: u8,
    /// The most sessions at once.
    pub max_sessions: usize,
    /// The device is where it is provisioned: SET_CERTIFICATE may come outside sessions.
    pub trusted_environment: bool,
    /// How requesters are asked to authenticate themselves in sessions, those that can: who has not the capabilities for it opens
    /// sessions without, unless `requires_mutual` says otherwise. Who is at the other end, the device hears in
    /// [`Device::session_opened`](crate::device::Device::session_opened).
    pub mutual: MutualAuthentication,
    /// Whether they are asked to outside sessions too, in CHALLENGE_AUTH.
    pub basic_mutual: bool,
    /// Whether who cannot be asked is refused: no session with KEY_EXCHANGE where `mutual` asks, no CHALLENGE_AUTH where
    /// `basic_mutual` does. A key that both sides have beforehand is proof enough.
    pub requires_mutual: bool,
    /// How long the requester waits for a responder that is busy or not ready, or for its own key, all in all for one answer. Who is not
    /// ready says how long at a time, a key at least; who is busy is asked again after 10 milliseconds. Both that and the key are waited
    /// for longer each time, up to a second.
    pub patience: Duration,
    /// Who is told the secrets of sessions: for those who read captures.
    pub key_log: Option<KeyLog>,
}

/// Is told every secret of a session that protects records, before KEY_UPDATE: the session, libspdm's name for the
/// secret, the secret.
#[derive(Clone)]
pub struct KeyLog(
    /// The function.
    pub Arc<Told>,
);

/// What a [`KeyLog`] holds.
pub type Told = dyn Fn(SessionId, &'static str, &SecretBytes) + Send + Sync;

impl fmt::Debug for KeyLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyLog")
    }
}

impl Default for Config {
    /// Everything this crate can do, over MCTP. Without classical algorithms, and so without the feature `std`, that is 1.4 alone:
    /// no earlier version has post-quantum ones. A key that both sides have beforehand is of use since 1.1; who has one names
    /// the versions.
    fn default() -> Self {
        let algorithms = Bits::all();
        Self {
            versions: if algorithms.asym == 0 { vec![Version::V1_4] } else { Version::ALL.to_vec() },
            limits: Limits {
                // four seconds, for signers that nobody has measured: a device that knows its own says less
                ct_exponent: 22,
                flags: CapabilityFlags::NONE,
                data_transfer_size: 0x1200,
                max_message_size: 0x4_0000,
                ..Limits::default()
            },
            algorithms,
            preferred: Bits::default(),
            other_params: OtherParams::OPAQUE_DATA_FORMAT_1 | OtherParams::MULTI_KEY_CONN,
            mel_specification: MelSpecification::DMTF,
            pqc_first: true,
            binding: Binding::Mctp,
            secured_versions: [0x1000, 0x1100, 0x1200, 0x1300].map(VersionNumber).to_vec(),
            aead_limit: 64,
            heartbeat: 0,
            max_sessions: 4,
            trusted_environment: false,
            mutual: MutualAuthentication::No,
            basic_mutual: false,
            requires_mutual: false,
            patience: Duration::from_mins(1),
            key_log: None,
        }
    }
}

impl Config {
    /// [`Config::default`] with these capabilities.
    #[must_use]
    pub fn with(flags: CapabilityFlags) -> Self {
        let mut config = Self::default();
        config.limits.flags = flags;
        config
    }

    /// Whether what a side of this configuration says of itself in a version does not contradict itself: else the other side gives up
    /// where it hears of it. Both sides are made of any configuration; one that is right in one of its versions may be wrong in
    /// another, which knows other capabilities.
    ///
    /// # Errors
    /// What does: of the flags, the first rule that they break.
    ///
    /// ```
    /// use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
    /// use grille_spdm_engine::config::{Config, Role};
    ///
    /// let check = |caps| {
    ///     let config = Config::with(caps);
    ///     config.versions.iter().try_for_each(|version| config.check(Role::Requester, *version))
    /// };
    /// assert!(check(Caps::CERT | Caps::KEY_EX | Caps::MAC).is_ok());
    /// let wrong = check(Caps::CERT | Caps::KEY_EX).unwrap_err();
    /// assert!(wrong.to_string().ends_with("needs ENCRYPT_CAP or MAC_CAP"));
    /// ```
    pub fn check(&self, role: Role, version: Version) -> Result<(), Contradiction> {
        let said = self.limits_in(version);
        match role {
            Role::Requester => said.check_requester(version),
            Role::Responder => said.check_responder(version),
        }
    }
}

/// Which side this is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The side that asks.
    Requester,
    /// The side that answers.
    Responder,
}

impl Role {
    pub(crate) const fn other(self) -> Self {
        match self {
            Self::Requester => Self::Responder,
            Self::Responder => Self::Requester,
        }
    }
}

/// How a responder has requesters authenticate themselves in sessions. Those with PUB_KEY_ID_CAP sign with the public
/// key known beforehand, however they are to, and those without it prove a chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutualAuthentication {
    /// Not at all.
    No,
    /// With this slot, whose chain is known already, or 0xFF for the public key known beforehand.
    Slot(u8),
    /// Their chain is asked for in encapsulated requests.
    Encapsulated,
    /// The same, and they send their digests without being asked.
    Digests,
}

/// A message as the transport carries it: without its own header, but told apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packet {
    /// A message in the clear.
    Message(Vec<u8>),
    /// A secured message, from the session's number to the tag.
    Secured(Vec<u8>),
}

impl Packet {
    /// What the transport brought; `None` if it is nothing of SPDM's.
    #[must_use]
    pub fn new(kind: Kind, bytes: Vec<u8>) -> Option<Self> {
        match kind {
            Kind::Spdm => Some(Self::Message(bytes)),
            Kind::Secured => Some(Self::Secured(bytes)),
            Kind::Other(_) => None,
        }
    }

    /// What the transport is given.
    #[must_use]
    pub fn parts(&self) -> (Kind, &[u8]) {
        match self {
            Self::Message(bytes) => (Kind::Spdm, bytes),
            Self::Secured(bytes) => (Kind::Secured, bytes),
        }
    }
}
