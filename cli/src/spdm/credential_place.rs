//! The place of a side's credentials: chains in slots, or keys that the other side knows.

use super::device::without_certificates;
use grille_spdm_codec::capabilities::CapabilityFlags;
use grille_spdm_engine::identity::PROVISIONED;

/// The place of a side's credentials.
#[derive(Clone, Copy)]
pub(crate) enum CredentialPlace {
    /// This many slots, starting with slot 0. Each slot has the same chains.
    Slots(u8),
    /// A public key that the peer was provisioned with, in slot 0xFF.
    Provisioned,
    /// Keys without certificates, in slot 0xFF of the dialect of openspdm-pqc. They are read and stored separately from
    /// chains.
    Raw,
}

impl CredentialPlace {
    /// Returns the place of slot `id`. `count` is the number of slots with chains.
    pub(crate) const fn new(id: u8, count: u8) -> Self {
        if id == PROVISIONED { Self::Provisioned } else { Self::Slots(count) }
    }

    /// Returns the place in the dialect of openspdm-pqc, where slot 0xFF holds only keys without certificates.
    pub(crate) const fn in_dialect(self) -> Self {
        match self {
            Self::Provisioned | Self::Raw => Self::Raw,
            Self::Slots(_) => self,
        }
    }

    /// Adapts `flags` to credentials in this place: with a provisioned public key, PUB_KEY_ID replaces the capabilities
    /// that need certificates.
    pub(crate) const fn adapt_capabilities(self, flags: CapabilityFlags) -> CapabilityFlags {
        match self {
            Self::Slots(_) | Self::Raw => flags,
            Self::Provisioned => without_certificates(flags),
        }
    }
}
