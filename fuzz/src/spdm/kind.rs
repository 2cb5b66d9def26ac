//! The negotiated parameters, which two bytes of the input choose.

use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_engine::config::{Binding, Config, MutualAuthentication};
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::pqc2021::{Algorithms, Kem, Options, Set, Signature};

/// Bits that change parameters of the negotiation; 0 means SPDM 1.4 with a PSK session.
#[derive(Clone, Copy, Debug)]
pub struct Kind(
    /// Bits 0 and 1 select SPDM 1.4, 1.3, 1.2 or 1.1. The methods describe the other bits.
    pub u16,
);

impl Kind {
    fn bit(self, bit: u8) -> bool {
        self.0 >> bit & 1 == 1
    }

    /// Returns the version of SPDM.
    #[must_use]
    pub fn version(self) -> Version {
        let versions = [Version::V1_4, Version::V1_3, Version::V1_2, Version::V1_1];
        if self.is_pqc2021() { Version::V1_1 } else { versions[usize::from(self.0 & 3)] }
    }

    /// Returns whether both sides use the dialect of openspdm-pqc (2021), over MCTP.
    #[must_use]
    pub fn is_pqc2021(self) -> bool {
        self.0 >> 13 & 3 == 3
    }

    /// Returns the algorithms of the dialect. The lowest bit, which otherwise selects a version, selects KEM
    /// authentication.
    fn pqc2021(self) -> Options {
        let signature = Signature::by_name(SIGNATURE).map_or(Set::NONE, Signature::set);
        let kem = Kem::by_name(KEM).map_or(Set::NONE, Kem::set);
        let kem_auth = if self.bit(0) { kem } else { Set::NONE };
        let algorithms =
            Algorithms { signature, req_signature: signature, kem, kem_auth, req_kem_auth: kem_auth };
        Options { algorithms, ..Options::default() }
    }

    fn is_handshake_in_clear(self) -> bool {
        self.bit(2)
    }

    /// Returns whether records are encrypted; otherwise they are only authenticated.
    #[must_use]
    pub fn encrypts(self) -> bool {
        !self.bit(3)
    }

    /// Returns whether both sides know each other's public keys and have no certificates.
    #[must_use]
    pub fn knows_keys(self) -> bool {
        self.bit(4)
    }

    /// Returns whether KEY_EXCHANGE opens the session instead of PSK_EXCHANGE.
    #[must_use]
    pub fn uses_key_exchange(self) -> bool {
        self.bit(5)
    }

    /// Returns whether the requester must authenticate itself in the handshake.
    fn is_mutual(self) -> bool {
        self.bit(6)
    }

    /// Returns whether the handshake of the session stays unfinished.
    #[must_use]
    pub fn is_in_handshake(self) -> bool {
        self.bit(7)
    }

    /// Returns whether messages longer than [`SMALL_TRANSFER_SIZE`] are sent in chunks.
    fn has_chunks(self) -> bool {
        self.bit(8)
    }

    /// Returns whether keys sign only at the second attempt, after the ERROR ResponseNotReady.
    #[must_use]
    pub fn signs_later(self) -> bool {
        self.bit(9)
    }

    /// Returns whether all slots share one key; otherwise, since 1.3, each slot has its own.
    fn has_one_key(self) -> bool {
        self.bit(10)
    }

    /// Returns the AEAD algorithms to offer, as a value of AEADAlg.
    fn aead(self) -> u16 {
        [7, 1, 2, 4][usize::from(self.0 >> 11 & 3)]
    }

    /// Returns the transport binding.
    #[must_use]
    pub fn binding(self) -> Binding {
        [Binding::Mctp, Binding::PciDoe, Binding::Tcp, Binding::Mctp][usize::from(self.0 >> 13 & 3)]
    }

    /// Returns whether a key is limited to 64 records.
    fn limits_keys(self) -> bool {
        self.bit(15)
    }

    /// Returns the slot number of a side's key: 0, or the number for a public key that the other side already knows.
    #[must_use]
    pub fn slot(self) -> u8 {
        if self.knows_keys() { PROVISIONED } else { 0 }
    }

    /// Returns a configuration with every feature of SPDM, except `excluded` and the features that the kind disables.
    #[must_use]
    pub fn config(self, excluded: Caps) -> Config {
        let left_out = excluded | Caps::MEAS_NO_SIG | Caps::EP_INFO_NO_SIG | Caps::MULTI_KEY_ONLY;
        let mut config = Config::with(Caps(!(left_out | self.left_out()).0));
        (config.versions, config.binding) = (vec![self.version()], self.binding());
        config.algorithms.aead = self.aead();
        if self.has_chunks() {
            config.limits.data_transfer_size = SMALL_TRANSFER_SIZE;
        }
        if !self.knows_keys() {
            config.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
        }
        if self.limits_keys() {
            config.aead_limit = 6;
        }
        if self.uses_key_exchange() {
            // the fastest group, secp256r1
            (config.algorithms.dhe, config.algorithms.kem) = (1 << 3, 0);
        }
        if self.is_mutual() {
            config.mutual = MutualAuthentication::Encapsulated;
        }
        (config.basic_mutual, config.heartbeat) = (true, 5);
        if self.is_pqc2021() {
            config.pqc2021 = Some(self.pqc2021());
            if self.knows_keys() {
                (config.algorithms.asym, config.algorithms.req_asym) = (0, 0);
            }
        }
        config
    }

    fn left_out(self) -> Caps {
        let clear = if self.is_handshake_in_clear() { Caps::NONE } else { Caps::HANDSHAKE_IN_THE_CLEAR };
        let encrypt = if self.encrypts() { Caps::NONE } else { Caps::ENCRYPT };
        let one_key = if self.has_one_key() { Caps::MULTI_KEY_CONN_SEL } else { Caps::NONE };
        let has_pub_key_id = self.knows_keys() && !self.is_pqc2021();
        clear | encrypt | one_key | if has_pub_key_id { CERTIFICATE_CAPS } else { Caps::PUB_KEY_ID }
    }
}

/// The signature algorithm and the KEM of the dialect, by name.
pub const SIGNATURE: &str = "Dilithium2";
/// See [`SIGNATURE`].
pub const KEM: &str = "Kyber512";

/// DataTransferSize of sides that use chunks, in bytes.
const SMALL_TRANSFER_SIZE: u32 = 64;

/// Capabilities that require certificates.
const CERTIFICATE_CAPS: Caps = Caps(
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
