//! The keys that a slot of the dialect can have.

use crate::error::Error;
use grille_spdm_engine::identity::PROVISIONED;
use grille_spdm_engine::pqc2021::PublicKeyMode;

/// Checks that the responder's slot can have the keys: slot 0xFF has only keys without certificates, and other slots
/// have a certificate chain. `has_asym`: whether the responder signs with a classical algorithm.
///
/// # Errors
/// Returns an error that says which option to change.
pub(crate) fn check_slot(slot: u8, mode: PublicKeyMode, has_asym: bool) -> Result<(), Error> {
    let (problem, advice) = match (slot == PROVISIONED, mode, has_asym) {
        (true, PublicKeyMode::Certificate, _) => {
            ("slot 0xFF has no certificate", "omit --pqc-pub-key-mode CERT, or give a slot from 0 to 7")
        }
        (true, PublicKeyMode::Raw, true) => {
            ("slot 0xFF has no key for --asym", "omit --asym, or give a slot from 0 to 7")
        }
        (false, PublicKeyMode::Raw, false) => (
            "keys without certificates are in slot 0xFF only",
            "give --slot-id 0xFF, --asym or --pqc-pub-key-mode CERT",
        ),
        _ => return Ok(()),
    };
    Err(Error::usage(problem).with_place("--slot-id").advise(advice))
}
