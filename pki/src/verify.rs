//! Checking: signatures of registered algorithms as webpki calls them, and chains.

use crate::certificate::Certificate;
use crate::private_key::{PrivateKey, Size};
use crate::{Error, algorithm, refusal};
use alloc::{borrow::ToOwned, boxed::Box, format, string::String, vec::Vec};
use core::fmt;
use core::time::Duration;
use der::asn1::AnyRef;
use der::{Decode, Encode};
use grille_registry::{Numbers, Row, SIGNATURES, SignatureRow};
use once_cell::race::OnceBox;
use rustls_pki_types::{
    AlgorithmIdentifier, CertificateDer, InvalidSignature, ServerName, SignatureVerificationAlgorithm,
    TrustAnchor, UnixTime,
};
use spki::AlgorithmIdentifierOwned;
use webpki::{
    EndEntityCert, ExtendedKeyUsageValidator, KeyPurposeIdIter, KeyUsage, anchor_from_trusted_cert,
};

/// Signature verification algorithms, as webpki and rustls take them.
pub type Algorithms = &'static [&'static dyn SignatureVerificationAlgorithm];

/// The algorithm of a row that webpki has not under each of its object identifiers: that of these numbers, and the registry's
/// own, which certificates may have that were made before an era was chosen. `None` if it has none.
#[must_use]
pub fn algorithm(row: &'static SignatureRow, numbers: Numbers, size: Size) -> Option<Algorithms> {
    // webpki wants identifiers that live for ever; there are as many as there are numbers. A row is known by its place
    type Known = Kept<(usize, Numbers), Option<Algorithms>>;
    static PREPARED: Known = Kept::new();
    static SMALL: Known = Kept::new();
    let key = (core::ptr::from_ref(row).addr(), numbers);
    *match size {
        Size::Prepared => PREPARED.get(key, || adapters::<false>(row, numbers)),
        Size::Small => SMALL.get(key, || adapters::<true>(row, numbers)),
    }
}

fn adapters<const IS_SMALL: bool>(row: &'static SignatureRow, numbers: Numbers) -> Option<Algorithms> {
    let own = numbers.signature_oid(row);
    // what is the registry's own identifier may be another row's in this era
    let registered =
        row.oid.filter(|oid| numbers.signature_by_oid(oid).is_none()).map(|_| Numbers::default());
    let mut list: Vec<&'static dyn SignatureVerificationAlgorithm> = Vec::new();
    for numbers in own.map(|_| numbers).into_iter().chain(registered).filter(|_| !webpki_has(row)) {
        list.push(Box::leak(Box::new(Adapter::<IS_SMALL>::new(row, numbers)?)));
    }
    (!list.is_empty()).then(|| &*Box::leak(list.into_boxed_slice()))
}

/// Whether webpki knows a classical row by itself.
fn webpki_has(row: &SignatureRow) -> bool {
    let identifier = algorithm::of_signature(row, Numbers::default()).ok().and_then(|own| contents(&own));
    let known = |own: &[u8]| webpki::ALL_VERIFICATION_ALGS.iter().any(|one| *one.signature_alg_id() == *own);
    row.category == 0 && identifier.is_some_and(|own| known(&own))
}

/// Every algorithm that certificates may be signed with here: webpki's own, and the rows that it has not.
#[must_use]
pub fn webpki_algorithms(numbers: Numbers) -> Algorithms {
    static LISTS: Kept<Numbers, Algorithms> = Kept::new();
    LISTS.get(numbers, || {
        let ours = SIGNATURES.iter().filter_map(|row| algorithm(row, numbers, Size::Prepared)).flatten();
        ours.chain(webpki::ALL_VERIFICATION_ALGS).copied().collect::<Vec<_>>().leak()
    })
}

/// What was asked for already, and found: a list that only grows. Of two threads that ask at once for the same that is not
/// there yet, both may make it, and one of them in vain.
struct Kept<Key, Value>(OnceBox<Link<Key, Value>>);

struct Link<Key, Value> {
    key: Key,
    value: Value,
    next: Kept<Key, Value>,
}

impl<Key: Copy + PartialEq, Value> Kept<Key, Value> {
    const fn new() -> Self {
        Self(OnceBox::new())
    }

    /// The value of this key, which `make` makes if it is not there.
    fn get(&self, key: Key, make: impl Fn() -> Value) -> &Value {
        let mut place = self;
        loop {
            let link = place.0.get_or_init(|| Box::new(Link { key, value: make(), next: Self::new() }));
            if link.key == key {
                return &link.value;
            }
            place = &link.next;
        }
    }
}

/// A row, with its identifiers in the form webpki compares; whether its keys are [`Size::Small`].
struct Adapter<const IS_SMALL: bool> {
    row: &'static SignatureRow,
    key: AlgorithmIdentifier,
    signature: AlgorithmIdentifier,
}

impl<const IS_SMALL: bool> Adapter<IS_SMALL> {
    fn new(row: &'static SignatureRow, numbers: Numbers) -> Option<Self> {
        let kept = |der: Vec<u8>| AlgorithmIdentifier::from_slice(Box::leak(der.into_boxed_slice()));
        let key = kept(contents(&algorithm::of_key(row, numbers).ok()?)?);
        let signature = contents(&algorithm::of_signature(row, numbers).ok()?)?;
        // most keys have the identifier of their signatures
        let signature = if *signature == *key { key } else { kept(signature) };
        Some(Self { row, key, signature })
    }
}

/// DER of an identifier without the outer tag and length.
fn contents(identifier: &AlgorithmIdentifierOwned) -> Option<Vec<u8>> {
    let der = identifier.to_der().ok()?;
    Some(AnyRef::from_der(&der).ok()?.value().to_vec())
}

impl<const IS_SMALL: bool> SignatureVerificationAlgorithm for Adapter<IS_SMALL> {
    fn verify_signature(
        &self,
        public_key: &[u8],
        message: &[u8],
        signature: &[u8],
    ) -> Result<(), InvalidSignature> {
        let scheme = self.row.signature;
        let key =
            if IS_SMALL { scheme.small_verifying_key(public_key) } else { scheme.verifying_key(public_key) };
        let key = key.map_err(|_| InvalidSignature)?;
        key.verify(message, b"", signature).map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        self.key
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        self.signature
    }
}

impl<const IS_SMALL: bool> fmt::Debug for Adapter<IS_SMALL> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.row.name())
    }
}

/// Whether the private key belongs to the certificate.
///
/// # Errors
/// [`Error::OtherKey`].
pub fn check_key_matches(certificate: &Certificate, key: &PrivateKey) -> Result<(), Error> {
    if certificate.spki_der()? == key.public_key().to_spki_der()? {
        Ok(())
    } else {
        Err(Error::OtherKey { subject: certificate.subject() })
    }
}

/// What the certificate at the beginning of a chain is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Authenticate a TLS server.
    Server,
    /// Authenticate a TLS client.
    Client,
    /// Something else than TLS: what the certificates say of their purpose is left to the caller.
    Other,
}

impl Purpose {
    /// Whom it wants authenticated.
    pub(crate) const fn whom(self) -> &'static str {
        match self {
            Self::Server => "a TLS server",
            Self::Client => "a TLS client",
            Self::Other => "anyone",
        }
    }
}

impl ExtendedKeyUsageValidator for Purpose {
    fn validate(&self, purposes: KeyPurposeIdIter<'_, '_>) -> Result<(), webpki::Error> {
        match self {
            Self::Server => KeyUsage::server_auth().validate(purposes),
            Self::Client => KeyUsage::client_auth().validate(purposes),
            Self::Other => Ok(()),
        }
    }
}

/// A certificate that is trusted: its DER, and what it says of itself as an issuer.
#[derive(Clone, Debug)]
pub struct Root {
    pub(crate) der: CertificateDer<'static>,
    issuer: Issuer,
}

impl From<&Certificate> for Root {
    fn from(certificate: &Certificate) -> Self {
        Self { der: certificate.to_der().into(), issuer: certificate.into() }
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
    path_len: Option<u8>,
}

impl From<&Certificate> for Issuer {
    fn from(certificate: &Certificate) -> Self {
        Self {
            subject: certificate.subject(),
            validity: certificate.validity(),
            is_ca: certificate.is_ca(),
            may_sign_certificates: certificate.may_sign_certificates(),
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

/// Checks a chain: signatures, validity, basic constraints, path lengths, key usage, purpose and name. Every known algorithm
/// will do.
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
    let mut path = Trust::of(&[root.into()]).verify_checked(&der(end_entity), &ders, demand)?;
    // from the root down
    path.reverse();
    let strays = between.iter().enumerate().filter(|(place, _)| path.get(*place) != Some(place));
    strays.map(|(_, stray)| stray.subject()).next().map_or(Ok(()), |certificate| {
        let reason = "stands in the chain, but did not issue what follows".to_owned();
        Err(Error::Chain { certificate, reason })
    })
}

/// Checks that a certificate is signed with the key of another, whatever else the two say. Every known algorithm will do.
///
/// # Errors
/// [`Error::Signature`].
pub fn check_signature(certificate: &Certificate, issuer: &Certificate) -> Result<(), Error> {
    let wrong = || Error::Signature { whose: "a certificate".to_owned() };
    let (identifier, message, signature) = certificate.signed_parts().ok_or_else(wrong)?;
    let (identifier, key) = (contents(&identifier).ok_or_else(wrong)?, issuer.key_parts().ok_or_else(wrong)?);
    let kind = contents(&key.0).ok_or_else(wrong)?;
    let fits = |one: &&dyn SignatureVerificationAlgorithm| {
        *one.signature_alg_id() == *identifier && *one.public_key_alg_id() == *kind
    };
    let mut able = webpki_algorithms(Numbers::default()).iter().copied().filter(fits);
    let signed = able.any(|one| one.verify_signature(key.1, &message, signature).is_ok());
    if signed { Ok(()) } else { Err(wrong()) }
}

impl<'a> Trust<'a> {
    /// In these roots, and whatever certificates may be signed with here.
    fn of(roots: &'a [Root]) -> Self {
        let numbers = Numbers::default();
        Self { roots, algorithms: webpki_algorithms(numbers), numbers }
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
        self.verify_checked(&der(end_entity), &intermediates, demand).map(drop)
    }

    /// The same of certificates as they come from a peer; one at a time is parsed, to be looked at.
    ///
    /// # Errors
    /// As there, and for a certificate that cannot be parsed.
    pub fn verify_der(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        demand: &Demand<'_>,
    ) -> Result<(), Error> {
        for certificate in core::iter::once(end_entity).chain(intermediates) {
            Certificate::check_der(certificate)?;
        }
        self.verify_checked(end_entity, intermediates, demand).map(drop)
    }

    /// The same of certificates that can be parsed. They are parsed again only to word a refusal, and each intermediate for
    /// what it says as an issuer. The path: which intermediates it goes through, from the end entity up.
    fn verify_checked(
        &self,
        end_entity: &CertificateDer<'_>,
        intermediates: &[CertificateDer<'_>],
        demand: &Demand<'_>,
    ) -> Result<Vec<usize>, Error> {
        let refused = |e: webpki::Error| self.refusal(&e, end_entity, intermediates, demand.purpose);
        let anchors = self.roots.iter().map(|root| anchor_from_trusted_cert(&root.der));
        let anchors: Vec<_> = anchors.collect::<Result<_, _>>().map_err(refused)?;
        let parsed = EndEntityCert::try_from(end_entity).map_err(refused)?;
        let now = UnixTime::since_unix_epoch(demand.time);
        let path = parsed
            .verify_for_usage(self.algorithms, &anchors, intermediates, now, demand.purpose, None, None)
            .map_err(refused)?;
        let mut through = Vec::new();
        for issuer in path.intermediate_certificates() {
            let der = issuer.der();
            check_issuer(&Issuer::from(&Certificate::from_pem_or_der(&der)?), through.len(), demand.time)?;
            through.extend(intermediates.iter().position(|one| *one == der));
        }
        let anchor = |(_, known): &(_, &TrustAnchor<'_>)| *known == path.anchor();
        // of roots with one name and key, the one that lasts longest
        let matching = self.roots.iter().zip(&anchors).filter(anchor).map(|(root, _)| &root.issuer);
        let root = matching.max_by_key(|issuer| issuer.validity.1);
        root.map_or(Ok(()), |issuer| check_issuer(issuer, through.len(), demand.time))?;
        let Some(name) = demand.name else { return Ok(through) };
        let server_name = ServerName::try_from(name).map_err(|_| Error::Value {
            what: "name",
            reason: format!("\"{}\" is no host name and no IP address", name.escape_debug()),
        })?;
        let named = parsed.verify_is_valid_for_subject_name(&server_name);
        named.map_err(|_| refusal::not_for(end_entity, name)).map(|()| through)
    }
}

fn der(certificate: &Certificate) -> CertificateDer<'_> {
    CertificateDer::from(certificate.as_der())
}

/// What webpki leaves to its caller: the key usage of every issuer, and all that a root says of itself.
///
/// `below`: how many issuers stand between it and the end entity.
fn check_issuer(issuer: &Issuer, below: usize, time: Duration) -> Result<(), Error> {
    let (from, until) = issuer.validity;
    let certificate = issuer.subject.clone();
    let reason = if !issuer.is_ca {
        "is not a CA's, but issued others".to_owned()
    } else if !issuer.may_sign_certificates {
        "may not sign certificates: its key usage lacks keyCertSign".to_owned()
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
