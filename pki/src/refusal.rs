//! Why a chain is refused: whose certificate is at fault, what is wrong with it, and what to do.

use crate::Error;
use crate::certificate::Certificate;
use crate::verify::{Purpose, Root, Trust};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;
use rustls_pki_types::CertificateDer;

impl Trust<'_> {
    /// What webpki says of a chain, in words.
    #[cold]
    pub(crate) fn refusal(
        &self,
        error: &webpki::Error,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        purpose: Purpose,
    ) -> Error {
        let own = match Certificate::from_pem_or_der(end_entity) {
            Ok(own) => own.in_era(self.numbers),
            Err(error) => return error,
        };
        let subject = own.subject();
        let others = intermediates.iter().filter_map(|der| Certificate::from_pem_or_der(der).ok());
        let others = others.map(|other| other.in_era(self.numbers));
        let chain: Vec<_> = core::iter::once(own).chain(others).collect();
        self.guilty(&chain, error).unwrap_or_else(|| match error {
            webpki::Error::InvalidSignatureForPublicKey => Error::OtherIssuer { certificate: subject },
            _ => Error::Chain { certificate: subject, reason: explain(error, purpose) },
        })
    }

    /// Which certificate of the chain is at fault, and why, where webpki alone does not say.
    fn guilty(&self, chain: &[Certificate], error: &webpki::Error) -> Option<Error> {
        use webpki::Error as E;
        match error {
            E::CertExpired { not_after, .. } => {
                let ended = Duration::from_secs(not_after.as_secs());
                let certificate = chain.iter().find(|one| one.validity().1 == ended).or(chain.first())?;
                Some(Error::Expired { certificate: certificate.subject(), ended })
            }
            E::CertNotValidYet { not_before, .. } => {
                let begins = Duration::from_secs(not_before.as_secs());
                let certificate = chain.iter().find(|one| one.validity().0 == begins).or(chain.first())?;
                Some(Error::NotYetValid { certificate: certificate.subject(), begins })
            }
            E::UnknownIssuer => last(chain).map(without_root),
            E::InvalidSignatureForPublicKey => self.damaged(chain),
            _ => None,
        }
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
            chain.iter().find_map(|issued| Some((issued.subject(), part_of(issued)?)))?;
        let reason = format!(
            "has a signature of two parts of which that of {part} does not match and the other does: it was altered, or the \
             issuer's key has another such part"
        );
        Some(Error::Chain { certificate, reason })
    }
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
    let (certificate, issuer) = (last.subject(), last.issuer());
    Error::NoRoot { issuer: (issuer != certificate).then_some(issuer), certificate }
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
    Error::Chain { certificate: own.subject(), reason }
}

fn explain(error: &webpki::Error, purpose: Purpose) -> String {
    use webpki::Error as E;
    match error {
        E::UnsupportedSignatureAlgorithmForPublicKeyContext(_) => {
            "was signed with another algorithm than its issuer's key is for; another root may have the same name".to_owned()
        }
        E::UnsupportedSignatureAlgorithmContext(_) => {
            "was signed, or one of its issuers was, with an algorithm that is not accepted here".to_owned()
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
