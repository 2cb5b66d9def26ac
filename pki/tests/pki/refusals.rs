//! Messages about refused chains: each must state the cause of the refusal, not a consequence of this cause.

use grille_core::SystemRng;
use grille_pki::issue::{Profile, Template, issue, self_signed};
use grille_pki::verify::{Purpose, Requirements, verify_chain, verify_root};
use grille_pki::{Certificate, PrivateKey};
use grille_registry::{Numbers, signature_by_name};
use std::time::Duration;

fn refusal(leaf: &Certificate, root: &Certificate, time: Duration) -> String {
    let requirements = Requirements { time, purpose: Purpose::Server, name: None };
    let refused = verify_chain(leaf, &[], std::slice::from_ref(root), &requirements);
    refused.expect_err("this must be refused").to_string()
}

#[test]
fn names_an_issuer_with_a_short_rsa_key() {
    let [leaf, root] =
        [SIGNED_WITH_RSA_1024, RSA_1024].map(|pem| Certificate::from_pem_or_der(pem.as_bytes()).unwrap());
    let message = refusal(&leaf, &root, leaf.validity().0 + Duration::from_secs(1));
    assert!(
        message
            .starts_with("the certificate of CN=leaf was issued by CN=short, whose RSA key has 1024 bits; "),
        "{message}"
    );
}

#[test]
fn names_the_length_of_an_rsa_key_that_is_too_short() {
    let root = Certificate::from_pem_or_der(RSA_1024.as_bytes()).unwrap();
    let checked = verify_root(&root, root.validity().0 + Duration::from_secs(1), Numbers::default());
    let message = checked.unwrap_err().to_string();
    assert!(message.contains("has an RSA key of 1024 bits; accepted: 2048 to 8192 bits"), "{message}");
}

#[test]
fn names_a_root_with_the_issuers_name_but_another_key() {
    let key = |name| PrivateKey::generate(signature_by_name(name).unwrap(), &mut SystemRng).unwrap();
    let root = |key: &PrivateKey| {
        let root = Template::new("CN=root", Profile::Root).unwrap();
        self_signed(&root, key, &mut SystemRng).unwrap()
    };
    let (own, issuer_key) = (key("ECDSA-P256"), key("ECDSA-P256"));
    let issuer = root(&issuer_key);
    let leaf = Template::new("CN=leaf", Profile::end_entity(&["localhost"]).unwrap()).unwrap();
    let leaf = issue(&leaf, own.public_key(), &issuer, &issuer_key, &mut SystemRng).unwrap();
    for algorithm in ["ECDSA-P256", "ML-DSA-44"] {
        let message = refusal(&leaf, &root(&key(algorithm)), grille_pki::now());
        let reason = "was issued by CN=root, but not with the key of the trusted root of that name";
        assert!(message.contains(reason), "{algorithm}: {message}");
    }
}

/// An end entity with a P-256 key, signed by [`RSA_1024`]; generated with OpenSSL 3.0.
const SIGNED_WITH_RSA_1024: &str = "\
-----BEGIN CERTIFICATE-----
MIIBuTCCASKgAwIBAgIUNFz/az3jStWygUwn/Qx8c5bgTRYwDQYJKoZIhvcNAQEL
BQAwEDEOMAwGA1UEAwwFc2hvcnQwHhcNMjYxMTI3MDQyNjU4WhcNMzUwMjEzMDQy
NjU4WjAPMQ0wCwYDVQQDDARsZWFmMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE
AMc5ze5mJ9/GMARnDAT+yprjupoWw3q7r6qSBWwWVX2HF6kiIj6qWkkZ/T4b47E2
HnkZ+CPiBaBZw0+PsnH+CqNYMFYwFAYDVR0RBA0wC4IJbG9jYWxob3N0MB0GA1Ud
DgQWBBQqAweUAPnN746mWfJjT48dlLXAFTAfBgNVHSMEGDAWgBRMNnwWDG/5uaEM
sX81zNU6DhUCSDANBgkqhkiG9w0BAQsFAAOBgQBU6n3eScA7G9wT5/EVX5IlhaGD
NygL2pjPlHPNftZrthx5auRt9o+rGHFBAzLVcbd0pIQGq9CQNx8s6dSN0oHgfOri
ACcBPsL1zRbiMYO2/FCkjx73RkkxKPhn8vZ3Yobh+gkY4IrbD0UmSc3csud3ILTc
dW9IWCkdegN7Ntsbzw==
-----END CERTIFICATE-----
";

/// A root with an RSA key of 1024 bits.
const RSA_1024: &str = "\
-----BEGIN CERTIFICATE-----
MIICDDCCAXWgAwIBAgIUT5zBz06KZPCVL0BebHQjwT0ZbYMwDQYJKoZIhvcNAQEL
BQAwEDEOMAwGA1UEAwwFc2hvcnQwHhcNMjYxMTI3MDQyNjU4WhcNMzUwMjEzMDQy
NjU4WjAQMQ4wDAYDVQQDDAVzaG9ydDCBnzANBgkqhkiG9w0BAQEFAAOBjQAwgYkC
gYEAqEf6z68INv23LnCGTf7tHUrK3UAU/1rBW6UdLcfDWYUKHZw5+GVFh3AM6FBv
jV4lRYeaIcofzu29FZuZIwJScDgE0bIJNpgpFx0DRVhdKoqZdJAJoVNNJl7nnfRk
XhP7l/EaJXNOxEr6mWaA82aVWljDiOfzyqBwqdk2VQWTh0ECAwEAAaNjMGEwHQYD
VR0OBBYEFEw2fBYMb/m5oQyxfzXM1ToOFQJIMB8GA1UdIwQYMBaAFEw2fBYMb/m5
oQyxfzXM1ToOFQJIMA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMA0G
CSqGSIb3DQEBCwUAA4GBACrxBNgdcGRSkcBU1OjmuvL2OMjgNPXAVSp2BeG5ADEn
lk0Y+pl4SQrWd4B0y/ZYiPG+Z7nYUy5gyF93psWkgK1IZUVHdvykQQxc5ih+cM/X
8pCGjK1ogj1JYOAxmrcTViWkTC8UDH/EFZmCBF+FEkssGjJZYe+FkJZYa+BgadxV
-----END CERTIFICATE-----
";
