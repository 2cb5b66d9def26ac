//! Trust in the peer's certificate chain.

use crate::common::{self, Wire, classical, config, credential, credential_with};
use grille_core::SystemRng;
use grille_pki::issue::{KeyUsage, KeyUsages, Profile, Template, issue, self_signed};
use grille_pki::{Certificate, Crl, CrlValidity, Error as Untrusted, ObjectIdentifier, PrivateKey, now};
use grille_registry::signature_by_name;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::auth_failure::AuthFailure;
use grille_spdm_engine::chain;
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::identity::model;
use grille_spdm_engine::operations::{Connect, FetchCertificate, OpenSession};
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::transcript::Prover;
use grille_spdm_engine::trust::{ChainVerifier, Claim, Roots};
use std::time::Duration;

/// Chains with an unrelated certificate are rejected, even if the device's own certificates are valid.
#[test]
fn rejects_chain_with_unrelated_certificates() {
    let [own, other] = [(); 2].map(|()| credential(classical("P256")));
    let ([root, leaf], [stranger, device]) = (pair(&own.chain), pair(&other.chain));
    let roots = Roots::new(vec![root.clone()]);
    let claim = Claim { prover: Prover::Responder, slot: 0, model: model::DEVICE };
    let named = HASHES[0].digest(&[&root.to_der()]);
    let believed = |certificates: &[&Certificate]| {
        let certificates: Vec<_> = certificates.iter().copied().cloned().collect();
        let bytes = chain::write_with_root_hash(named.as_ref(), &certificates);
        roots.verify(&claim, &chain::parse(&HASHES[0], &bytes).unwrap()).is_ok()
    };
    assert!(believed(&[root, leaf]) && believed(&[leaf]));
    for others in
        [&[root, device, leaf][..], &[root, stranger, device, leaf], &[stranger, leaf], &[root, root, leaf]]
    {
        assert!(!believed(others));
    }
}

fn pair(chain: &[Certificate]) -> [&Certificate; 2] {
    let [root, leaf] = chain else { panic!("a root and a device") };
    [root, leaf]
}

#[test]
fn rejects_self_signed_root_with_invalid_signature() {
    let credential = credential(classical("P256"));
    let mut der = credential.root.to_der();
    *der.last_mut().unwrap() ^= 1;
    let altered = Certificate::from_pem_or_der(&der).unwrap();
    let claim = Claim { prover: Prover::Responder, slot: 0, model: model::DEVICE };
    for (root, words) in [(credential.root.clone(), None), (altered, Some("does not match its own key"))] {
        let named = HASHES[0].digest(&[&root.to_der()]);
        let bytes = chain::write_with_root_hash(named.as_ref(), &[root.clone(), credential.chain[1].clone()]);
        let result = Roots::new(vec![root]).verify(&claim, &chain::parse(&HASHES[0], &bytes).unwrap());
        match words {
            None => result.unwrap(),
            Some(words) => assert!(result.unwrap_err().to_string().contains(words)),
        }
    }
}

/// The certificate model must not relax the check, because the peer itself states the model.
#[test]
fn rejects_leaf_without_digital_signature_in_every_model() {
    for (usage, may_sign) in [(KeyUsages::DigitalSignature, true), (KeyUsages::KeyAgreement, false)] {
        let credential =
            credential_with(classical("P256"), |template| template.key_usage(KeyUsage(usage.into())));
        let chain = chain::parse(&HASHES[0], &chain::write(&HASHES[0], &credential.chain)).unwrap();
        let roots = Roots::new(vec![credential.root]);
        for prover in [Prover::Responder, Prover::Requester] {
            for model in [model::DEVICE, model::ALIAS, model::GENERIC] {
                let result = roots.verify(&Claim { prover, slot: 1, model }, &chain);
                assert_eq!(result.is_ok(), may_sign, "{prover:?}, model {model}");
            }
        }
    }
}

#[test]
fn mutual_authentication_needs_a_chain_verifier() {
    let [device, host] = [(); 2].map(|()| credential(classical("P256")));
    let mutual = Caps::MUT_AUTH | Caps::ENCAP;
    let [theirs, mut ours] =
        [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_2, flags | mutual));
    ours.mutual = MutualAuthentication::Encapsulated;
    let judge = Box::new(Roots::new(vec![device.root.clone()]));
    let mut requester = Requester::new(theirs, host.identity(), judge);
    let mut wire = Wire::new(Responder::new(ours, device.identity(), Box::new(common::Sample)));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    assert!(requester.run(OpenSession::new(0), &mut wire).is_err());
    let reason = wire.responder.take_auth_failure();
    assert!(matches!(reason, Some(AuthFailure::Answer(Error::Usage(Usage::NoChainVerifier)))), "{reason:?}");
}

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// A certificate with its private key.
struct Party {
    certificate: Certificate,
    key: PrivateKey,
}

impl Party {
    fn key() -> PrivateKey {
        PrivateKey::generate(signature_by_name("ML-DSA-44").unwrap(), &mut SystemRng).unwrap()
    }

    fn root() -> Self {
        let key = Self::key();
        let template = Template::new("CN=root", Profile::Root).unwrap();
        Self { certificate: self_signed(&template, &key, &mut SystemRng).unwrap(), key }
    }

    fn issue(&self, name: &str, profile: Profile) -> Self {
        let (key, template) = (Self::key(), Template::new(name, profile).unwrap());
        let issued = issue(&template, key.public_key(), &self.certificate, &self.key, &mut SystemRng);
        Self { certificate: issued.unwrap(), key }
    }

    /// Returns a revocation list that this issuer issued `age` ago, valid for two days.
    fn crl(&self, revoked: &[&Self], age: Duration) -> Crl {
        let revoked: Vec<_> = revoked.iter().map(|party| &party.certificate).collect();
        let this_update = now() - age;
        let validity = CrlValidity { this_update, next_update: this_update + 2 * DAY, number: 1 };
        Crl::issue(&revoked, &validity, &self.certificate, &self.key, &mut SystemRng).unwrap()
    }

    /// Marks a certificate of this issuer as hardware-identity, and signs it again.
    fn mark_device(&self, device: Self) -> Self {
        let [tbs, algorithm, _] = elements(elements(device.certificate.as_der())[0].1).try_into().unwrap();
        let (extensions, fields) =
            elements(tbs.1).split_last().map(|(last, rest)| (*last, rest.to_vec())).unwrap();
        let oid = |arc: u8| {
            let oid = ObjectIdentifier::new(&format!("1.3.6.1.4.1.412.274.{arc}")).unwrap();
            tlv(0x06, &[oid.as_bytes()])
        };
        let marks = tlv(0x04, &[&tlv(0x30, &[&tlv(0x30, &[&oid(2)])])]);
        let list = elements(extensions.1)[0].1;
        let extensions = tlv(extensions.0, &[&tlv(0x30, &[list, &tlv(0x30, &[&oid(6), &marks])])]);
        let fields: Vec<u8> = fields.iter().flat_map(|(tag, contents)| tlv(*tag, &[contents])).collect();
        let tbs = tlv(0x30, &[&fields, &extensions]);
        let signature = self.key.signing_key().sign(&tbs, &[], &mut SystemRng).unwrap();
        let signature = tlv(0x03, &[&[0], &signature]);
        let der = tlv(0x30, &[&tbs, &tlv(algorithm.0, &[algorithm.1]), &signature]);
        Self { certificate: Certificate::from_pem_or_der(&der).unwrap(), key: device.key }
    }
}

/// Encodes a DER element of at most 65,535 bytes.
fn tlv(tag: u8, parts: &[&[u8]]) -> Vec<u8> {
    let contents = parts.concat();
    let [high, low] = u16::try_from(contents.len()).unwrap().to_be_bytes();
    let header = match (high, low) {
        (0, 0..0x80) => vec![tag, low],
        (0, _) => vec![tag, 0x81, low],
        _ => vec![tag, 0x82, high, low],
    };
    [header, contents].concat()
}

/// Splits DER elements into tags and contents.
fn elements(mut bytes: &[u8]) -> Vec<(u8, &[u8])> {
    let mut elements = Vec::new();
    while let [tag, first, rest @ ..] = bytes {
        let more = if *first < 0x80 { 0 } else { usize::from(first & 0x7F) };
        let len = rest[..more].iter().fold(0, |len, byte| len << 8 | usize::from(*byte));
        let len = if more == 0 { usize::from(*first) } else { len };
        elements.push((*tag, &rest[more..more + len]));
        bytes = &rest[more + len..];
    }
    elements
}

/// Verifies the chain of these parties' certificates, the root first, with these revocation lists.
fn verify(line: &[&Party], crls: &[Crl]) -> Result<(), Untrusted> {
    let certificates: Vec<_> = line.iter().map(|party| party.certificate.clone()).collect();
    let claim = Claim { prover: Prover::Responder, slot: 0, model: model::ALIAS };
    let result = |certificates: &[Certificate]| {
        let named = HASHES[0].digest(&[&line[0].certificate.to_der()]);
        let bytes = chain::write_with_root_hash(named.as_ref(), certificates);
        let crls = crls.iter().flat_map(|crl| Crl::all_from_pem(crl.as_der()).unwrap()).collect();
        let roots = Roots::new(vec![line[0].certificate.clone()]).with_crls(crls);
        roots.verify(&claim, &chain::parse(&HASHES[0], &bytes).unwrap())
    };
    // The result must not depend on whether the chain contains the root.
    let both = [result(&certificates), result(&certificates[1..])];
    assert_eq!(both[0], both[1]);
    both[0].clone()
}

fn leaf() -> Profile {
    Profile::end_entity(&["device.example"]).unwrap()
}

#[test]
fn refuses_chains_with_revoked_certificates() {
    let root = Party::root();
    let factory = root.issue("CN=factory", Profile::Intermediate { path_len: 0 });
    let device = factory.issue("CN=device", leaf());
    let line = [&root, &factory, &device];
    let result = |of_root: &[&Party], of_factory: &[&Party]| {
        verify(&line, &[root.crl(of_root, DAY), factory.crl(of_factory, DAY)])
    };
    assert_eq!((verify(&line, &[]), result(&[], &[])), (Ok(()), Ok(())));
    for (result, revoked) in [(result(&[], &[&device]), &device), (result(&[&factory], &[]), &factory)] {
        let Err(Untrusted::Revoked { certificate, .. }) = result else { panic!("{result:?}") };
        assert_eq!(certificate, revoked.certificate.display_name());
    }
}

#[test]
fn refuses_chains_without_current_lists_of_every_issuer() {
    let root = Party::root();
    let factory = root.issue("CN=factory", Profile::Intermediate { path_len: 0 });
    let device = factory.issue("CN=device", leaf());
    let (line, stranger) = ([&root, &factory, &device], Party::root());
    for (crls, words) in [
        (vec![factory.crl(&[], DAY)], "a list of CN=root is needed"),
        (vec![root.crl(&[], DAY)], "a list of CN=factory is needed"),
        (vec![root.crl(&[], DAY), factory.crl(&[], 3 * DAY)], "that expired on"),
        (vec![stranger.crl(&[], DAY), factory.crl(&[], DAY)], "not signed with its issuer's key"),
    ] {
        let refused = verify(&line, &crls).unwrap_err();
        assert!(matches!(refused, Untrusted::RevocationUnknown { .. }), "{refused:?}");
        assert!(refused.to_string().contains(words), "{refused}");
    }
}

/// A device with an alias certificate issued that certificate itself, and publishes no revocation list.
#[test]
fn certificates_that_a_device_issued_need_no_list() {
    let root = Party::root();
    let ca = |party: &Party, name: &str, path_len| party.issue(name, Profile::Intermediate { path_len });
    let (device, unmarked) = (root.mark_device(ca(&root, "CN=device", 1)), ca(&root, "CN=device", 1));
    let layer = ca(&device, "CN=layer 0", 0);
    let alias = layer.issue("CN=alias", leaf());
    let line = [&root, &device, &layer, &alias];
    assert_eq!(verify(&line, &[root.crl(&[], DAY)]), Ok(()));
    let refused = verify(&line, &[root.crl(&[&device], DAY)]).unwrap_err();
    assert!(matches!(refused, Untrusted::Revoked { .. }), "{refused:?}");
    // an issuer that is not marked hardware-identity needs a list
    let (layer, crls) = (ca(&unmarked, "CN=layer 0", 0), vec![root.crl(&[], DAY)]);
    let refused = verify(&[&root, &unmarked, &layer, &layer.issue("CN=alias", leaf())], &crls).unwrap_err();
    assert!(matches!(refused, Untrusted::RevocationUnknown { .. }), "{refused:?}");
}
