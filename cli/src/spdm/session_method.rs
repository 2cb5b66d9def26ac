//! The method with which `grille spdm attest` opens a session.

use super::requirements;
use crate::error::Error;
use clap::ValueEnum;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;

/// A method of opening a session.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum Session {
    KeyEx,
    Psk,
}

impl Session {
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::KeyEx => "KEY_EX",
            Self::Psk => "PSK",
        }
    }

    /// Checks that the requester's capabilities allow a session opened with this method.
    ///
    /// # Errors
    /// Returns an error if capabilities are missing; the error names them.
    pub(super) fn check(self, flags: Caps) -> Result<(), Error> {
        let opens = if self == Self::Psk { Caps::PSK } else { Caps::KEY_EX };
        let missing = |any: &Caps| !flags.intersects(*any);
        let missing: Vec<String> = [opens, Caps::ENCRYPT | Caps::MAC]
            .into_iter()
            .filter(missing)
            .map(requirements::capabilities_with_options)
            .collect();
        if missing.is_empty() {
            return Ok(());
        }
        let problem = format!("a session with {} needs {} on this side", self.name(), missing.join(" and "));
        Err(Error::usage(problem).with_place("--session"))
    }
}
