//! Under which policy a verdict stands: whoever asks with another one has to judge again.

use crate::hex;
use grille_pki::Certificate;
use grille_spdm_engine::config::Config;
use grille_spdm_engine::hash::HASHES;
use serde::Serialize;
use std::fmt::Display;

/// A fingerprint of all that decides a verdict. Another release of grille may compute another one of the same options,
/// and judges again then.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct Policy(String);

impl Policy {
    /// Whom to believe, and what may be negotiated. `roots` in any order.
    pub(super) fn new(roots: &[Certificate], config: &Config) -> Self {
        let mut roots: Vec<_> = roots.iter().map(|root| fingerprint(&[&root.to_der()])).collect();
        roots.sort();
        roots.dedup();
        let Config {
            versions, algorithms, limits, other_params, mel_specification, secured_versions, ..
        } = config;
        Self(roots.concat())
            .with("versions", format_args!("{versions:?} {secured_versions:?}"))
            .with("capabilities", format_args!("{:?} {other_params:?} {mel_specification:?}", limits.flags))
            .with("algorithms", format_args!("{algorithms:?}"))
    }

    /// And this too.
    pub(super) fn with(self, what: &str, value: impl Display) -> Self {
        Self(fingerprint(&[format!("{} {what}: {value}", self.0).as_bytes()]))
    }

    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// The first half of SHA-256, in hexadecimal.
fn fingerprint(parts: &[&[u8]]) -> String {
    let digest = HASHES[0].digest(parts);
    hex::encode(&digest.as_ref()[..16]).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::Version;
    use grille_spdm_codec::capabilities::CapabilityFlags as Caps;

    fn roots() -> [Certificate; 2] {
        let device = include_bytes!("../../../vectors/spdm/profile/device.der");
        let dice = include_bytes!("../../../vectors/spdm/profile/dice.der");
        [Certificate::from_pem_or_der(device).unwrap(), Certificate::from_pem_or_der(dice).unwrap()]
    }

    #[test]
    fn whatever_decides_a_verdict_makes_another_policy() {
        let ([one, other], config) = (roots(), Config::default());
        let policy = |roots: &[Certificate], config: &Config| Policy::new(roots, config).with("slot", 0);
        let usual = policy(&[one.clone(), other.clone()], &config);
        assert_eq!(usual, policy(&[other.clone(), one.clone(), one.clone()], &config));
        let mut another: Vec<Policy> =
            vec![policy(std::slice::from_ref(&one), &config), policy(&[], &config)];
        let both = [one, other];
        let mut altered = |change: fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            another.push(policy(&both, &config));
        };
        altered(|config| config.versions = vec![Version::V1_4]);
        altered(|config| config.algorithms.asym = 0);
        altered(|config| config.limits.flags = Caps::CHAL);
        another.push(Policy::new(&both, &config).with("slot", 1));
        another.push(Policy::new(&both, &config).with("slot", 0).with("reference", ""));
        another.push(usual.clone());
        let different = another.iter().enumerate().all(|(at, one)| !another[..at].contains(one));
        assert!(different, "{another:?}");
        assert_eq!(usual.as_str().len(), 32);
    }
}
