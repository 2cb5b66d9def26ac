//! Roots that prove nothing outside a laboratory.

/// What is known of a root by its name. The verifier chose the root, so nobody else chose its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::spdm) enum TestRoot {
    /// Its private key is published, so that anybody can issue certificates with it.
    Published,
    /// `grille spdm responder` made it for an emulated device.
    Emulated,
}

/// How the subjects of the roots of emulated devices begin; the name of what their keys sign with follows.
pub(in crate::spdm) const EMULATED: &str = "CN=emulated device root ";

/// How the subjects of DMTF's sample roots begin (libspdm, `unit_test/sample_key`), and those that they had before 2022.
const PUBLISHED: [&str; 2] = ["CN=DMTF libspdm ", "CN=intel test "];

impl TestRoot {
    /// What is known of the root with this subject, as RFC 4514 writes it. `None`: it is no test root that is known here.
    pub(in crate::spdm) fn of(subject: &str) -> Option<Self> {
        let is_published = PUBLISHED.iter().any(|begin| subject.starts_with(begin));
        let is_emulated = subject.starts_with(EMULATED).then_some(Self::Emulated);
        is_published.then_some(Self::Published).or(is_emulated)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sample_roots_are_known_by_name() {
        for (subject, expected) in [
            ("CN=DMTF libspdm ECP384 CA", Some(TestRoot::Published)),
            ("CN=DMTF libspdm mldsa87 ca1", Some(TestRoot::Published)),
            ("CN=intel test RSA CA", Some(TestRoot::Published)),
            ("CN=emulated device root ML-DSA-87", Some(TestRoot::Emulated)),
            ("CN=ACME,O=DMTF libspdm ECP384 CA", None),
            ("CN=ACME,O=emulated device root ML-DSA-87", None),
        ] {
            assert_eq!(TestRoot::of(subject), expected, "{subject}");
        }
    }
}
