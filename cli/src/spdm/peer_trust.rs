//! Trust in the peer's chains, and warnings about credentials that prove nothing.

use super::appraisal::test_roots::TestRoot;
use super::local_identity::LocalIdentity;
use super::options::{certificates, in_era};
use crate::error::Error;
use crate::output::Output;
use grille_pki::Certificate;
use grille_registry::Numbers;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::trust::{ChainVerifier, DangerousAcceptAny, Roots};
use std::path::PathBuf;
use std::sync::Arc;

/// Returns a judge that trusts chains that lead to a root certificate in these files. Without files it trusts every
/// chain, or no chain if the peer must have a known public key (`pinned`). `numbers`: the object identifiers in the roots. Warns
/// about roots whose private key is published.
///
/// # Errors
/// Returns an error if a file cannot be read.
pub(super) fn judge(
    ca: &[PathBuf],
    pinned: bool,
    numbers: Numbers,
    out: &Output,
) -> Result<Arc<dyn ChainVerifier + Sync>, Error> {
    if ca.is_empty() && !pinned {
        return Ok(Arc::new(DangerousAcceptAny));
    }
    let roots = in_era(certificates(ca)?, numbers);
    roots.iter().for_each(|root| warn_about_published_root(root, out));
    Ok(Arc::new(Roots::new(roots)))
}

fn warn_about_published_root(root: &Certificate, out: &Output) {
    let subject = root.subject();
    if TestRoot::classify(&subject) == Some(TestRoot::Published) {
        out.warn(format_args!(
            "--ca: the private key of the root {subject} is public, so anyone can issue certificates under it; use it only in a laboratory"
        ));
    }
}

/// Warns if a side with credentials of its own uses the published test key without --test-psk. Emulated devices with
/// new keys need no warning, because their keys prove nothing anyway.
///
/// `has_raw_keys`: whether this side has keys without certificates. `is_test_key`: whether the pre-shared key is the
/// published one. `flags`: the capabilities of this side.
pub(super) fn warn_about_test_key(
    own: &LocalIdentity,
    has_raw_keys: bool,
    is_test_key: bool,
    flags: Caps,
    out: &Output,
) {
    const PSK: Caps = Caps(Caps::PSK.0 | Caps::PSK_WITH_CONTEXT.0);
    let has_own_credentials = own.has_files() || has_raw_keys || own.psk.input().is_some();
    let is_requested = own.psk.is_test_key_requested() || !has_own_credentials;
    if is_test_key && !is_requested && flags.intersects(PSK) {
        out.warn(
            "anyone can open a session with the public test key of DMTF's emulators; name another key with --psk, or confirm with --test-psk",
        );
    }
}
