//! Roots of test credentials, which prove nothing outside a laboratory.

/// Test roots, recognized by name. Matching names is safe, because the verifier chose the roots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::spdm) enum TestRoot {
    /// The root's private key is published, so anyone can issue certificates with it.
    Published,
    /// The root was created by `grille spdm responder` for an emulated device.
    Emulated,
}

/// Prefix of the subjects of emulated devices' roots; the signature algorithm follows.
pub(in crate::spdm) const EMULATED: &str = "CN=emulated device root ";

/// Prefixes of the subjects of DMTF's sample roots (libspdm, `unit_test/sample_key`), now and before 2022.
const PUBLISHED: [&str; 2] = ["CN=DMTF libspdm ", "CN=intel test "];

impl TestRoot {
    /// Classifies the root with this subject, in the form of RFC 4514; `None` if it is not a known test root.
    pub(in crate::spdm) fn classify(subject: &str) -> Option<Self> {
        let is_published = PUBLISHED.iter().any(|begin| subject.starts_with(begin));
        let is_emulated = subject.starts_with(EMULATED).then_some(Self::Emulated);
        is_published.then_some(Self::Published).or(is_emulated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_test_roots_by_name() {
        for (subject, expected) in [
            ("CN=DMTF libspdm ECP384 CA", Some(TestRoot::Published)),
            ("CN=DMTF libspdm mldsa87 ca1", Some(TestRoot::Published)),
            ("CN=intel test RSA CA", Some(TestRoot::Published)),
            ("CN=emulated device root ML-DSA-87", Some(TestRoot::Emulated)),
            ("CN=ACME,O=DMTF libspdm ECP384 CA", None),
            ("CN=ACME,O=emulated device root ML-DSA-87", None),
        ] {
            assert_eq!(TestRoot::classify(subject), expected, "{subject}");
        }
    }
}
