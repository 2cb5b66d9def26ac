//! Subjects of certificates, and revocation lists: documents generated with OpenSSL 3.0.

use grille_pki::{AlternativeName, Certificate, Crl, Error};

/// `openssl req -new -x509 -subj /O=Example/CN=billing`, with a name of each type and a host name that resembles a
/// URI.
const BILLING: &str = "\
-----BEGIN CERTIFICATE-----
MIICDTCCAbOgAwIBAgIULDF5SE37saVx4fTYhuQIDpr9dtMwCgYIKoZIzj0EAwIw
JDEQMA4GA1UECgwHRXhhbXBsZTEQMA4GA1UEAwwHYmlsbGluZzAgFw0yNjExMjcw
NDAwMTdaGA8yMTI2MTEwMzA0MDAxN1owJDEQMA4GA1UECgwHRXhhbXBsZTEQMA4G
A1UEAwwHYmlsbGluZzBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABHS2/FsThQV7
pbYR/SsG8sMskoe3OH6FdR61M+W+56Vf0rV2jyLsZc72Gj0dxESdUAgYFVmYG9+l
Y40/hBquqgGjgcAwgb0wgZsGA1UdEQSBkzCBkIYcc3BpZmZlOi8vZXhhbXBsZS5v
cmcvYmlsbGluZ4ETYmlsbGluZ0BleGFtcGxlLm9yZ4ITQmlsbGluZy5FeGFtcGxl
Lm9yZ4cECgAAB4cQIAENuAAAAAAAAAAAAAAAB4IeVVJJOnNwaWZmZTovL2V4YW1w
bGUub3JnL290aGVypA4wDDEKMAgGA1UEAwwBeDAdBgNVHQ4EFgQUhRWarTocMgVw
Ex0NKbXT6UAqk98wCgYIKoZIzj0EAwIDSAAwRQIgJtvU1apGOBXmpP8Xyipl090P
NhG1voTsVy0A5GlxkfsCIQCR78R1Zoot7vaU+wvgORSaGByWaYcOT2pBOPmSaMmi
Zw==
-----END CERTIFICATE-----
";

/// `openssl req -new -x509 -subj /CN=one/CN=two`.
const TWO_COMMON_NAMES: &str = "\
-----BEGIN CERTIFICATE-----
MIIBNDCB2wIUUK6jC4wYHbCqCp9VXMknlWsHJtYwCgYIKoZIzj0EAwIwHDEMMAoG
A1UEAwwDb25lMQwwCgYDVQQDDAN0d28wIBcNMjYxMTI3MDQwMDE3WhgPMjEyNjEx
MDMwNDAwMTdaMBwxDDAKBgNVBAMMA29uZTEMMAoGA1UEAwwDdHdvMFkwEwYHKoZI
zj0CAQYIKoZIzj0DAQcDQgAEdLb8WxOFBXulthH9KwbywyySh7c4foV1HrUz5b7n
pV/StXaPIuxlzvYaPR3ERJ1QCBgVWZgb36VjjT+EGq6qATAKBggqhkjOPQQDAgNI
ADBFAiAyeXDonqfCYoy+XngxZ+iVQ6jBJNY4cIc1LJzgErj2GQIhAMOksGVy8G3U
5sHecGmW8wKes+qZN4hgh2IM2AbzsExw
-----END CERTIFICATE-----
";

/// `openssl ca -gencrl` with a number and an authority key identifier.
const VERSION_2: &str = "\
-----BEGIN X509 CRL-----
MIHjMIGKAgEBMAoGCCqGSM49BAMCMBExDzANBgNVBAMMBmlzc3VlchcNMjYxMTI3
MDQwMDQ3WhgPMjEyNjExMDMwNDAwNDdaMBUwEwICCgsXDTI2MTEyNzA0MDAwMFqg
LzAtMB8GA1UdIwQYMBaAFIUVmq06HDIFcBMdDSm10+lAKpPfMAoGA1UdFAQDAgEB
MAoGCCqGSM49BAMCA0gAMEUCICybl7cFSL47ikvheWqHM7bLod12lVshHE/JHthM
ZPenAiEAtUJqhJlfXJ2PfMZg1G8LaJjkpCFqCJsavE6cjivzh4g=
-----END X509 CRL-----
";

/// `openssl ca -gencrl` without extensions.
const VERSION_1: &str = "\
-----BEGIN X509 CRL-----
MIGuMFYwCgYIKoZIzj0EAwIwETEPMA0GA1UEAwwGaXNzdWVyFw0yNjExMjcwNDAw
MjhaGA8yMTI2MTEwMzA0MDAyOFowFTATAgIKCxcNMjYxMTI3MDQwMDAwWjAKBggq
hkjOPQQDAgNIADBFAiBwKhmGnP5N8iYvKliIBNgf6BqOfZb7WfvcLufZQECvbQIh
AL/sKjidtVW2Eh+o5MXvPWdM1eo7hIQyP0jLaZeluXGp
-----END X509 CRL-----
";

fn certificate(pem: &str) -> Certificate {
    Certificate::from_pem_or_der(pem.as_bytes()).unwrap()
}

#[test]
fn reads_the_subject_of_a_certificate() {
    let billing = certificate(BILLING);
    assert_eq!(billing.common_name().as_deref(), Some("billing"));
    let names = [
        AlternativeName::Uri("spiffe://example.org/billing".to_owned()),
        AlternativeName::Email("billing@example.org".to_owned()),
        AlternativeName::Dns("billing.example.org".to_owned()),
        AlternativeName::Ip("10.0.0.7".parse().unwrap()),
        AlternativeName::Ip("2001:db8::7".parse().unwrap()),
        AlternativeName::Dns("uri:spiffe://example.org/other".to_owned()),
    ];
    assert_eq!(billing.alternative_names(), names);
    let formatted = billing.alternative_names().iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(formatted[5], "DNS:uri:spiffe://example.org/other");
    // `openssl x509 -fingerprint -sha256` prints this value.
    assert_eq!(billing.fingerprint()[..4], [0x5E, 0x20, 0x91, 0xFA]);
}

#[test]
fn subject_with_two_common_names_yields_no_common_name() {
    assert_eq!(certificate(TWO_COMMON_NAMES).common_name(), None);
}

#[test]
fn reads_a_revocation_list_in_pem_and_der() {
    let twice = [VERSION_2, VERSION_2].concat();
    let lists = Crl::all_from_pem(twice.as_bytes()).unwrap();
    let [first, second] = &lists[..] else { panic!("{lists:?}") };
    assert_eq!((first.issuer(), second.issuer()), ("CN=issuer", "CN=issuer"));
    let (issued, next_update) = first.validity();
    assert_eq!((next_update - issued).as_secs(), 36500 * 24 * 60 * 60);
}

#[test]
fn rejects_revocation_lists_that_it_cannot_use() {
    let refused = |bytes: &[u8]| Crl::all_from_pem(bytes).unwrap_err();
    let old = refused(VERSION_1.as_bytes());
    assert!(old.to_string().contains("the revocation list has version 1"), "{old}");
    assert!(matches!(refused(BILLING.as_bytes()), Error::Label { .. }));
    let der = Crl::all_from_pem(&[0x30, 0x00]);
    assert!(matches!(der, Err(Error::Der { .. })));
}
