//! Verification of certificate chains and of single certificates.

use crate::certificate::Certificate;
use crate::end_entity::EndEntity;
use crate::revocation::NO_CRL_SIGN;
use crate::signed::is_signed_by;
use crate::trust::{Issuer, Path};
use crate::{Error, crl, refusal};
use alloc::{borrow::ToOwned, format, vec::Vec};
use core::time::Duration;
use grille_registry::Numbers;
use rustls_pki_types::{CertificateDer, ServerName};
use webpki::{EndEntityCert, anchor_from_trusted_cert};

pub use crate::adapter::{Algorithms, algorithm, webpki_algorithms};
pub use crate::purpose::Purpose;
pub use crate::revocation::check_not_revoked;
pub use crate::signed::{check_key_matches, check_signature};
pub use crate::trust::{Requirements, Root, Trust};

/// Checks an end entity's certificate without its issuer: the public key must be well-formed and suitable for
/// `purpose`.
///
/// # Errors
/// Returns [`Error::Chain`], with the reason.
pub fn check_purpose(certificate: &Certificate, purpose: Purpose) -> Result<(), Error> {
    let checked = EndEntity::new(certificate).check(purpose);
    checked.map_err(|reason| Error::Chain { certificate: certificate.display_name(), reason })
}

/// Verifies a chain: signatures, validity, basic constraints, path lengths and key usages of its certificates; public
/// key, purpose and name of the end entity. A self-signed root's own signature is checked, too. Every known algorithm
/// is accepted. The object identifiers in the chain are interpreted as in the end entity's era
/// ([`Certificate::in_era`]).
///
/// # Errors
/// Returns [`Error::NoRoot`] if the chain does not end in a root, [`Error::OtherIssuer`] if a signature does not match
/// the key of its issuer, [`Error::Expired`] or [`Error::NotYetValid`] for a certificate outside its validity
/// period, or [`Error::Chain`] with another reason.
pub fn verify_chain(
    end_entity: &Certificate,
    intermediates: &[Certificate],
    roots: &[Certificate],
    requirements: &Requirements<'_>,
) -> Result<(), Error> {
    let roots: Vec<Root> = roots.iter().map(Root::from).collect();
    Trust::from_roots(&roots, end_entity.numbers).verify_chain(end_entity, intermediates, requirements)
}

/// Verifies an ordered chain, like [`verify_chain`], and requires that every certificate in it is used. Each
/// certificate in `issuers` must have issued the next one, and the last must have issued the end entity. The first may
/// be the root itself.
///
/// # Errors
/// Returns the errors of [`verify_chain`], and [`Error::Chain`] for a certificate that did not issue the following one.
pub fn verify_ordered_chain(
    end_entity: &Certificate,
    issuers: &[Certificate],
    root: &Certificate,
    requirements: &Requirements<'_>,
) -> Result<(), Error> {
    let between = match issuers {
        [first, rest @ ..] if first.as_der() == root.as_der() => rest,
        all => all,
    };
    let ders: Vec<_> = between.iter().map(der).collect();
    // the result is cached in the certificate, which outlives the copy below
    root.check_own_signature()?;
    let own = EndEntity::new(end_entity);
    let roots = [root.into()];
    let trust = Trust::from_roots(&roots, end_entity.numbers);
    let verified = trust.verify_checked(&der(end_entity), &own, &ders, requirements)?;
    let mut path = verified.intermediates;
    // The path then leads from the root down to the end entity.
    path.reverse();
    let strays = between.iter().enumerate().filter(|(index, _)| path.get(*index) != Some(index));
    strays.map(|(_, stray)| stray.display_name()).next().map_or(Ok(()), |certificate| {
        let reason = "is in the chain but did not issue the certificate that follows it".to_owned();
        Err(Error::Chain { certificate, reason })
    })
}

/// Issuer of a trusted certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// The certificate is self-signed, and its signature is valid.
    SelfSigned,
    /// Another certificate issued the trusted certificate, whose signature cannot be checked without that other
    /// certificate.
    Issued,
}

/// Checks a trusted certificate by itself: its validity period, its constraints and key usage as an issuer, and its
/// public key. If it is self-signed, its signature is checked, too.
///
/// # Errors
/// Returns [`Error::Chain`] with the reason; [`Error::UnknownAlgorithm`] if the signature of a self-signed certificate
/// cannot be checked.
pub fn verify_root(root: &Certificate, time: Duration, numbers: Numbers) -> Result<Origin, Error> {
    check_issuer(&root.into(), 0, time, false)?;
    check_purpose(root, Purpose::Other)?;
    if !root.is_self_signed() {
        return Ok(Origin::Issued);
    }
    if is_signed_by(root, root, numbers).is_none() {
        return Err(Error::UnknownAlgorithm {
            element: "certificate's signature",
            oid: root.signature_oid(),
        });
    }
    root.check_own_signature().map(|()| Origin::SelfSigned)
}

impl Trust<'_> {
    /// Verifies a chain like the function [`verify_chain`], with these roots and algorithms.
    ///
    /// # Errors
    /// Returns [`Error::NoRoot`] if the chain does not end in a root, [`Error::OtherIssuer`] if a signature does not
    /// match the key of its issuer, [`Error::Expired`] or [`Error::NotYetValid`] for a certificate outside its
    /// validity period, [`Error::Revoked`] or [`Error::RevocationUnknown`] because of the revocation lists, or
    /// [`Error::Chain`] with another reason.
    pub fn verify_chain(
        &self,
        end_entity: &Certificate,
        intermediates: &[Certificate],
        requirements: &Requirements<'_>,
    ) -> Result<(), Error> {
        let intermediates: Vec<_> = intermediates.iter().map(der).collect();
        let own = EndEntity::new(end_entity);
        self.verify_checked(&der(end_entity), &own, &intermediates, requirements).map(drop)
    }

    /// Verifies a chain of DER certificates, as received from a peer. Only one certificate at a time is held in parsed
    /// form. Returns the earliest end of a validity period on the path, as a duration since the Unix epoch.
    ///
    /// # Errors
    /// Returns the errors of [`Trust::verify_chain`], and errors for certificates that cannot be parsed.
    pub fn verify_der(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        requirements: &Requirements<'_>,
    ) -> Result<Duration, Error> {
        let own = EndEntity::from_der(end_entity, self.numbers)?;
        intermediates.iter().try_for_each(|certificate| Certificate::check_der(certificate))?;
        self.verify_checked(end_entity, &own, intermediates, requirements).map(|verified| verified.expires)
    }

    /// Verifies certificates that are known to parse. They are parsed again only to explain a refusal and, for
    /// intermediates, to check their properties as issuers.
    fn verify_checked(
        &self,
        end_entity: &CertificateDer<'_>,
        own: &EndEntity,
        intermediates: &[CertificateDer<'_>],
        requirements: &Requirements<'_>,
    ) -> Result<Verified, Error> {
        let refused = |e: webpki::Error| self.refusal(&e, end_entity, intermediates, requirements);
        let path = match self.webpki_path(end_entity, intermediates, requirements) {
            Err(webpki::Error::MaximumPathDepthExceeded) => {
                self.long_path(end_entity, intermediates, requirements)?
            }
            path => path.map_err(refused)?,
        };
        let checks_crls = !self.crls.is_empty();
        let mut expires = own.expires;
        for (below, index) in path.intermediates.iter().enumerate() {
            let issuer = Issuer::from(&Certificate::from_pem_or_der(&intermediates[*index])?);
            check_issuer(&issuer, below, requirements.time, checks_crls)?;
            expires = expires.min(issuer.validity.1);
        }
        let root = &self.roots[path.root];
        check_issuer(&root.issuer, path.intermediates.len(), requirements.time, checks_crls)?;
        root.check_own_signature(self.algorithms, self.numbers)?;
        own.check(requirements.purpose).map_err(|reason| refusal::chain_error(end_entity, reason))?;
        let verified =
            Verified { expires: expires.min(root.issuer.validity.1), intermediates: path.intermediates };
        let Some(name) = requirements.name else { return Ok(verified) };
        let server_name = ServerName::try_from(name).map_err(|_| Error::Value {
            element: "name",
            reason: format!("\"{}\" is neither a host name nor an IP address", name.escape_debug()),
        })?;
        let parsed = EndEntityCert::try_from(end_entity).map_err(refused)?;
        let named = parsed.verify_is_valid_for_subject_name(&server_name);
        named.map_err(|_| refusal::name_mismatch(end_entity, name)).map(|()| verified)
    }

    /// Returns the path that webpki builds and verifies.
    fn webpki_path(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        requirements: &Requirements<'_>,
    ) -> Result<Path, webpki::Error> {
        let anchors = self.roots.iter().map(|root| anchor_from_trusted_cert(&root.der));
        let anchors: Vec<_> = anchors.collect::<Result<_, _>>()?;
        let lists = crl::issued_before(self.crls, requirements.time);
        if lists.is_empty() && !self.crls.is_empty() {
            return Err(webpki::Error::UnknownRevocationStatus);
        }
        let parsed = EndEntityCert::try_from(end_entity)?;
        let (now, revocation) = (crl::to_unix_time(requirements.time), crl::revocation_options(&lists));
        let usage = requirements.purpose;
        let path = parsed.verify_for_usage(
            self.algorithms,
            &anchors,
            intermediates,
            now,
            usage,
            revocation,
            None,
        )?;
        let index = |der: CertificateDer<'_>| intermediates.iter().position(|one| *one == der);
        let intermediates =
            path.intermediate_certificates().filter_map(|issuer| index(issuer.der())).collect();
        let is_anchor = |number: &usize| anchors[*number] == *path.anchor();
        // if several roots have the same name and key, use the root that expires last
        let matching = (0..anchors.len()).filter(is_anchor);
        let root = matching.max_by_key(|number| self.roots[*number].issuer.validity.1);
        Ok(Path { intermediates, root: root.ok_or(webpki::Error::UnknownIssuer)? })
    }
}

/// A verified chain.
struct Verified {
    /// Earliest end of a validity period on the path, as a duration since the Unix epoch.
    expires: Duration,
    /// Indices of the intermediates on the path, from the end entity up.
    intermediates: Vec<usize>,
}

fn der(certificate: &Certificate) -> CertificateDer<'_> {
    CertificateDer::from(certificate.as_der())
}

/// Checks properties that webpki leaves to its caller: the key usage of every issuer, and all fields of a root.
///
/// `below`: number of intermediates between the issuer and the end entity.
/// `checks_crls`: whether the issuer must also be allowed to sign revocation lists.
fn check_issuer(issuer: &Issuer, below: usize, time: Duration, checks_crls: bool) -> Result<(), Error> {
    let (from, until) = issuer.validity;
    let certificate = issuer.subject.clone();
    let reason = if !issuer.is_ca {
        "issued a certificate but is not a CA".to_owned()
    } else if !issuer.may_sign_certificates {
        "may not sign certificates: its key usage lacks keyCertSign".to_owned()
    } else if checks_crls && !issuer.may_sign_crls {
        let reason = NO_CRL_SIGN.to_owned();
        return Err(Error::RevocationUnknown { certificate, reason });
    } else if issuer.path_len.is_some_and(|most| below > usize::from(most)) {
        "has a path length that allows fewer intermediates than the chain has".to_owned()
    } else if time > until {
        return Err(Error::Expired { certificate, ended: until });
    } else if time < from {
        return Err(Error::NotYetValid { certificate, begins: from });
    } else {
        return Ok(());
    };
    Err(Error::Chain { certificate, reason })
}
