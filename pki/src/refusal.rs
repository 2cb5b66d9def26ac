//! Why a chain is refused: whose certificate is at fault, what is wrong with it, and what to do.

use crate::algorithm::named;
use crate::asn1::elements;
use crate::certificate::Certificate;
use crate::crl::{Crl, Revocation};
use crate::verify::{Demand, Purpose, Root, Trust};
use crate::{Error, moment};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;
use der::Encode;
use rustls_pki_types::CertificateDer;

impl Trust<'_> {
    /// What webpki says of a chain, in words.
    #[cold]
    pub(crate) fn refusal(
        &self,
        error: &webpki::Error,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        demand: &Demand<'_>,
    ) -> Error {
        let own = match Certificate::from_pem_or_der(end_entity) {
            Ok(own) => own.in_era(self.numbers),
            Err(error) => return error,
        };
        let subject = own.display_name();
        let others = intermediates.iter().filter_map(|der| Certificate::from_pem_or_der(der).ok());
        let others = others.map(|other| other.in_era(self.numbers));
        let chain: Vec<_> = core::iter::once(own).chain(others).collect();
        self.guilty(&chain, error, demand.time).unwrap_or_else(|| match error {
            webpki::Error::InvalidSignatureForPublicKey => Error::OtherIssuer { certificate: subject },
            _ => Error::Chain { certificate: subject, reason: explain(error, demand.purpose) },
        })
    }

    /// Which certificate of the chain is at fault, and why, where webpki alone does not say.
    fn guilty(&self, chain: &[Certificate], error: &webpki::Error, time: Duration) -> Option<Error> {
        use webpki::Error as E;
        let (certificate, reason) = match error {
            E::CertExpired { not_after, .. } => {
                let ended = Duration::from_secs(not_after.as_secs());
                (chain.iter().find(|one| one.validity().1 == ended).or(chain.first())?, expired(ended))
            }
            E::CertNotValidYet { not_before, .. } => {
                let begins = Duration::from_secs(not_before.as_secs());
                (chain.iter().find(|one| one.validity().0 == begins).or(chain.first())?, not_yet(begins))
            }
            E::CertRevoked => chain.iter().find_map(|one| {
                let mut entries = self.crls.iter().filter_map(|crl| crl.revocation(one));
                Some((one, revoked(&entries.next()?)))
            })?,
            E::UnknownRevocationStatus => {
                let covers = |crl: &Crl, one| crl.is_of_issuer(one) && crl.validity().0 <= time;
                let mut open = chain.iter().filter(|one| !self.crls.iter().any(|crl| covers(crl, one)));
                let one = open.next().or(chain.first())?;
                (one, uncovered(one))
            }
            E::UnknownIssuer => return last(chain).map(without_root),
            E::InvalidSignatureForPublicKey => return self.damaged(chain),
            E::UnsupportedSignatureAlgorithmContext(context) => {
                let found = signed_with(chain, &context.signature_algorithm_id)?;
                (found, unsupported(&name(&context.signature_algorithm_id)))
            }
            E::UnsupportedSignatureAlgorithmForPublicKeyContext(context) => {
                let found = signed_with(chain, &context.signature_algorithm_id)?;
                let key = name(&context.public_key_algorithm_id);
                (found, other_key(&name(&context.signature_algorithm_id), &key))
            }
            _ => return None,
        };
        Some(Error::Chain { certificate: certificate.display_name(), reason })
    }

    /// Why a chain is refused in which one part of a composite signature does not match and the other does: which part, on
    /// whose certificate.
    fn damaged(&self, chain: &[Certificate]) -> Option<Error> {
        let parse = |root: &Root| Some(Certificate::from_pem_or_der(&root.der).ok()?.in_era(self.numbers));
        let roots: Vec<_> = self.roots.iter().filter_map(parse).collect();
        let issuers = || chain.iter().chain(&roots);
        let part_of = |issued: &Certificate| {
            let named = issuers().filter(|issuer| issuer.subject() == issued.issuer());
            named.filter_map(|issuer| issued.damaged_part(issuer)).next()
        };
        let (certificate, part) =
            chain.iter().find_map(|issued| Some((issued.display_name(), part_of(issued)?)))?;
        let reason = format!(
            "has a signature of two parts of which that of {part} does not match and the other does: it was altered, or the \
             issuer's key has another such part"
        );
        Some(Error::Chain { certificate, reason })
    }
}

/// The first certificate whose signature has this identifier: DER, without the outer header.
fn signed_with<'a>(chain: &'a [Certificate], identifier: &[u8]) -> Option<&'a Certificate> {
    let is = |one: &&Certificate| {
        one.signed_parts()
            .and_then(|(own, ..)| own.to_der().ok())
            .is_some_and(|own| own.ends_with(identifier))
    };
    chain.iter().find(is)
}

/// The names of the object identifiers in an algorithm identifier, which has lost its outer header.
fn name(identifier: &[u8]) -> String {
    let parts = elements("algorithm", identifier).unwrap_or_default();
    let oids = parts.iter().filter_map(|part| part.decode_as().ok());
    oids.map(|oid| named(&oid)).collect::<Vec<_>>().join(", ")
}

fn unsupported(algorithm: &str) -> String {
    format!(
        "was signed with {algorithm}, which is not accepted here; its issuer can issue it anew with an algorithm that \
         `grille list sig` shows"
    )
}

fn other_key(signature: &str, key: &str) -> String {
    format!(
        "was signed with {signature}, but its issuer's key is for {key}; another root may have the same name"
    )
}

/// From the first certificate on, from issuer to issuer as far as they are there: whose issuer is missing.
fn last(chain: &[Certificate]) -> Option<&Certificate> {
    let mut last = chain.first()?;
    // no more steps than certificates: issuers may name each other in a circle
    for _ in chain {
        let mut others = chain.iter().filter(|other| other.as_der() != last.as_der());
        let Some(issuer) = others.find(|other| other.subject() == last.issuer()) else { break };
        last = issuer;
    }
    Some(last)
}

fn without_root(last: &Certificate) -> Error {
    let issuer = Some(last.issuer()).filter(|issuer| *issuer != last.subject());
    Error::NoRoot { issuer, certificate: last.display_name() }
}

/// The end of the sentence "the certificate of … ", as of those below.
pub(crate) fn expired(ended: Duration) -> String {
    format!("expired on {}; it must be renewed", moment(ended))
}

pub(crate) fn not_yet(begins: Duration) -> String {
    format!("is not valid before {}; check the clock", moment(begins))
}

pub(crate) fn revoked(entry: &Revocation) -> String {
    let reason = entry.reason.map_or_else(String::new, |reason| format!(" ({reason})"));
    format!("was revoked on {}{reason}", moment(entry.date))
}

pub(crate) fn uncovered(certificate: &Certificate) -> String {
    format!("is covered by none of the revocation lists in force; one of {} is needed", certificate.issuer())
}

pub(crate) fn old_crl(ended: Duration) -> String {
    format!("is covered by a revocation list that was to be replaced on {}; get the next one", moment(ended))
}

/// Of a certificate that a revocation list covers which its issuer did not sign.
pub(crate) const UNSIGNED_CRL: &str = "is covered by a revocation list whose signature is not its issuer's";

/// A certificate that is refused for this reason, the end of the sentence "the certificate of … ".
#[cold]
pub(crate) fn of(certificate: &CertificateDer<'_>, reason: String) -> Error {
    match Certificate::from_pem_or_der(certificate) {
        Ok(own) => Error::Chain { certificate: own.display_name(), reason },
        Err(error) => error,
    }
}

/// A certificate that is for others than this name.
#[cold]
pub(crate) fn not_for(certificate: &CertificateDer<'_>, name: &str) -> Error {
    let own = match Certificate::from_pem_or_der(certificate) {
        Ok(own) => own,
        Err(error) => return error,
    };
    let reason = match own.names().as_slice() {
        [] => format!("is for no name, and not for {name}"),
        names => format!("is for {}, and not for {name}", names.join(", ")),
    };
    Error::Chain { certificate: own.display_name(), reason }
}

fn explain(error: &webpki::Error, purpose: Purpose) -> String {
    use webpki::Error as E;
    match error {
        E::UnsupportedSignatureAlgorithmForPublicKeyContext(context) => {
            other_key(&name(&context.signature_algorithm_id), &name(&context.public_key_algorithm_id))
        }
        E::UnsupportedSignatureAlgorithmContext(context) => {
            unsupported(&name(&context.signature_algorithm_id))
        }
        E::CrlExpired { next_update, .. } => old_crl(Duration::from_secs(next_update.as_secs())),
        E::InvalidCrlSignatureForPublicKey => UNSIGNED_CRL.to_owned(),
        E::UnsupportedCrlSignatureAlgorithmContext(_)
        | E::UnsupportedCrlSignatureAlgorithmForPublicKeyContext(_) => {
            "is covered by a revocation list that was signed with an algorithm that is not accepted here"
                .to_owned()
        }
        E::IssuerNotCrlSigner => {
            "was issued by one that may not sign revocation lists: its key usage lacks cRLSign".to_owned()
        }
        E::CaUsedAsEndEntity => "is a CA's and may only issue others; show one that it issued".to_owned(),
        E::EndEntityUsedAsCa => "was issued by one that is no CA".to_owned(),
        E::PathLenConstraintViolated => "stands behind more intermediates than its issuer allows".to_owned(),
        E::NameConstraintViolation => "has a name that one of its issuers may not certify".to_owned(),
        E::InvalidCertValidity => "ends before it begins, or one of its issuers does".to_owned(),
        E::UnsupportedCriticalExtension => {
            "has a critical extension that is not known here, or one of its issuers has".to_owned()
        }
        E::UnsupportedCertVersion => "is not of version 3, or one of its issuers is not".to_owned(),
        E::RequiredEkuNotFoundContext(_) => format!(
            "may not authenticate {}, or one of its issuers may not: see its extended key usage",
            purpose.whom()
        ),
        other => format!("cannot be accepted: {other}"),
    }
}
