//! What a device's certificates say of it beyond names: DSP0274's own extension, and TCG's DiceTcbInfo.

use crate::hex;
use grille_pki::Certificate;
use grille_spdm_engine::profile::Profile;
use serde::Serialize;

/// What one certificate says, as JSON has it.
#[derive(Serialize)]
pub(super) struct Claims {
    hardware_identity: bool,
    mutable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    device_info: Option<String>,
    /// DER, in hexadecimal.
    #[serde(skip_serializing_if = "Option::is_none")]
    tcb_info: Option<String>,
}

impl Claims {
    pub(super) fn of(certificate: &Certificate) -> Self {
        let Profile { hardware_identity, mutable, device_info, tcb_info } = Profile::of(certificate);
        let tcb_info = tcb_info.map(|der| hex::encode(&der).to_string());
        Self { hardware_identity, mutable, device_info, tcb_info }
    }

    /// In words: what, and what of it.
    pub(super) fn lines(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let key =
            self.hardware_identity.then_some(("hardware identity", "the key is the device's own for life"));
        let mutable = self.mutable.then_some(("mutable", "may change without the device being made anew"));
        let device = self.device_info.as_deref().map(|text| ("device", text));
        let tcb = self.tcb_info.as_deref().map(|der| ("DiceTcbInfo", der));
        [device, key, mutable, tcb].into_iter().flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(der: &[u8]) -> Vec<(&'static str, String)> {
        let claims = Claims::of(&Certificate::from_pem_or_der(der).unwrap());
        claims.lines().map(|(what, text)| (what, text.to_owned())).collect()
    }

    #[test]
    fn everything_that_a_certificate_says_of_its_device_is_told() {
        let device = said(include_bytes!("../../../vectors/spdm/profile/device.der"));
        let whats: Vec<_> = device.iter().map(|(what, _)| *what).collect();
        assert_eq!(
            (whats, device[0].1.as_str()),
            (vec!["device", "hardware identity"], "ACME:WIDGET:1234567890")
        );
        let dice = said(include_bytes!("../../../vectors/spdm/profile/dice.der"));
        let whats: Vec<_> = dice.iter().map(|(what, _)| *what).collect();
        assert_eq!(whats, ["mutable", "DiceTcbInfo"]);
        // a SEQUENCE
        assert!(dice[1].1.starts_with("30"), "{}", dice[1].1);
    }
}
