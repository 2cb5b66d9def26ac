//! Device claims in certificates: the DMTF extension of DSP0274, and TCG's DiceTcbInfo.

use crate::hex;
use grille_pki::Certificate;
use grille_spdm_engine::profile::Profile;
use serde::Serialize;

/// The device claims of one certificate, in the form of the JSON output.
#[derive(Serialize)]
pub(super) struct Claims {
    hardware_identity: bool,
    mutable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    device_info: Option<String>,
    /// DER in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    tcb_info: Option<String>,
}

impl Claims {
    pub(super) fn new(certificate: &Certificate) -> Self {
        let Profile { hardware_identity, mutable, device_info, tcb_info } =
            Profile::from_certificate(certificate);
        let tcb_info = tcb_info.map(|der| hex::encode(&der).to_string());
        Self { hardware_identity, mutable, device_info, tcb_info }
    }

    /// Returns each claim as a label and a value for people.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let key = self
            .hardware_identity
            .then_some(("hardware identity", "the key stays the same for the device's lifetime"));
        let mutable = self.mutable.then_some(("mutable", "may change during the device's lifetime"));
        let device = self.device_info.as_deref().map(|text| ("device", text));
        let tcb = self.tcb_info.as_deref().map(|der| ("DiceTcbInfo", der));
        [device, key, mutable, tcb].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode_claims(der: &[u8]) -> Vec<(&'static str, String)> {
        let claims = Claims::new(&Certificate::from_pem_or_der(der).unwrap());
        claims.lines().map(|(label, text)| (label, text.to_owned())).collect()
    }

    #[test]
    fn lists_all_claims() {
        let device = decode_claims(include_bytes!("../../../vectors/spdm/profile/device.der"));
        let labels: Vec<_> = device.iter().map(|(label, _)| *label).collect();
        assert_eq!(
            (labels, device[0].1.as_str()),
            (vec!["device", "hardware identity"], "ACME:WIDGET:1234567890")
        );
        let dice = decode_claims(include_bytes!("../../../vectors/spdm/profile/dice.der"));
        let labels: Vec<_> = dice.iter().map(|(label, _)| *label).collect();
        assert_eq!(labels, ["mutable", "DiceTcbInfo"]);
        // 30 is the tag of a SEQUENCE.
        assert!(dice[1].1.starts_with("30"), "{}", dice[1].1);
    }
}
