//! The configuration of a requester or responder.

use crate::algorithms::Bits;
use crate::meter::MeterHandle;
use crate::pqc2021::Options;
use crate::session_id::SessionId;
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

/// The configuration of one side, requester or responder.
#[derive(Clone, Debug)]
pub struct Config {
    /// The supported versions, ascending.
    pub versions: Vec<Version>,
    /// Capabilities and message sizes, checked by [`Config::check`]. Messages of older versions omit capabilities that the
    /// version does not define.
    pub limits: Limits,
    /// The offered algorithms.
    pub algorithms: Bits,
    /// Algorithms that the responder selects first if both sides have them. Among several, the highest bit wins.
    pub preferred: Bits,
    /// OtherParams: formats of opaque data, multi-key connections.
    pub other_params: OtherParams,
    /// MELspecification.
    pub mel_specification: MelSpecification,
    /// Whether the responder selects a post-quantum over a classical algorithm.
    pub pqc_first: bool,
    /// The transport binding.
    pub binding: Binding,
    /// The supported versions of secured messages, DSP0277.
    pub secured_versions: Vec<VersionNumber>,
    /// The maximum number of secured messages under one key, as a power of 2. With DSP0277 1.3 both sides announce
    /// their limits, and the lower one applies.
    pub aead_limit: u32,
    /// HeartbeatPeriod of the responder's sessions in seconds; 0 for none.
    pub heartbeat: u8,
    /// The maximum number of concurrent sessions.
    pub max_sessions: usize,
    /// Whether the device is in a trusted environment for provisioning. If so, SET_CERTIFICATE is allowed outside sessions.
    pub trusted_environment: bool,
    /// How the responder authenticates requesters in sessions. Requesters without the necessary capabilities open
    /// unauthenticated sessions, unless `requires_mutual` is set. The device receives the identity in
    /// [`Device::session_opened`](crate::device::Device::session_opened).
    pub mutual: MutualAuthentication,
    /// Whether the responder also requests mutual authentication outside sessions, in CHALLENGE_AUTH.
    pub basic_mutual: bool,
    /// Whether requesters that cannot authenticate are refused. If `mutual` is set, the responder refuses their
    /// KEY_EXCHANGE; if `basic_mutual` is set, it refuses their CHALLENGE. PSK sessions are not affected: the
    /// pre-shared key authenticates the requester.
    pub requires_mutual: bool,
    /// The total time that the requester waits for one response. It includes the delays of a responder that is busy or
    /// not ready, and of the requester's own signer. A responder or signer that is not ready announces its delay. A
    /// busy responder is retried after 10 milliseconds. Retries for busy responders and signers back off to at most one
    /// second.
    pub patience: Duration,
    /// Receives the sessions' secrets, for tools that decrypt captures.
    pub key_log: Option<KeyLog>,
    /// Selects the dialect of openspdm-pqc (2021) instead of the standard. Only version 1.1 is then offered, whatever `versions`
    /// has.
    pub pqc2021: Option<Options>,
    /// Measures cryptographic operations.
    pub meter: Option<MeterHandle>,
}

/// A callback that receives the handshake and data secrets of each session whose records are protected, as they are
/// before any KEY_UPDATE. Its arguments: the session, libspdm's name of the secret, the secret.
#[derive(Clone)]
pub struct KeyLog(
    /// The callback.
    pub Arc<KeyLogCallback>,
);

/// The function type of a [`KeyLog`].
pub type KeyLogCallback = dyn Fn(SessionId, &'static str, &SecretBytes) + Send + Sync;

impl fmt::Debug for KeyLog {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("KeyLog")
    }
}

impl Default for Config {
    /// Returns a configuration with everything that this crate supports, over MCTP. Without the feature `std` there are
    /// no classical algorithms, and `versions` is 1.4 only: earlier versions have no post-quantum algorithms. Sessions
    /// with pre-shared keys need neither classical nor post-quantum algorithms. To open them in 1.1 to 1.3 as well, set
    /// `versions`.
    fn default() -> Self {
        let algorithms = Bits::all();
        Self {
            versions: if algorithms.asym == 0 { vec![Version::V1_4] } else { Version::ALL.to_vec() },
            limits: Limits {
                // Four seconds, because the speed of the signer is unknown here. A device that knows its signer sets less.
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
            pqc2021: None,
            meter: None,
        }
    }
}

impl Config {
    /// Returns the versions that this side offers.
    #[must_use]
    pub fn offered_versions(&self) -> &[Version] {
        if self.pqc2021.is_some() { &[Version::V1_1] } else { &self.versions }
    }

    /// Returns [`Config::default`] with these capabilities.
    #[must_use]
    pub fn with(flags: CapabilityFlags) -> Self {
        let mut config = Self::default();
        config.limits.flags = flags;
        config
    }

    /// Checks that the capabilities for `version` do not contradict each other. A peer would abort the connection otherwise.
    /// Requesters and responders can be created without this check. A configuration that is valid in one version may be invalid
    /// in another, which defines other capabilities.
    ///
    /// # Errors
    /// Returns the first rule that the flags or sizes break.
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
        let limits = self.limits_in(version);
        match role {
            Role::Requester => limits.check_requester(version),
            Role::Responder => limits.check_responder(version),
        }
    }
}

pub use crate::role::Role;

/// How a responder authenticates requesters in sessions. Requesters with PUB_KEY_ID_CAP always sign with their
/// provisioned public key. Other requesters sign with the key of a certificate chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MutualAuthentication {
    /// No mutual authentication.
    No,
    /// The requester signs with this slot, whose chain the responder already has; 0xFF for the provisioned public key.
    Slot(u8),
    /// The responder fetches the requester's chain in encapsulated requests.
    Encapsulated,
    /// The responder fetches the chain in encapsulated requests, but the requester sends DIGESTS without GET_DIGESTS.
    Digests,
}

/// A message between engine and transport, without the transport's header.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packet {
    /// A message in the clear.
    Message(Vec<u8>),
    /// A secured message, from the session ID to the tag.
    Secured(Vec<u8>),
}

impl Packet {
    /// Wraps a message from the transport; `None` if it is not SPDM.
    #[must_use]
    pub fn new(kind: Kind, bytes: Vec<u8>) -> Option<Self> {
        match kind {
            Kind::Spdm => Some(Self::Message(bytes)),
            Kind::Secured => Some(Self::Secured(bytes)),
            Kind::Other(_) => None,
        }
    }

    /// Returns the message type and bytes for the transport.
    #[must_use]
    pub fn parts(&self) -> (Kind, &[u8]) {
        match self {
            Self::Message(bytes) => (Kind::Spdm, bytes),
            Self::Secured(bytes) => (Kind::Secured, bytes),
        }
    }
}
