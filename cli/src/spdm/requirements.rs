//! Requirements of requests on both sides, and the options that meet them.

use super::algorithms::{Table, version_name};
use super::names;
use crate::error::Error;
use grille_spdm_codec::algorithms::OtherParams;
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::connection::Connection;

/// Requirements of a request: a minimum version; one of the capabilities in `responder`, and one of those in
/// `requester`, unless the set is empty; and all extended capabilities in `extended` of the responder.
struct Requirements {
    since: Version,
    responder: Caps,
    requester: Caps,
    extended: ExtCapabilityFlags,
}

impl Requirements {
    /// Returns the requirements of `request`.
    fn new(request: Code) -> Self {
        const PSK: Caps = Caps(Caps::PSK.0 | Caps::PSK_WITH_CONTEXT.0);
        let (responder, requester) = match request {
            Code::GET_DIGESTS | Code::GET_CERTIFICATE => (Caps::CERT, Caps::NONE),
            Code::CHALLENGE => (Caps::CHAL, Caps::NONE),
            Code::GET_MEASUREMENTS => (Caps::MEAS_SIG | Caps::MEAS_NO_SIG, Caps::NONE),
            Code::GET_MEASUREMENT_EXTENSION_LOG => (Caps::MEL, Caps::NONE),
            Code::KEY_EXCHANGE | Code::FINISH => (Caps::KEY_EX, Caps::KEY_EX),
            Code::PSK_EXCHANGE | Code::PSK_FINISH => (PSK, Caps::PSK),
            Code::HEARTBEAT => (Caps::HBEAT, Caps::HBEAT),
            Code::KEY_UPDATE => (Caps::KEY_UPD, Caps::KEY_UPD),
            Code::GET_CSR => (Caps::CSR, Caps::NONE),
            Code::SET_CERTIFICATE => (Caps::SET_CERT, Caps::NONE),
            Code::GET_KEY_PAIR_INFO => (Caps::GET_KEY_PAIR_INFO, Caps::NONE),
            Code::SET_KEY_PAIR_INFO => (Caps::SET_KEY_PAIR_INFO, Caps::NONE),
            Code::GET_ENDPOINT_INFO => (Caps::EP_INFO_SIG | Caps::EP_INFO_NO_SIG, Caps::NONE),
            Code::GET_SUPPORTED_EVENT_TYPES | Code::SUBSCRIBE_EVENT_TYPES => (Caps::EVENT, Caps::ENCAP),
            Code::SEND_EVENT => (Caps::ENCAP, Caps::EVENT),
            Code::GET_ENCAPSULATED_REQUEST | Code::DELIVER_ENCAPSULATED_RESPONSE => {
                (Caps::ENCAP, Caps::ENCAP)
            }
            _ => (Caps::NONE, Caps::NONE),
        };
        let since = request.row().and_then(|row| Version::from_byte(row.since).ok());
        let extended = match request {
            Code::SLOT_MANAGEMENT => ExtCapabilityFlags::SLOT_MGMT,
            _ => ExtCapabilityFlags::NONE,
        };
        Self { since: since.unwrap_or(Version::V1_0), responder, requester, extended }
    }

    /// Describes the first requirement that the connection does not meet, if there is one.
    fn describe_unmet(&self, connection: &Connection) -> Option<String> {
        let lacks = |have: Caps, any: Caps| !any.is_empty() && !have.intersects(any);
        if connection.version() < self.since {
            return Some(format!("it requires SPDM {} (--ver)", version_name(self.since)));
        }
        if lacks(connection.responder().flags, self.responder) {
            return Some(format!("the responder lacks {}", capabilities_with_options(self.responder)));
        }
        if !connection.responder().ext_flags.contains(self.extended) {
            return Some(format!("the responder lacks {}", extended_capability_names(self.extended)));
        }
        lacks(connection.requester().flags, self.requester)
            .then(|| format!("this side lacks {}", capabilities_with_options(self.requester)))
    }

    /// Describes all requirements, for use without a connection; `None` if there are none.
    fn text(&self) -> Option<String> {
        let version =
            (self.since > Version::V1_0).then(|| format!("SPDM {} (--ver)", version_name(self.since)));
        let sides = match (self.responder, self.requester) {
            (Caps::NONE, _) if self.extended != ExtCapabilityFlags::NONE => {
                Some(format!("a responder with {}", extended_capability_names(self.extended)))
            }
            (Caps::NONE, _) => None,
            (theirs, Caps::NONE) => Some(format!("a responder with {}", capabilities_with_options(theirs))),
            (theirs, ours) if theirs == ours => {
                Some(format!("both sides with {}", capabilities_with_options(ours)))
            }
            (theirs, ours) => Some(format!(
                "a responder with {} and a requester with {}",
                capabilities_with_options(theirs),
                capabilities_with_options(ours)
            )),
        };
        let parts: Vec<String> = [version, sides].into_iter().flatten().collect();
        (!parts.is_empty()).then(|| parts.join(" and "))
    }
}

/// Describes the first requirement of `request` that the connection does not meet, if there is one.
pub(super) fn describe_unmet(request: Code, connection: &Connection) -> Option<String> {
    Requirements::new(request)
        .describe_unmet(connection)
        .or_else(|| describe_other_unmet(request, connection).map(str::to_owned))
        .or_else(|| connection.missing_for(request).map(no_common_algorithm))
}

/// States that the sides have no algorithm of a kind in common, and names the options that offer more.
fn no_common_algorithm(kind: &str) -> String {
    let options = options_for_kind(kind).map(|options| format!(" ({options})")).unwrap_or_default();
    format!("the two sides have no {kind} in common{options}")
}

/// Returns the options that offer algorithms of a kind, as the engine names it; `None` for other kinds.
pub(super) fn options_for_kind(kind: &str) -> Option<&'static str> {
    const KINDS: [(&str, &str); 5] = [
        ("hash", "--hash"),
        ("signature", "--asym, or --pqc-asym with SPDM 1.4"),
        ("key exchange", "--dhe, or --kem with SPDM 1.4"),
        ("AEAD", "--aead"),
        ("key schedule", "--key-schedule"),
    ];
    KINDS.iter().find(|(name, _)| kind.starts_with(name)).map(|(_, options)| *options)
}

/// Describes an unmet requirement of `request` that [`Requirements`] does not cover, if there is one.
fn describe_other_unmet(request: Code, connection: &Connection) -> Option<&'static str> {
    let negotiated = connection.negotiated()?;
    let both = Caps(connection.requester().flags.0 & connection.responder().flags.0);
    let formatless = connection.version() >= Version::V1_2
        && negotiated.opaque_format != OtherParams::OPAQUE_DATA_FORMAT_1;
    match request {
        Code::GET_MEASUREMENT_EXTENSION_LOG if !negotiated.logs => Some(
            "the two sides have no measurement log specification in common (--mel-spec), or the device measures nothing",
        ),
        Code::SUBSCRIBE_EVENT_TYPES if !both.contains(Caps::ENCAP) => {
            Some("the responder lacks ENCAP_CAP (--cap with ENCAP), which it needs to send events")
        }
        Code::SEND_EVENT if !both.contains(Caps::ENCAP) => Some(
            "this side lacks ENCAP_CAP (--cap with ENCAP), which a responder needs to subscribe to events",
        ),
        Code::KEY_EXCHANGE | Code::PSK_EXCHANGE if !both.intersects(Caps::ENCRYPT | Caps::MAC) => {
            Some("the two sides have neither ENCRYPT_CAP nor MAC_CAP in common (--cap with ENCRYPT or MAC)")
        }
        Code::KEY_EXCHANGE | Code::PSK_EXCHANGE if formatless => {
            Some("the two sides have no opaque data format in common (--other-param with OPAQUE_FMT_1)")
        }
        _ => None,
    }
}

/// Returns advice for a request that the negotiation did not allow: its requirements, and the options that meet them.
pub(super) fn advice(request: Code) -> Option<String> {
    const PROTECTED: &str = "ENCRYPT or MAC (--cap) on both sides; in SPDM 1.2 and later, OPAQUE_FMT_1 (--other-param) on both sides";
    let needs = Requirements::new(request).text()?;
    Some(match request {
        Code::KEY_EXCHANGE => {
            format!(
                "check the requirements of {request}: {needs}; {PROTECTED}; and a key exchange of --dhe or --kem that both sides support"
            )
        }
        Code::PSK_EXCHANGE => format!("check the requirements of {request}: {needs}; {PROTECTED}"),
        Code::GET_MEASUREMENT_EXTENSION_LOG => {
            format!("check the requirements of {request}: {needs}, and --mel-spec DMTF on both sides")
        }
        _ => format!("check the requirements of {request}: {needs}"),
    })
}

/// Checks that the key of `slot` can sign measurements in this version.
///
/// # Errors
/// Returns an error if GET_MEASUREMENTS of this version has no slot field, and `slot` is not 0.
pub(super) fn check_signing_slot(slot: u8, version: Version) -> Result<(), Error> {
    if slot == 0 || version >= Version::V1_1 {
        return Ok(());
    }
    let problem = "GET_MEASUREMENTS of SPDM 1.0 has no slot field: slot 0 always signs";
    Err(Error::failure(problem).advise("use --slot-id 0, or --ver with 1.1 or later"))
}

/// Names capabilities as in the standard, and as in --cap.
pub(super) fn capabilities_with_options(caps: Caps) -> String {
    let options = Table::Capabilities.rows();
    let named: Vec<&str> =
        options.iter().filter(|(_, bit)| caps.0 & 1 << bit != 0).map(|(name, _)| name.as_str()).collect();
    format!("{} (--cap with {})", names::bit_names(caps).replace(", ", " or "), named.join(" or "))
}

/// Names extended capabilities as in the standard. No option controls them.
fn extended_capability_names(extended: ExtCapabilityFlags) -> String {
    format!("{} (`grille spdm responder` always has it)", names::bit_names(extended))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_names_requirements_and_options() {
        for (request, expected_text) in [
            (
                Code::CHALLENGE,
                "check the requirements of CHALLENGE: a responder with CHAL_CAP (--cap with CHAL)",
            ),
            (
                Code::GET_CSR,
                "check the requirements of GET_CSR: SPDM 1.2 (--ver) and a responder with CSR_CAP (--cap with CSR)",
            ),
            (
                Code::HEARTBEAT,
                "check the requirements of HEARTBEAT: SPDM 1.1 (--ver) and both sides with HBEAT_CAP (--cap with HBEAT)",
            ),
            (
                Code::SLOT_MANAGEMENT,
                "check the requirements of SLOT_MANAGEMENT: SPDM 1.4 (--ver) and a responder with SLOT_MGMT_CAP (`grille spdm responder` always has it)",
            ),
        ] {
            assert_eq!(advice(request).as_deref(), Some(expected_text));
        }
        assert!(advice(Code::GET_MEASUREMENTS).is_some_and(|text| text.contains("MEAS_NO_SIG or MEAS_SIG")));
        assert!(advice(Code::KEY_EXCHANGE).is_some_and(|text| text.contains("--dhe or --kem")));
        assert!(advice(Code::PSK_EXCHANGE).is_some_and(|text| text.contains("OPAQUE_FMT_1 (--other-param)")));
        assert_eq!(advice(Code::GET_VERSION), None);
    }
}
