//! DSP0274's requirements for device certificates, and the information in such certificates.
//!
//! ```text
//! id-DMTF-spdm 1.3.6.1.4.1.412.274
//!   .1 device-info              other name of the subject
//!   .2 hardware-identity        in the SPDM extension
//!   .3 eku-responder-auth       extended key usage
//!   .4 eku-requester-auth       extended key usage
//!   .5 mutable-certificate      in the SPDM extension
//!   .6 spdm-extension           SEQUENCE OF SEQUENCE { OBJECT IDENTIFIER, ... }
//! ```

use crate::identity::model;
use crate::transcript::Prover;
use alloc::{borrow::ToOwned, string::String, vec::Vec};
use grille_pki::{Certificate, Error, ObjectIdentifier};

/// The SPDM-specific contents of a certificate.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Profile {
    /// Whether the key is the device's own for life: hardware-identity.
    pub hardware_identity: bool,
    /// Whether the certificate may change without remanufacturing the device: mutable-certificate.
    pub mutable: bool,
    /// Manufacturer, product and serial number, separated by colons: device-info.
    pub device_info: Option<String>,
    /// DiceTcbInfo or DiceMultiTcbInfo of TCG's DICE Attestation Architecture in DER, which describes the firmware.
    pub tcb_info: Option<Vec<u8>>,
}

impl Profile {
    /// Parses the contents of a certificate. Malformed parts are ignored.
    #[must_use]
    pub fn from_certificate(certificate: &Certificate) -> Self {
        let extension_ids = extension_ids(certificate.extension_value(&SPDM_EXTENSION).unwrap_or_default());
        let tcb_info = [DICE_TCB_INFO, DICE_MULTI_TCB_INFO].iter();
        Self {
            hardware_identity: extension_ids.contains(&HARDWARE_IDENTITY),
            mutable: extension_ids.contains(&MUTABLE_CERTIFICATE),
            device_info: certificate.other_name(&DEVICE_INFO),
            tcb_info: tcb_info
                .filter_map(|kind| certificate.extension_value(kind))
                .next()
                .map(<[u8]>::to_vec),
        }
    }
}

/// Checks that the certificate may authenticate `prover`, in a chain of this model ([`model`]).
///
/// # Errors
/// Returns [`Error::Chain`] with the reason.
pub fn check(leaf: &Certificate, prover: Prover, chain_model: u8) -> Result<(), Error> {
    rejection_reason(leaf, prover, chain_model)
        .map_or(Ok(()), |reason| Err(Error::Chain { certificate: leaf.subject(), reason: reason.to_owned() }))
}

/// Returns why the certificate must not authenticate `prover`. The reason does not name the certificate's subject:
/// formatting it would link the names of all its attributes into firmware, 100 KB.
pub(crate) fn rejection_reason(leaf: &Certificate, prover: Prover, chain_model: u8) -> Option<&'static str> {
    Some(if leaf.is_ca() {
        "is a CA certificate, which can only issue others"
    } else if !leaf.may_sign_messages() {
        "may not sign messages: its key usage lacks digitalSignature"
    } else if !permits_role(leaf, prover) {
        "may not be used in this role: its extended key usage names only the other role"
    } else if chain_model == model::ALIAS && Profile::from_certificate(leaf).hardware_identity {
        "is an alias certificate, but is marked hardware-identity"
    } else {
        return None;
    })
}

/// Returns whether the extended key usage permits this role: it names the role, or neither role.
fn permits_role(leaf: &Certificate, prover: Prover) -> bool {
    let purposes = leaf.key_purposes().unwrap_or_default();
    let (own, other) = match prover {
        Prover::Responder => (RESPONDER_AUTH, REQUESTER_AUTH),
        Prover::Requester => (REQUESTER_AUTH, RESPONDER_AUTH),
    };
    purposes.contains(&own) || !purposes.contains(&other)
}

/// Returns the identifiers in an SPDM extension, up to the first malformed one.
fn extension_ids(extension: &[u8]) -> Vec<ObjectIdentifier> {
    let mut extension_ids = Vec::new();
    let mut rest = element(SEQUENCE, extension).map_or(&[][..], |(all, _)| all);
    while let Some((mark, after)) = element(SEQUENCE, rest) {
        let identifier = element(OBJECT_IDENTIFIER, mark);
        extension_ids.extend(identifier.and_then(|(bytes, _)| ObjectIdentifier::from_bytes(bytes).ok()));
        rest = after;
    }
    extension_ids
}

/// Returns the contents of the DER element at the start of `bytes`, and the bytes after it. Only lengths of one byte
/// are supported, which suffices for a list of identifiers.
fn element(tag: u8, bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    match bytes {
        [first, len @ 0..=0x7F, rest @ ..] if *first == tag => rest.split_at_checked((*len).into()),
        _ => None,
    }
}

const SEQUENCE: u8 = 0x30;
const OBJECT_IDENTIFIER: u8 = 0x06;

const DEVICE_INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.412.274.1");
const HARDWARE_IDENTITY: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.412.274.2");
const RESPONDER_AUTH: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.412.274.3");
const REQUESTER_AUTH: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.412.274.4");
const MUTABLE_CERTIFICATE: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.412.274.5");
const SPDM_EXTENSION: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.3.6.1.4.1.412.274.6");
const DICE_TCB_INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.23.133.5.4.1");
const DICE_MULTI_TCB_INFO: ObjectIdentifier = ObjectIdentifier::new_unwrap("2.23.133.5.4.5");

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    const DEVICE: &[u8] = include_bytes!("../../../vectors/spdm/profile/device.der");
    const ALIAS: &[u8] = include_bytes!("../../../vectors/spdm/profile/alias.der");

    fn read(der: &[u8]) -> Certificate {
        Certificate::from_pem_or_der(der).unwrap()
    }

    /// Returns the device's certificate with `from` replaced by `to`.
    fn device_with_replaced(from: &[u8], to: &[u8]) -> Certificate {
        let at = DEVICE.windows(from.len()).position(|window| window == from).unwrap();
        let mut der = DEVICE.to_vec();
        der[at..at + from.len()].copy_from_slice(to);
        read(&der)
    }

    #[test]
    fn parses_device_info_and_extension_ids() {
        let named = Profile { device_info: Some("ACME:WIDGET:1234567890".to_owned()), ..Profile::default() };
        assert_eq!(Profile::from_certificate(&read(ALIAS)), named);
        let identity = Profile { hardware_identity: true, ..named.clone() };
        assert_eq!(Profile::from_certificate(&read(DEVICE)), identity);
        let [hardware, mutable] = [HARDWARE_IDENTITY, MUTABLE_CERTIFICATE];
        let changed = device_with_replaced(hardware.as_bytes(), mutable.as_bytes());
        assert_eq!(Profile::from_certificate(&changed), Profile { mutable: true, ..named.clone() });
        let unmarked = device_with_replaced(SPDM_EXTENSION.as_bytes(), mutable.as_bytes());
        assert_eq!(Profile::from_certificate(&unmarked), named);
    }

    #[test]
    fn parses_dice_tcb_info() {
        let dice = Profile::from_certificate(&read(include_bytes!("../../../vectors/spdm/profile/dice.der")));
        // SEQUENCE { [0] "ACME", [1] "WIDGET", [3] 7 }: vendor, model, svn
        let tcb_info = b"\x30\x11\x80\x04ACME\x81\x06WIDGET\x83\x01\x07".to_vec();
        assert_eq!(dice, Profile { mutable: true, tcb_info: Some(tcb_info), ..Profile::default() });
        assert_eq!(Profile::from_certificate(&read(DEVICE)).tcb_info, None);
    }

    #[test]
    fn enforces_the_role_in_extended_key_usage() {
        let [req, rsp, both] = [
            &include_bytes!("../../../vectors/spdm/profile/req.der")[..],
            include_bytes!("../../../vectors/spdm/profile/rsp.der"),
            include_bytes!("../../../vectors/spdm/profile/req_rsp.der"),
        ]
        .map(read);
        for (leaf, requester, responder) in
            [(&req, true, false), (&rsp, false, true), (&both, true, true), (&read(DEVICE), true, true)]
        {
            let may = |prover| check(leaf, prover, model::DEVICE).is_ok();
            assert_eq!((may(Prover::Requester), may(Prover::Responder)), (requester, responder));
        }
    }

    #[test]
    fn rejects_unsuitable_leaf_certificates() {
        let reason = |leaf: &Certificate, chain_model| {
            check(leaf, Prover::Responder, chain_model).map_err(|error| error.to_string())
        };
        let device = read(DEVICE);
        assert_eq!(reason(&device, model::DEVICE), Ok(()));
        assert_eq!(reason(&read(ALIAS), model::ALIAS), Ok(()));
        let claims = reason(&device, model::ALIAS).unwrap_err();
        assert!(claims.ends_with("is an alias certificate, but is marked hardware-identity"), "{claims}");
        // digitalSignature is the first bit of key usage
        let key_usage = [6, 3, 0x55, 0x1D, 0x0F, 4, 4, 3, 2, 5, 0xE0];
        let without_signature_bit = [6, 3, 0x55, 0x1D, 0x0F, 4, 4, 3, 2, 5, 0x60];
        let error =
            reason(&device_with_replaced(&key_usage, &without_signature_bit), model::DEVICE).unwrap_err();
        assert!(error.contains("lacks digitalSignature"), "{error}");
        let ca = read(include_bytes!("../../../vectors/rfc9881/ML-DSA-44.crt"));
        assert!(reason(&ca, model::DEVICE).is_err());
    }

    #[test]
    fn ignores_malformed_extension_ids() {
        let extension = read(DEVICE).extension_value(&SPDM_EXTENSION).unwrap().to_vec();
        assert_eq!(extension_ids(&extension), [HARDWARE_IDENTITY]);
        for len in 0..extension.len() {
            assert_eq!(extension_ids(&extension[..len]), [], "{len}");
        }
        for at in 0..extension.len() {
            for bit in 0..8 {
                let mut altered = extension.clone();
                altered[at] ^= 1 << bit;
                assert_ne!(extension_ids(&altered), [HARDWARE_IDENTITY], "{at}");
            }
        }
    }
}
