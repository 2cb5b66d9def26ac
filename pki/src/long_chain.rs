//! Verification of chains with more intermediates than webpki supports.
//!
//! webpki verifies the lower part of the chain, with one of the intermediates as its root. This module checks the part
//! above that intermediate: signatures, critical extensions, purposes and revocation. Validity and constraints are
//! checked together with those of all issuers. Name constraints above that intermediate are refused, because webpki
//! would not apply them below it.

use crate::certificate::Certificate;
use crate::purpose::Purpose;
use crate::signed::is_signed_with;
use crate::trust::{Path, Requirements, Trust};
use crate::{Error, crl};
use alloc::{format, string::String, vec::Vec};
use const_oid::ObjectIdentifier;
use const_oid::db::rfc5280 as id;
use rustls_pki_types::CertificateDer;
use webpki::{EndEntityCert, anchor_from_trusted_cert};

/// Maximum number of intermediates that webpki supports.
const WEBPKI_INTERMEDIATES: usize = 6;

/// Maximum number of intermediates in any chain.
const MAX_INTERMEDIATES: usize = 32;

/// Maximum number of signatures that are verified to find a path; webpki has the same limit.
const MAX_SIGNATURES: usize = 100;

impl Trust<'_> {
    /// Verifies a chain that is too long for webpki, and returns its path. The caller makes the checks that are common
    /// to all paths.
    pub(crate) fn long_path(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        requirements: &Requirements<'_>,
    ) -> Result<Path, Error> {
        let read = |der: &CertificateDer<'_>| Ok(Certificate::from_pem_or_der(der)?.in_era(self.numbers));
        let leaf = read(end_entity)?;
        let issuers = intermediates.iter().map(read).collect::<Result<Vec<_>, Error>>()?;
        let path = self.build_path(&leaf, &issuers)?;
        let (lower, upper) =
            path.intermediates.split_at_checked(WEBPKI_INTERMEDIATES).unwrap_or((&path.intermediates, &[]));
        let Some(boundary) = upper.first() else {
            return Err(too_long_error(&leaf));
        };
        let refused = |e: webpki::Error| self.refusal(&e, end_entity, intermediates, requirements);
        let anchors = [anchor_from_trusted_cert(&intermediates[*boundary]).map_err(refused)?];
        let below: Vec<_> = lower.iter().map(|index| intermediates[*index].clone()).collect();
        let lists = crl::issued_before(self.crls, requirements.time);
        let revocation = crl::revocation_options(&lists);
        let parsed = EndEntityCert::try_from(end_entity).map_err(refused)?;
        let now = crl::to_unix_time(requirements.time);
        parsed
            .verify_for_usage(self.algorithms, &anchors, &below, now, requirements.purpose, revocation, None)
            .map_err(refused)?;
        let root = Certificate::from_pem_or_der(&self.roots[path.root].der)?;
        for (index, number) in upper.iter().enumerate() {
            let issuer = upper.get(index + 1).map_or(&root, |above| &issuers[*above]);
            check_upper_issuer(&issuers[*number], requirements.purpose)?;
            self.check_revocation(&issuers[*number], issuer, requirements.time)?;
        }
        Ok(path)
    }

    /// Returns the path from the end entity up to a root, by following verified signatures.
    fn build_path(&self, leaf: &Certificate, issuers: &[Certificate]) -> Result<Path, Error> {
        let mut intermediates = Vec::new();
        let mut signatures = 0;
        let mut is_signed = |below: &Certificate, issuer: &Certificate| {
            signatures += 1;
            issuer.subject_name() == below.issuer_name()
                && signatures <= MAX_SIGNATURES
                && is_signed_with(below, issuer, self.algorithms) == Some(true)
        };
        loop {
            let current = intermediates.last().map_or(leaf, |index: &usize| &issuers[*index]);
            let named = current.issuer();
            let mut roots = self.roots.iter().enumerate().filter(|(_, root)| root.is_named(&named));
            let root = roots.find(|(_, root)| {
                Certificate::from_pem_or_der(&root.der).is_ok_and(|root| is_signed(current, &root))
            });
            if let Some((root, _)) = root {
                return Ok(Path { intermediates, root });
            }
            let is_new = |index: &usize| !intermediates.contains(index);
            let candidates =
                (0..issuers.len()).filter(is_new).filter(|index| issuers[*index].subject() == named);
            let next = candidates.into_iter().find(|index| is_signed(current, &issuers[*index]));
            let Some(next) = next else {
                let issuer = Some(named).filter(|issuer| *issuer != current.subject());
                return Err(Error::NoRoot { certificate: current.display_name(), issuer });
            };
            if intermediates.len() == MAX_INTERMEDIATES {
                return Err(too_long_error(leaf));
            }
            intermediates.push(next);
        }
    }
}

fn too_long_error(leaf: &Certificate) -> Error {
    let reason = format!("has more intermediates above it than the supported maximum of {MAX_INTERMEDIATES}");
    Error::Chain { certificate: leaf.display_name(), reason }
}

/// Checks an issuer above the part of the chain that webpki verifies: its name constraints, critical extensions and
/// extended key usage, which webpki would otherwise check.
fn check_upper_issuer(issuer: &Certificate, purpose: Purpose) -> Result<(), Error> {
    let refused = |reason: String| Err(Error::Chain { certificate: issuer.display_name(), reason });
    if issuer.extension_value(&id::ID_CE_NAME_CONSTRAINTS).is_some() {
        return refused(format!(
            "has name constraints, which are supported only with at most {WEBPKI_INTERMEDIATES} intermediates below it"
        ));
    }
    if let Some(unknown) = issuer.critical_extensions().find(|kind| !KNOWN_EXTENSIONS.contains(kind)) {
        return refused(format!("has the unknown critical extension {unknown}"));
    }
    let required = match purpose {
        Purpose::Server => id::ID_KP_SERVER_AUTH,
        Purpose::Client => id::ID_KP_CLIENT_AUTH,
        Purpose::KeyEncapsulation | Purpose::Other => return Ok(()),
    };
    match issuer.key_purposes() {
        Some(purposes) if !purposes.contains(&required) => refused(format!(
            "may not issue certificates for {}: its extended key usage forbids it",
            purpose.authenticated_party()
        )),
        _ => Ok(()),
    }
}

const KNOWN_EXTENSIONS: [ObjectIdentifier; 5] = [
    id::ID_CE_KEY_USAGE,
    id::ID_CE_SUBJECT_ALT_NAME,
    id::ID_CE_BASIC_CONSTRAINTS,
    id::ID_CE_CRL_DISTRIBUTION_POINTS,
    id::ID_CE_EXT_KEY_USAGE,
];
