//! Revocation checks for paths that webpki does not build; in its own paths, webpki checks revocation itself.

use crate::certificate::Certificate;
use crate::crl::Crl;
use crate::trust::{Root, Trust};
use crate::{Error, refusal};
use alloc::{borrow::ToOwned, string::String};
use core::time::Duration;
use grille_registry::Numbers;

/// Checks that no certificate of an ordered chain was revoked. `root` issued the first certificate of `line`, and
/// each certificate issued the next, as verified by [`verify_ordered_chain`](crate::verify::verify_ordered_chain). Each
/// certificate must be covered by a current list that its issuer signed. Without any lists, nothing is checked.
///
/// # Errors
/// Returns [`Error::Revoked`] if a certificate was revoked, or [`Error::RevocationUnknown`] if the list of an issuer is
/// missing, outdated or not signed by that issuer.
pub fn check_not_revoked<'a>(
    root: &'a Certificate,
    line: impl IntoIterator<Item = &'a Certificate>,
    crls: &[Crl],
    time: Duration,
) -> Result<(), Error> {
    let roots: [Root; 0] = [];
    let trust = Trust { crls, ..Trust::from_roots(&roots, Numbers::default()) };
    let mut issuer = root;
    line.into_iter().try_for_each(|certificate| {
        trust.check_revocation(certificate, issuer, time)?;
        issuer = certificate;
        Ok(())
    })
}

impl Trust<'_> {
    /// Checks that a certificate was not revoked, if there are lists.
    pub(crate) fn check_revocation(
        &self,
        certificate: &Certificate,
        issuer: &Certificate,
        time: Duration,
    ) -> Result<(), Error> {
        if self.crls.is_empty() {
            return Ok(());
        }
        check_may_sign_crls(issuer)?;
        let fits =
            |crl: &&Crl| crl.is_complete() && crl.is_of_issuer(certificate) && crl.validity().0 <= time;
        let newest = self.crls.iter().filter(fits).max_by_key(|crl| crl.validity().0);
        let unknown = |reason: String| Err(refusal::unknown_status(certificate, reason));
        let Some(newest) = newest else { return unknown(refusal::uncovered_reason(certificate)) };
        if !newest.is_signed_by(issuer, self.algorithms) {
            return unknown(refusal::WRONG_CRL_SIGNATURE.to_owned());
        }
        if time >= newest.validity().1 {
            return unknown(refusal::expired_crl_reason(newest.validity().1));
        }
        newest.revocation(certificate).map_or(Ok(()), |entry| Err(refusal::revoked(certificate, &entry)))
    }
}

/// Reason for an issuer that may not sign the revocation lists of its certificates.
pub(crate) const NO_CRL_SIGN: &str = "may not sign revocation lists: its key usage lacks cRLSign";

/// Checks that an issuer may sign revocation lists.
fn check_may_sign_crls(issuer: &Certificate) -> Result<(), Error> {
    if issuer.may_sign_crls() {
        return Ok(());
    }
    Err(Error::RevocationUnknown { certificate: issuer.display_name(), reason: NO_CRL_SIGN.to_owned() })
}
