//! Explanations of refused chains: the certificate at fault, the problem, and a remedy.

use crate::asn1::elements;
use crate::certificate::Certificate;
use crate::crl::{Crl, Revocation};
use crate::oid_name::oid_with_name;
use crate::purpose::Purpose;
use crate::signed::check_signature;
use crate::trust::{Requirements, Root, Trust};
use crate::{Error, format_time};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;
use der::Encode;
use rustls_pki_types::CertificateDer;

impl Trust<'_> {
    /// Translates webpki's error into an error that names the certificate at fault.
    #[cold]
    pub(crate) fn refusal(
        &self,
        error: &webpki::Error,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        requirements: &Requirements<'_>,
    ) -> Error {
        let own = match Certificate::from_pem_or_der(end_entity) {
            Ok(own) => own.in_era(self.numbers),
            Err(error) => return error,
        };
        let subject = own.display_name();
        let others = intermediates.iter().filter_map(|der| Certificate::from_pem_or_der(der).ok());
        let others = others.map(|other| other.in_era(self.numbers));
        let chain: Vec<_> = core::iter::once(own).chain(others).collect();
        self.certificate_at_fault(&chain, error, requirements.time).unwrap_or_else(|| match error {
            webpki::Error::InvalidSignatureForPublicKey => {
                Error::OtherIssuer { certificate: subject, root_name: None }
            }
            error if is_about_crls(error) => Error::RevocationUnknown {
                certificate: subject,
                reason: explain(error, requirements.purpose),
            },
            _ => Error::Chain { certificate: subject, reason: explain(error, requirements.purpose) },
        })
    }

    /// Returns an error with the reason for the refusal and the certificate of the chain that is at fault, which
    /// webpki's error does not name. Returns `None` if the certificate at fault cannot be found.
    fn certificate_at_fault(
        &self,
        chain: &[Certificate],
        error: &webpki::Error,
        time: Duration,
    ) -> Option<Error> {
        use webpki::Error as E;
        let (certificate, reason) = match error {
            E::CertExpired { not_after, .. } => {
                let ended = Duration::from_secs(not_after.as_secs());
                let certificate = chain.iter().find(|one| one.validity().1 == ended).or(chain.first())?;
                return Some(Error::Expired { certificate: certificate.display_name(), ended });
            }
            E::CertNotValidYet { not_before, .. } => {
                let begins = Duration::from_secs(not_before.as_secs());
                let certificate = chain.iter().find(|one| one.validity().0 == begins).or(chain.first())?;
                return Some(Error::NotYetValid { certificate: certificate.display_name(), begins });
            }
            E::CertRevoked => {
                return chain.iter().find_map(|one| {
                    let mut entries = self.crls.iter().filter_map(|crl| crl.revocation(one));
                    Some(revoked(one, &entries.next()?))
                });
            }
            E::UnknownRevocationStatus => {
                let covers = |crl: &Crl, one| crl.is_of_issuer(one) && crl.validity().0 <= time;
                let mut open = chain.iter().filter(|one| !self.crls.iter().any(|crl| covers(crl, one)));
                let one = open.next().or(chain.first())?;
                return Some(unknown_status(one, uncovered_reason(one)));
            }
            E::UnknownIssuer => return last_certificate(chain).map(without_root),
            E::InvalidSignatureForPublicKey => {
                return self.damaged_composite_error(chain).or_else(|| self.mismatched_issuer_error(chain));
            }
            E::UnsupportedSignatureAlgorithmContext(context) => {
                let found = signed_with(chain, &context.signature_algorithm_id)?;
                (found, unsupported_reason(&algorithm_names(&context.signature_algorithm_id)))
            }
            E::UnsupportedSignatureAlgorithmForPublicKeyContext(context) => {
                if let Some(mismatched) = self.mismatched_issuer_error(chain) {
                    return Some(mismatched);
                }
                let found = signed_with(chain, &context.signature_algorithm_id)?;
                let key = algorithm_names(&context.public_key_algorithm_id);
                (found, other_key_reason(&algorithm_names(&context.signature_algorithm_id), &key))
            }
            _ => return None,
        };
        Some(Error::Chain { certificate: certificate.display_name(), reason })
    }

    /// Returns the error for a signature that does not match the issuer's key, or `None` if an altered certificate is
    /// the likeliest cause. The other causes are an RSA key of the issuer that is too short, and a trusted root that
    /// has the issuer's name but another key.
    fn mismatched_issuer_error(&self, chain: &[Certificate]) -> Option<Error> {
        let roots = self.parsed_roots();
        chain.iter().find_map(|issued| {
            let is_issuer = |other: &&Certificate| {
                other.subject() == issued.issuer() && other.as_der() != issued.as_der()
            };
            let namesakes: Vec<_> = roots.iter().filter(is_issuer).collect();
            let issuers = || namesakes.iter().copied().chain(chain.iter().filter(is_issuer));
            if issuers().any(|issuer| check_signature(issued, issuer).is_ok()) {
                return None;
            }
            let certificate = issued.display_name();
            let short = |issuer: &Certificate| issuer.rsa_bits().filter(|bits| *bits < MIN_RSA_BITS);
            if let Some(bits) = issuers().find_map(short) {
                let reason = format!(
                    "was issued by {}, whose RSA key has {bits} bits; signatures of RSA keys with fewer than {MIN_RSA_BITS} bits \
                     are refused because they can be forged; the issuer needs a longer key",
                    issued.issuer()
                );
                return Some(Error::Chain { certificate, reason });
            }
            let differ = namesakes.iter().all(|root| !issued.key_may_have_signed_by(root));
            let namesake = namesakes.first().filter(|_| differ)?.subject();
            Some(Error::OtherIssuer { certificate, root_name: Some(namesake) })
        })
    }

    fn parsed_roots(&self) -> Vec<Certificate> {
        let parse = |root: &Root| Some(Certificate::from_pem_or_der(&root.der).ok()?.in_era(self.numbers));
        self.roots.iter().filter_map(parse).collect()
    }

    /// Returns the error for a chain in which only one part of a composite signature matches the issuer's key. The
    /// error names the certificate and the part that does not match. Returns `None` if the chain has no such signature.
    fn damaged_composite_error(&self, chain: &[Certificate]) -> Option<Error> {
        let roots = self.parsed_roots();
        let issuers = || chain.iter().chain(&roots);
        let part_of = |issued: &Certificate| {
            let named = issuers().filter(|issuer| issuer.subject() == issued.issuer());
            named.filter_map(|issuer| issued.damaged_part(issuer)).next()
        };
        let (certificate, part) =
            chain.iter().find_map(|issued| Some((issued.display_name(), part_of(issued)?)))?;
        let reason = format!(
            "has a composite signature whose {part} part does not match, while the other part does: the certificate was altered, \
             or the issuer has a different {part} key"
        );
        Some(Error::Chain { certificate, reason })
    }
}

/// Returns the first certificate whose signature has this algorithm identifier (DER without the outer header).
fn signed_with<'a>(chain: &'a [Certificate], identifier: &[u8]) -> Option<&'a Certificate> {
    let is = |one: &&Certificate| {
        one.signed_parts()
            .and_then(|(own, ..)| own.to_der().ok())
            .is_some_and(|own| own.ends_with(identifier))
    };
    chain.iter().find(is)
}

/// Returns the names of the object identifiers in an algorithm identifier (DER without the outer header).
fn algorithm_names(identifier: &[u8]) -> String {
    let parts = elements("algorithm", identifier).unwrap_or_default();
    let oids = parts.iter().filter_map(|part| part.decode_as().ok());
    oids.map(|oid| oid_with_name(&oid)).collect::<Vec<_>>().join(", ")
}

fn unsupported_reason(algorithm: &str) -> String {
    format!(
        "was signed with {algorithm}, which is not accepted; ask its issuer for a certificate with an algorithm of \
         `grille list sig`"
    )
}

fn other_key_reason(signature: &str, key: &str) -> String {
    format!(
        "was signed with {signature}, but its issuer has a key for {key}; another root may have the same name"
    )
}

/// Minimum length of RSA keys whose signatures webpki accepts.
const MIN_RSA_BITS: usize = 2048;

/// Follows the chain from issuer to issuer and returns the last certificate, whose issuer is not in the chain.
fn last_certificate(chain: &[Certificate]) -> Option<&Certificate> {
    let mut last = chain.first()?;
    // at most one step per certificate: issuers may name each other in a cycle
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

/// Returns the error for a certificate that a list revokes with this entry.
pub(crate) fn revoked(certificate: &Certificate, entry: &Revocation) -> Error {
    let Revocation { date, reason } = *entry;
    Error::Revoked { certificate: certificate.display_name(), date, reason }
}

/// Returns the error for a certificate of unknown status. `reason` ends the sentence "the certificate of … ".
pub(crate) fn unknown_status(certificate: &Certificate, reason: String) -> Error {
    Error::RevocationUnknown { certificate: certificate.display_name(), reason }
}

/// Returns whether webpki refused the chain because a revocation list cannot be used.
const fn is_about_crls(error: &webpki::Error) -> bool {
    use webpki::Error as E;
    matches!(
        error,
        E::CrlExpired { .. }
            | E::InvalidCrlSignatureForPublicKey
            | E::UnsupportedCrlSignatureAlgorithmContext(_)
            | E::UnsupportedCrlSignatureAlgorithmForPublicKeyContext(_)
            | E::IssuerNotCrlSigner
    )
}

/// Returns the end of the sentence "the certificate of … " for a certificate that no list covers.
pub(crate) fn uncovered_reason(certificate: &Certificate) -> String {
    format!("is not covered by any current revocation list; a list of {} is needed", certificate.issuer())
}

pub(crate) fn expired_crl_reason(ended: Duration) -> String {
    format!("is covered by a revocation list that expired on {}; fetch the next one", format_time(ended))
}

/// Reason for a certificate whose revocation list has an invalid signature.
pub(crate) const WRONG_CRL_SIGNATURE: &str =
    "is covered by a revocation list that was not signed with its issuer's key";

/// Returns the error for a certificate that is refused. `reason` ends the sentence "the certificate of … ".
#[cold]
pub(crate) fn chain_error(certificate: &CertificateDer<'_>, reason: String) -> Error {
    match Certificate::from_pem_or_der(certificate) {
        Ok(own) => Error::Chain { certificate: own.display_name(), reason },
        Err(error) => error,
    }
}

/// Returns the error for a certificate that is not valid for this name.
#[cold]
pub(crate) fn name_mismatch(certificate: &CertificateDer<'_>, name: &str) -> Error {
    let own = match Certificate::from_pem_or_der(certificate) {
        Ok(own) => own,
        Err(error) => return error,
    };
    let reason = match own.names().as_slice() {
        [] => format!("has no names, so it is not valid for {name}"),
        names => format!("is valid for {}, not for {name}", names.join(", ")),
    };
    Error::Chain { certificate: own.display_name(), reason }
}

fn explain(error: &webpki::Error, purpose: Purpose) -> String {
    use webpki::Error as E;
    match error {
        E::UnsupportedSignatureAlgorithmForPublicKeyContext(context) => other_key_reason(
            &algorithm_names(&context.signature_algorithm_id),
            &algorithm_names(&context.public_key_algorithm_id),
        ),
        E::UnsupportedSignatureAlgorithmContext(context) => {
            unsupported_reason(&algorithm_names(&context.signature_algorithm_id))
        }
        E::CrlExpired { next_update, .. } => expired_crl_reason(Duration::from_secs(next_update.as_secs())),
        E::InvalidCrlSignatureForPublicKey => WRONG_CRL_SIGNATURE.to_owned(),
        E::UnsupportedCrlSignatureAlgorithmContext(_)
        | E::UnsupportedCrlSignatureAlgorithmForPublicKeyContext(_) => {
            "is covered by a revocation list that was signed with an unsupported algorithm".to_owned()
        }
        E::IssuerNotCrlSigner => {
            "was issued by a CA that may not sign revocation lists: its key usage lacks cRLSign".to_owned()
        }
        E::CaUsedAsEndEntity => {
            "is a CA certificate, which can only issue others; use a certificate issued by this CA".to_owned()
        }
        E::EndEntityUsedAsCa => "was issued by a certificate that is not a CA".to_owned(),
        E::PathLenConstraintViolated => {
            "has more intermediates above it than the path length of an issuer allows".to_owned()
        }
        E::NameConstraintViolation => "has a name that the name constraints of an issuer forbid".to_owned(),
        E::InvalidCertValidity => {
            "has a validity period that ends before it begins, or one of its issuers does".to_owned()
        }
        E::UnsupportedCriticalExtension => {
            "has an unknown critical extension, or one of its issuers has one".to_owned()
        }
        E::UnsupportedCertVersion => {
            "is not an X.509 version 3 certificate, or one of its issuers is not".to_owned()
        }
        E::RequiredEkuNotFoundContext(_) => format!(
            "may not authenticate {}, or one of its issuers may not: the extended key usage forbids it",
            purpose.authenticated_party()
        ),
        other => format!("cannot be accepted: {other}"),
    }
}
