//! Fingerprints of appraisal policies. A verdict is reused only under the same policy.

use super::algorithms::version_name;
use super::appraisal::identity::Fingerprint;
use grille_pki::{Certificate, Crl};
use grille_spdm_engine::algorithms::Bits;
use grille_spdm_engine::config::Config;
use serde::Serialize;
use serde_json::{Map, Value, json};

/// SHA-256 of a policy's canonical form, in hexadecimal.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(super) struct Policy(String);

impl Policy {
    pub(super) fn as_str(&self) -> &str {
        &self.0
    }
}

/// Everything that decides a verdict, as a JSON object. `docs/guide/src/25-spdm-manual.md` lists its members.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Form(Map<String, Value>);

impl Form {
    /// Creates the form for these trusted roots and the offers of `config`. All other members are null.
    pub(super) fn new(roots: &[Certificate], config: &Config) -> Self {
        let Config {
            versions, algorithms, limits, other_params, mel_specification, secured_versions, ..
        } = config;
        let versions: Vec<String> = versions.iter().map(|version| version_name(*version)).collect();
        let secured = |version: u8| format!("{}.{}", version >> 4, version & 0xF);
        let secured: Vec<String> = secured_versions.iter().map(|version| secured(version.byte())).collect();
        let form = MEMBERS.iter().map(|name| ((*name).to_owned(), Value::Null)).collect();
        Self(form)
            .with("schema", SCHEMA)
            .with("roots", fingerprints(roots.iter().map(Certificate::as_der)))
            .with("versions", versions)
            .with("secured_versions", secured)
            .with("capabilities", limits.flags.0)
            .with("other_params", other_params.0)
            .with("mel_specification", mel_specification.0)
            .with("algorithms", algorithm_fields(algorithms))
    }

    /// Adds the revocation lists.
    pub(super) fn with_crls(self, crls: &[Crl]) -> Self {
        self.with("crls", fingerprints(crls.iter().map(Crl::as_der)))
    }

    /// Adds the dialect of openspdm-pqc; the form has no such member for the standard.
    pub(super) fn with_dialect(mut self, dialect: Option<Value>) -> Self {
        self.0.extend(dialect.map(|dialect| ("dialect".to_owned(), dialect)));
        self
    }

    /// Sets a member.
    pub(super) fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        debug_assert!(MEMBERS.contains(&name), "{name} is not in MEMBERS");
        self.0.insert(name.to_owned(), value.into());
        self
    }

    /// Returns the fingerprint of the policy.
    pub(super) fn fingerprint(self) -> Policy {
        let mut canonical = Value::Object(self.0);
        // This has no effect unless serde_json keeps the members in insertion order.
        canonical.sort_all_objects();
        Policy(Fingerprint::new(canonical.to_string().as_bytes()).to_string())
    }
}

/// The schema name; it changes if a member changes its meaning.
const SCHEMA: &str = "grille-spdm-policy-1";

/// The members of every form.
const MEMBERS: [&str; 19] = [
    "algorithms",
    "allow_modes",
    "capabilities",
    "crls",
    "identity",
    "key",
    "mel_specification",
    "other_params",
    "psk_hint",
    "reference",
    "roots",
    "schema",
    "secured_versions",
    "session",
    "slot",
    "test_psk",
    "test_root",
    "transport",
    "versions",
];

/// Returns the SHA-256 of each input, sorted and without duplicates.
fn fingerprints<'a>(ders: impl Iterator<Item = &'a [u8]>) -> Vec<String> {
    let mut all: Vec<String> = ders.map(|der| Fingerprint::new(der).to_string()).collect();
    all.sort();
    all.dedup();
    all
}

/// Returns the fields of NEGOTIATE_ALGORITHMS. The fields of hybrids are present only if hybrids are offered.
fn algorithm_fields(algorithms: &Bits) -> Value {
    let Bits {
        hash,
        asym,
        pqc_asym,
        dhe,
        aead,
        req_asym,
        key_schedule,
        req_pqc_asym,
        kem,
        measurement_hash,
        hybrid_asym,
        req_hybrid_asym,
        hybrid_kem,
    } = *algorithms;
    let mut fields = json!({
        "hash": hash,
        "asym": asym,
        "pqc_asym": pqc_asym,
        "dhe": dhe,
        "aead": aead,
        "req_asym": req_asym,
        "key_schedule": key_schedule,
        "req_pqc_asym": req_pqc_asym,
        "kem": kem,
        "measurement_hash": measurement_hash,
    });
    if *algorithms != algorithms.without_hybrids() {
        fields["hybrid_asym"] = hybrid_asym.into();
        fields["req_hybrid_asym"] = req_hybrid_asym.into();
        fields["hybrid_kem"] = hybrid_kem.into();
    }
    fields
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::Version;
    use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
    use grille_spdm_codec::version::VersionNumber;

    fn roots() -> [Certificate; 2] {
        let device = include_bytes!("../../../vectors/spdm/profile/device.der");
        let dice = include_bytes!("../../../vectors/spdm/profile/dice.der");
        [Certificate::from_pem_or_der(device).unwrap(), Certificate::from_pem_or_der(dice).unwrap()]
    }

    #[test]
    fn every_input_changes_the_policy() {
        let ([one, other], config) = (roots(), Config::default());
        let form = |roots: &[Certificate], config: &Config| Form::new(roots, config).with("slot", 0);
        let usual = form(&[one.clone(), other.clone()], &config).fingerprint();
        assert_eq!(usual, form(&[other.clone(), one.clone(), one.clone()], &config).fingerprint());
        let both = [one, other];
        let mut another = vec![
            usual.clone(),
            form(&both[..1], &config).fingerprint(),
            form(&[], &config).fingerprint(),
            form(&both, &config).with_crls(&[]).fingerprint(),
            form(&both, &config).with_dialect(Some(json!({ "strict": true }))).fingerprint(),
        ];
        assert_eq!(usual, form(&both, &config).with_dialect(None).fingerprint());
        let mut altered = |change: fn(&mut Config)| {
            let mut config = Config::default();
            change(&mut config);
            another.push(form(&both, &config).fingerprint());
        };
        altered(|config| config.versions = vec![Version::V1_4]);
        altered(|config| config.secured_versions = vec![VersionNumber(0x1300)]);
        altered(|config| config.algorithms.asym = 0);
        altered(|config| config.algorithms.kem = 0);
        altered(|config| config.algorithms.hybrid_asym = 1);
        altered(|config| config.algorithms.req_hybrid_asym = 1);
        altered(|config| config.algorithms.hybrid_kem = 1);
        altered(|config| config.other_params.0 = 0);
        altered(|config| config.limits.flags = Caps::CHAL);
        for name in MEMBERS {
            another.push(form(&both, &config).with(name, "another value").fingerprint());
        }
        let different = another.iter().enumerate().all(|(at, one)| !another[..at].contains(one));
        assert!(different, "{another:?}");
    }

    /// Compares the policy with the SHA-256 of the canonical form in `docs/guide/src/25-spdm-manual.md`, which this test
    /// contains literally.
    #[test]
    fn the_policy_is_the_hash_of_the_documented_form() {
        let mut config = Config::with(Caps(0x06));
        config.versions = vec![Version::V1_2, Version::V1_4];
        config.secured_versions = vec![VersionNumber(0x1100)];
        config.algorithms = Bits { hash: 1, asym: 16, dhe: 8, ..Bits::default() };
        config.other_params.0 = 2;
        config.mel_specification.0 = 1;
        let form = Form::new(&roots()[..1], &config)
            .with("transport", "MCTP")
            .with("reference", json!({ "measurements": [], "hash": null, "devices": {} }))
            .with("slot", 3);
        let root = Fingerprint::new(roots()[0].as_der());
        let written = format!(
            r#"{{"algorithms":{{"aead":0,"asym":16,"dhe":8,"hash":1,"kem":0,"key_schedule":0,"measurement_hash":0,"pqc_asym":0,"req_asym":0,"req_pqc_asym":0}},"allow_modes":null,"capabilities":6,"crls":null,"identity":null,"key":null,"mel_specification":1,"other_params":2,"psk_hint":null,"reference":{{"devices":{{}},"hash":null,"measurements":[]}},"roots":["{root}"],"schema":"grille-spdm-policy-1","secured_versions":["1.1"],"session":null,"slot":3,"test_psk":null,"test_root":null,"transport":"MCTP","versions":["1.2","1.4"]}}"#
        );
        assert_eq!(form.fingerprint().as_str(), Fingerprint::new(written.as_bytes()).to_string());
    }
}
