//! Checking chains of certificates, and single ones.

use crate::adapter::contents;
use crate::certificate::Certificate;
use crate::crl::{self, Crl};
use crate::end_entity::EndEntity;
use crate::own_signature::{self, OwnSignature};
use crate::private_key::PrivateKey;
use crate::{Error, refusal};
use alloc::{borrow::ToOwned, format, string::String, vec::Vec};
use core::time::Duration;
use grille_registry::Numbers;
use rustls_pki_types::{CertificateDer, ServerName, SignatureVerificationAlgorithm};
use spki::AlgorithmIdentifierOwned;
use webpki::{
    EndEntityCert, ExtendedKeyUsageValidator, KeyPurposeIdIter, KeyUsage, anchor_from_trusted_cert,
};

pub use crate::adapter::{Algorithms, algorithm, webpki_algorithms};
pub use crate::revocation::check_not_revoked;

/// Whether the private key belongs to the certificate.
///
/// # Errors
/// [`Error::OtherKey`].
pub fn check_key_matches(certificate: &Certificate, key: &PrivateKey) -> Result<(), Error> {
    if certificate.spki_der()? == key.public_key().to_spki_der()? {
        Ok(())
    } else {
        Err(Error::OtherKey { subject: certificate.display_name() })
    }
}

/// Checks what an end entity's certificate says of its own key: that it is well-formed and may serve a purpose. Whoever issued
/// it is not looked at.
///
/// # Errors
/// [`Error::Chain`], with the reason.
pub fn check_purpose(certificate: &Certificate, purpose: Purpose) -> Result<(), Error> {
    let checked = EndEntity::new(certificate).check(purpose);
    checked.map_err(|reason| Error::Chain { certificate: certificate.display_name(), reason })
}

/// What the certificate at the beginning of a chain is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Authenticate a TLS server.
    Server,
    /// Authenticate a TLS client.
    Client,
    /// Receive shared secrets: its key is one of a KEM.
    KeyEncapsulation,
    /// Anything else: the caller judges key usages and extended key usages.
    Other,
}

impl Purpose {
    /// Whom it wants authenticated.
    pub(crate) const fn whom(self) -> &'static str {
        match self {
            Self::Server => "a TLS server",
            Self::Client => "a TLS client",
            Self::KeyEncapsulation => "a receiver of shared secrets",
            Self::Other => "anyone",
        }
    }
}

impl ExtendedKeyUsageValidator for Purpose {
    fn validate(&self, purposes: KeyPurposeIdIter<'_, '_>) -> Result<(), webpki::Error> {
        match self {
            Self::Server => KeyUsage::server_auth().validate(purposes),
            Self::Client => KeyUsage::client_auth().validate(purposes),
            Self::KeyEncapsulation | Self::Other => Ok(()),
        }
    }
}

/// A certificate that is trusted: its DER, and what it says of itself as an issuer.
#[derive(Clone, Debug)]
pub struct Root {
    pub(crate) der: CertificateDer<'static>,
    issuer: Issuer,
    is_self_signed: bool,
    own_signature: OwnSignature,
}

impl From<&Certificate> for Root {
    fn from(certificate: &Certificate) -> Self {
        Self {
            der: certificate.to_der().into(),
            issuer: certificate.into(),
            is_self_signed: certificate.is_self_signed(),
            own_signature: certificate.own_signature(),
        }
    }
}

impl Root {
    /// Whether it has this subject, as [`Certificate::subject`] writes it.
    pub(crate) fn is_named(&self, subject: &str) -> bool {
        self.issuer.subject == subject
    }

    /// Checks the root's own signature, if it is self-signed and one of `algorithms` made it. Neither parses the whole certificate nor
    /// asks for the list of all algorithms: both would take memory that a small client never needs.
    ///
    /// # Errors
    /// The errors of [`Certificate::check_own_signature`].
    fn check_own_signature(
        &self,
        algorithms: &[&dyn SignatureVerificationAlgorithm],
        numbers: Numbers,
    ) -> Result<(), Error> {
        let is_right = || !self.is_self_signed || own_signature::is_right(&self.der, algorithms);
        if self.own_signature.get(is_right) {
            return Ok(());
        }
        // once more with the whole certificate, for the reason
        Certificate::from_pem_or_der(&self.der)?.in_era(numbers).check_own_signature()
    }

    /// Returns the certificate's DER.
    #[must_use]
    pub fn as_der(&self) -> &[u8] {
        &self.der
    }
}

/// What [`check_issuer`] asks.
#[derive(Clone, Debug)]
struct Issuer {
    subject: String,
    /// From when until when.
    validity: (Duration, Duration),
    is_ca: bool,
    may_sign_certificates: bool,
    may_sign_crls: bool,
    path_len: Option<u8>,
}

impl From<&Certificate> for Issuer {
    fn from(certificate: &Certificate) -> Self {
        Self {
            subject: certificate.display_name(),
            validity: certificate.validity(),
            is_ca: certificate.is_ca(),
            may_sign_certificates: certificate.may_sign_certificates(),
            may_sign_crls: certificate.may_sign_crls(),
            path_len: certificate.path_len(),
        }
    }
}

/// Who and what is trusted when a chain is checked.
#[derive(Clone, Copy, Debug)]
pub struct Trust<'a> {
    /// The roots.
    pub roots: &'a [Root],
    /// What certificates may be signed with.
    pub algorithms: &'a [&'a dyn SignatureVerificationAlgorithm],
    /// What identifiers mean where a refusal is put into words.
    pub numbers: Numbers,
    /// Revocation lists. Unless there are none, each certificate of a chain but the root must be covered by one that is in
    /// force, and be in none.
    pub crls: &'a [Crl],
}

/// What a chain must be good for.
#[derive(Clone, Copy, Debug)]
pub struct Demand<'a> {
    /// When, since 1970.
    pub time: Duration,
    /// What its first certificate is asked to do.
    pub purpose: Purpose,
    /// For whom that must be: a host name or an IP address; `None` for anyone.
    pub name: Option<&'a str>,
}

/// Checks a chain: signatures, validity, basic constraints, path lengths, key usages, the end entity's public key, purpose and
/// name; of a self-signed root its own signature, too. Every known algorithm is accepted.
///
/// # Errors
/// [`Error::NoRoot`], [`Error::OtherIssuer`]; [`Error::Chain`], with the reason.
pub fn verify_chain(
    end_entity: &Certificate,
    intermediates: &[Certificate],
    roots: &[Certificate],
    demand: &Demand<'_>,
) -> Result<(), Error> {
    let roots: Vec<Root> = roots.iter().map(Root::from).collect();
    Trust::of(&roots).verify_chain(end_entity, intermediates, demand)
}

/// Checks a chain that is a line, as [`verify_chain`]: of `issuers`, the first of which may be the root itself, each issued the
/// next, and the last the end entity. Where all certificates of a chain are believed, none may stand in it for nothing.
///
/// # Errors
/// As there; [`Error::Chain`] for one that did not issue what follows.
pub fn verify_line(
    end_entity: &Certificate,
    issuers: &[Certificate],
    root: &Certificate,
    demand: &Demand<'_>,
) -> Result<(), Error> {
    let between = match issuers {
        [first, rest @ ..] if first.as_der() == root.as_der() => rest,
        all => all,
    };
    let ders: Vec<_> = between.iter().map(der).collect();
    // kept in the certificate, which lives longer than the copy below
    root.check_own_signature()?;
    let own = EndEntity::new(end_entity);
    let verified = Trust::of(&[root.into()]).verify_checked(&der(end_entity), &own, &ders, demand)?;
    let mut path = verified.through;
    // from the root down
    path.reverse();
    let strays = between.iter().enumerate().filter(|(place, _)| path.get(*place) != Some(place));
    strays.map(|(_, stray)| stray.display_name()).next().map_or(Ok(()), |certificate| {
        let reason = "stands in the chain, but did not issue what follows".to_owned();
        Err(Error::Chain { certificate, reason })
    })
}

/// How a trusted certificate came to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// It is self-signed, and the signature is right.
    SelfSigned,
    /// Another certificate issued it, whose signature cannot be checked without that one.
    Issued,
}

/// Checks a trusted certificate by itself: its validity, its constraints and key usage as an issuer, its public key, and its
/// signature if it is self-signed.
///
/// # Errors
/// [`Error::Chain`], with the reason; [`Error::UnknownAlgorithm`] for a self-signed one whose signature cannot be checked.
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

/// Checks that a certificate is signed with the key of another, whatever else the two say. Every known algorithm will do.
///
/// # Errors
/// [`Error::Signature`].
pub fn check_signature(certificate: &Certificate, issuer: &Certificate) -> Result<(), Error> {
    match is_signed_by(certificate, issuer, Numbers::default()) {
        Some(true) => Ok(()),
        _ => Err(Error::Signature { whose: "a certificate".to_owned() }),
    }
}

/// Whether signatures with this identifier can be checked, with some kind of key.
pub(crate) fn is_supported(identifier: &AlgorithmIdentifierOwned, numbers: Numbers) -> bool {
    let Some(identifier) = contents(identifier) else { return false };
    webpki_algorithms(numbers).iter().any(|one| *one.signature_alg_id() == *identifier)
}

/// Whether a certificate is signed with the key of another; `None` if no known algorithm has its identifier and the key's.
pub(crate) fn is_signed_by(
    certificate: &Certificate,
    issuer: &Certificate,
    numbers: Numbers,
) -> Option<bool> {
    is_signed_with(certificate, issuer, webpki_algorithms(numbers))
}

/// Whether a certificate is signed with the key of another by one of these algorithms; `None` if none of them has its
/// identifier and the key's.
pub(crate) fn is_signed_with(
    certificate: &Certificate,
    issuer: &Certificate,
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> Option<bool> {
    let (identifier, message, signature) = certificate.signed_parts()?;
    is_right(&identifier, &message, signature, issuer, algorithms)
}

/// Whether a signature with this identifier is the issuer's over the message; `None` if none of the algorithms has the
/// identifier and the key's.
pub(crate) fn is_right(
    identifier: &AlgorithmIdentifierOwned,
    message: &[u8],
    signature: &[u8],
    issuer: &Certificate,
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> Option<bool> {
    let (kind, key) = issuer.key_parts()?;
    let (identifier, kind) = (contents(identifier)?, contents(&kind)?);
    matches_key(&Signed { identifier: &identifier, message, signature }, &kind, key, algorithms)
}

/// A message and its signature, as X.509 holds them.
pub(crate) struct Signed<'a> {
    /// The contents of the signature's AlgorithmIdentifier.
    pub(crate) identifier: &'a [u8],
    pub(crate) message: &'a [u8],
    pub(crate) signature: &'a [u8],
}

/// Whether a key made a signature; `None` if none of the algorithms has both identifiers.
///
/// `kind`: the contents of the key's AlgorithmIdentifier.
pub(crate) fn matches_key(
    signed: &Signed<'_>,
    kind: &[u8],
    key: &[u8],
    algorithms: &[&dyn SignatureVerificationAlgorithm],
) -> Option<bool> {
    let able = algorithms
        .iter()
        .filter(|one| *one.signature_alg_id() == *signed.identifier && *one.public_key_alg_id() == *kind);
    able.map(|one| one.verify_signature(key, signed.message, signed.signature).is_ok())
        .reduce(|one, other| one || other)
}

impl<'a> Trust<'a> {
    /// In these roots, and whatever certificates may be signed with here.
    pub(crate) fn of(roots: &'a [Root]) -> Self {
        let numbers = Numbers::default();
        Self { roots, algorithms: webpki_algorithms(numbers), numbers, crls: &[] }
    }
}

impl Trust<'_> {
    /// [`verify_chain`] with these algorithms only.
    ///
    /// # Errors
    /// [`Error::NoRoot`], [`Error::OtherIssuer`]; [`Error::Chain`], with the reason.
    pub fn verify_chain(
        &self,
        end_entity: &Certificate,
        intermediates: &[Certificate],
        demand: &Demand<'_>,
    ) -> Result<(), Error> {
        let intermediates: Vec<_> = intermediates.iter().map(der).collect();
        let own = EndEntity::new(end_entity);
        self.verify_checked(&der(end_entity), &own, &intermediates, demand).map(drop)
    }

    /// Verifies certificates as a peer sends them, parsing one at a time. Returns when the first certificate of the path
    /// expires, as the time since 1970.
    ///
    /// # Errors
    /// The errors of [`Self::verify_chain`], and [`Error`] for a certificate that cannot be parsed.
    pub fn verify_der(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        demand: &Demand<'_>,
    ) -> Result<Duration, Error> {
        let own = Certificate::end_entity(end_entity, self.numbers)?;
        intermediates.iter().try_for_each(|certificate| Certificate::check_der(certificate))?;
        self.verify_checked(end_entity, &own, intermediates, demand).map(|verified| verified.expires)
    }

    /// Checks certificates that can be parsed. They are parsed again only to word a refusal, and each intermediate for
    /// what it says as an issuer.
    fn verify_checked(
        &self,
        end_entity: &CertificateDer<'_>,
        own: &EndEntity,
        intermediates: &[CertificateDer<'_>],
        demand: &Demand<'_>,
    ) -> Result<Verified, Error> {
        let refused = |e: webpki::Error| self.refusal(&e, end_entity, intermediates, demand);
        let path = match self.webpki_path(end_entity, intermediates, demand) {
            Err(webpki::Error::MaximumPathDepthExceeded) => {
                self.long_path(end_entity, intermediates, demand)?
            }
            path => path.map_err(refused)?,
        };
        let checks_crls = !self.crls.is_empty();
        let mut expires = own.expires;
        for (below, place) in path.through.iter().enumerate() {
            let issuer = Issuer::from(&Certificate::from_pem_or_der(&intermediates[*place])?);
            check_issuer(&issuer, below, demand.time, checks_crls)?;
            expires = expires.min(issuer.validity.1);
        }
        let root = &self.roots[path.root];
        check_issuer(&root.issuer, path.through.len(), demand.time, checks_crls)?;
        root.check_own_signature(self.algorithms, self.numbers)?;
        own.check(demand.purpose).map_err(|reason| refusal::of(end_entity, reason))?;
        let verified = Verified { expires: expires.min(root.issuer.validity.1), through: path.through };
        let Some(name) = demand.name else { return Ok(verified) };
        let server_name = ServerName::try_from(name).map_err(|_| Error::Value {
            what: "name",
            reason: format!("\"{}\" is no host name and no IP address", name.escape_debug()),
        })?;
        let parsed = EndEntityCert::try_from(end_entity).map_err(refused)?;
        let named = parsed.verify_is_valid_for_subject_name(&server_name);
        named.map_err(|_| refusal::not_for(end_entity, name)).map(|()| verified)
    }

    /// The path that webpki finds and checks.
    fn webpki_path(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        demand: &Demand<'_>,
    ) -> Result<Path, webpki::Error> {
        let anchors = self.roots.iter().map(|root| anchor_from_trusted_cert(&root.der));
        let anchors: Vec<_> = anchors.collect::<Result<_, _>>()?;
        let lists = crl::in_force(self.crls, demand.time);
        if lists.is_empty() && !self.crls.is_empty() {
            return Err(webpki::Error::UnknownRevocationStatus);
        }
        let parsed = EndEntityCert::try_from(end_entity)?;
        let (now, revocation) = (crl::unix(demand.time), crl::options(&lists));
        let usage = demand.purpose;
        let path = parsed.verify_for_usage(
            self.algorithms,
            &anchors,
            intermediates,
            now,
            usage,
            revocation,
            None,
        )?;
        let place = |der: CertificateDer<'_>| intermediates.iter().position(|one| *one == der);
        let through = path.intermediate_certificates().filter_map(|issuer| place(issuer.der())).collect();
        let is_anchor = |number: &usize| anchors[*number] == *path.anchor();
        // of roots with one name and key, the one that lasts longest
        let matching = (0..anchors.len()).filter(is_anchor);
        let root = matching.max_by_key(|number| self.roots[*number].issuer.validity.1);
        Ok(Path { through, root: root.ok_or(webpki::Error::UnknownIssuer)? })
    }
}

/// A chain that was accepted.
struct Verified {
    /// When the first certificate of the path expires, since 1970.
    expires: Duration,
    /// The intermediates of the path by their positions, from the end entity up.
    through: Vec<usize>,
}

/// The way from an end entity to a root.
pub(crate) struct Path {
    /// The intermediates by their places, from the end entity up.
    pub(crate) through: Vec<usize>,
    /// The place of the root.
    pub(crate) root: usize,
}

fn der(certificate: &Certificate) -> CertificateDer<'_> {
    CertificateDer::from(certificate.as_der())
}

/// Of an issuer whose certificates no list can revoke.
const NO_CRL_SIGN: &str = "may not sign revocation lists: its key usage lacks cRLSign";

/// Checks that an issuer may sign revocation lists.
pub(crate) fn may_sign_crls(issuer: &Certificate) -> Result<(), Error> {
    if issuer.may_sign_crls() {
        return Ok(());
    }
    Err(Error::RevocationUnknown { certificate: issuer.display_name(), reason: NO_CRL_SIGN.to_owned() })
}

/// What webpki leaves to its caller: the key usage of every issuer, and all that a root says of itself.
///
/// `below`: how many issuers stand between it and the end entity.
/// `checks_crls`: it must have signed a revocation list, too.
fn check_issuer(issuer: &Issuer, below: usize, time: Duration, checks_crls: bool) -> Result<(), Error> {
    let (from, until) = issuer.validity;
    let certificate = issuer.subject.clone();
    let reason = if !issuer.is_ca {
        "is not a CA's, but issued others".to_owned()
    } else if !issuer.may_sign_certificates {
        "may not sign certificates: its key usage lacks keyCertSign".to_owned()
    } else if checks_crls && !issuer.may_sign_crls {
        let reason = NO_CRL_SIGN.to_owned();
        return Err(Error::RevocationUnknown { certificate, reason });
    } else if issuer.path_len.is_some_and(|most| below > usize::from(most)) {
        "allows fewer intermediates than stand behind it".to_owned()
    } else if time > until {
        return Err(Error::Expired { certificate, ended: until });
    } else if time < from {
        return Err(Error::NotYetValid { certificate, begins: from });
    } else {
        return Ok(());
    };
    Err(Error::Chain { certificate, reason })
}
