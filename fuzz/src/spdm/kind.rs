//! What both sides have agreed on before the fuzzer speaks: two bytes of the input choose.

use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_engine::config::{Binding, Config, MutualAuthentication};
use grille_spdm_engine::identity::PROVISIONED;

/// Bits, each of which changes one thing; 0 is 1.4 with a session that a key of both sides opened.
#[derive(Clone, Copy, Debug)]
pub struct Kind(
    /// 0 and 1: 1.4, 1.3, 1.2 or 1.1; the others see the functions.
    pub u16,
);

impl Kind {
    fn bit(self, bit: u8) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// What is spoken.
    #[must_use]
    pub fn version(self) -> Version {
        [Version::V1_4, Version::V1_3, Version::V1_2, Version::V1_1][usize::from(self.0 & 3)]
    }

    fn handshake_in_the_clear(self) -> bool {
        self.bit(2)
    }

    /// Whether records are encrypted; else they are authenticated only.
    #[must_use]
    pub fn encrypts(self) -> bool {
        !self.bit(3)
    }

    /// Both sides know each other's public keys, and have no certificates.
    #[must_use]
    pub fn knows_keys(self) -> bool {
        self.bit(4)
    }

    /// KEY_EXCHANGE opens the session, not PSK_EXCHANGE.
    #[must_use]
    pub fn exchanges_keys(self) -> bool {
        self.bit(5)
    }

    /// The requester has to prove itself in the handshake.
    fn is_mutual(self) -> bool {
        self.bit(6)
    }

    /// The handshake has only begun.
    #[must_use]
    pub fn is_in_handshake(self) -> bool {
        self.bit(7)
    }

    /// What is longer than [`SMALL`] goes in chunks.
    fn chunks(self) -> bool {
        self.bit(8)
    }

    /// Keys sign only when they are asked a second time: ResponseNotReady.
    #[must_use]
    pub fn signs_later(self) -> bool {
        self.bit(9)
    }

    /// One key for all slots, where since 1.3 each has its own else.
    fn has_one_key(self) -> bool {
        self.bit(10)
    }

    /// AEADAlg on offer.
    fn aead(self) -> u16 {
        [7, 1, 2, 4][usize::from(self.0 >> 11 & 3)]
    }

    /// What carries the messages.
    #[must_use]
    pub fn binding(self) -> Binding {
        [Binding::Mctp, Binding::PciDoe, Binding::Tcp, Binding::Mctp][usize::from(self.0 >> 13 & 3)]
    }

    /// A key takes 64 records and no more.
    fn tires(self) -> bool {
        self.bit(15)
    }

    /// Whose key proves a side.
    #[must_use]
    pub fn slot(self) -> u8 {
        if self.knows_keys() { PROVISIONED } else { 0 }
    }

    /// All that SPDM has, but for `excluded` and what the kind is without.
    #[must_use]
    pub fn config(self, excluded: Caps) -> Config {
        let left_out = excluded | Caps::MEAS_NO_SIG | Caps::EP_INFO_NO_SIG | Caps::MULTI_KEY_ONLY;
        let mut config = Config::with(Caps(!(left_out | self.left_out()).0));
        (config.versions, config.binding) = (vec![self.version()], self.binding());
        config.algorithms.aead = self.aead();
        if self.chunks() {
            config.limits.data_transfer_size = SMALL;
        }
        if !self.knows_keys() {
            config.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
        }
        if self.tires() {
            config.aead_limit = 6;
        }
        if self.exchanges_keys() {
            // the quickest: secp256r1
            (config.algorithms.dhe, config.algorithms.kem) = (1 << 3, 0);
        }
        if self.is_mutual() {
            config.mutual = MutualAuthentication::Encapsulated;
        }
        (config.basic_mutual, config.heartbeat) = (true, 5);
        config
    }

    fn left_out(self) -> Caps {
        let clear = if self.handshake_in_the_clear() { Caps::NONE } else { Caps::HANDSHAKE_IN_THE_CLEAR };
        let encrypt = if self.encrypts() { Caps::NONE } else { Caps::ENCRYPT };
        let one_key = if self.has_one_key() { Caps::MULTI_KEY_CONN_SEL } else { Caps::NONE };
        clear | encrypt | one_key | if self.knows_keys() { OF_CERTIFICATES } else { Caps::PUB_KEY_ID }
    }
}

/// DataTransferSize of sides that cut their messages, in bytes.
const SMALL: u32 = 64;

/// What only sides with certificates can do.
const OF_CERTIFICATES: Caps = Caps(
    Caps::CERT.0
        | Caps::ALIAS_CERT.0
        | Caps::SET_CERT.0
        | Caps::CSR.0
        | Caps::CERT_INSTALL_RESET.0
        | Caps::MULTI_KEY_CONN_SEL.0
        | Caps::GET_KEY_PAIR_INFO.0
        | Caps::SET_KEY_PAIR_INFO.0
        | Caps::SET_KEY_PAIR_RESET.0,
);
