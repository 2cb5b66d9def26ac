//! Names of messages and of other contents of frames.

use grille_spdm_codec::Header;
use grille_spdm_dump::pqc2021;
use grille_spdm_transport::binding::{Binding, Kind};
use grille_spdm_transport::mctp::MessageType;
use grille_spdm_transport::{doe, tcp};

/// Names an incomplete message by its first bytes, in the dialect of openspdm-pqc or in the standard.
pub(super) fn incomplete_name(binding: Binding, bytes: &[u8], is_dialect: bool) -> String {
    match binding.decode(bytes) {
        Ok((Kind::Spdm, message)) => message_name(message, is_dialect),
        Ok((Kind::Secured, _)) => "secured message".to_owned(),
        Ok((Kind::Other(kind), _)) => other_name(binding, kind),
        Err(_) => "message".to_owned(),
    }
}

/// Names the content of a frame that does not carry SPDM.
pub(super) fn other_name(binding: Binding, kind: u8) -> String {
    let known = match (binding, MessageType(kind)) {
        (Binding::PciDoe, _) if kind == doe::DISCOVERY => "DOE discovery",
        (Binding::Mctp, MessageType::CONTROL) => "MCTP control",
        (Binding::Mctp, MessageType::PLDM) => "PLDM",
        (Binding::Mctp, MessageType::VENDOR_PCI | MessageType::VENDOR_IANA) => "vendor's message",
        (Binding::Tcp, _) => tcp::MessageType(kind).name().unwrap_or_default(),
        _ => "",
    };
    if known.is_empty() { format!("type {kind:#04x} of the transport") } else { known.to_owned() }
}

/// Returns the name of a message, in the dialect of openspdm-pqc or in the standard.
pub(super) fn message_name(bytes: &[u8], is_dialect: bool) -> String {
    let code = Header::decode(bytes).ok().map(|header| header.code).filter(|_| is_dialect);
    code.and_then(pqc2021::message_name).map_or_else(|| name(bytes), str::to_owned)
}

/// Returns the standard's name of a message.
fn name(bytes: &[u8]) -> String {
    Header::decode(bytes).map_or_else(|_| "no message".to_owned(), |header| header.code.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn incomplete_fragments_have_the_names_of_the_dialect() {
        let start = [5, 0x11, pqc2021::FRAGMENT_REQUEST.0, 1, 0];
        assert_eq!(incomplete_name(Binding::Mctp, &start, true), "FRAGMENT_REQUEST");
        assert_eq!(incomplete_name(Binding::Mctp, &start, false), "SET_KEY_PAIR_INFO");
    }
}
