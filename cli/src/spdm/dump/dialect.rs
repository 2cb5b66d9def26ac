//! One-line summaries of messages of the dialect of openspdm-pqc.

use super::decode::{self, read};
use crate::output::format_count;
use crate::spdm::message_fields::summary_type;
use crate::spdm::names::slot;
use grille_spdm_codec::pqc2021::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::pqc2021::challenge::Challenge;
use grille_spdm_codec::pqc2021::fragment::{
    Fragment, FragmentRequest, FragmentRequestAck, FragmentResponse, FragmentRspRequest,
};
use grille_spdm_codec::{Code, Sizes};
use grille_spdm_dump::pqc2021::{
    FRAGMENT_REQUEST, FRAGMENT_REQUEST_ACK, FRAGMENT_RESPONSE, FRAGMENT_RSP_REQUEST, Layout,
};
use grille_spdm_engine::identity::PROVISIONED;

/// Summarizes a message that differs from the standard's; `None` for other messages.
pub(super) fn summary(code: Code, bytes: &[u8], sizes: &Sizes, layout: &Layout) -> Option<String> {
    Some(match code {
        FRAGMENT_REQUEST => fragment(&read::<FragmentRequest<'_>>(bytes, sizes)?.fragment),
        FRAGMENT_RESPONSE => fragment(&read::<FragmentResponse<'_>>(bytes, sizes)?.fragment),
        FRAGMENT_REQUEST_ACK => {
            format!("fragment {} received", read::<FragmentRequestAck>(bytes, sizes)?.sequence)
        }
        FRAGMENT_RSP_REQUEST => {
            format!("fragment {} requested", read::<FragmentRspRequest>(bytes, sizes)?.sequence)
        }
        Code::GET_CERTIFICATE => {
            let message = read::<GetCertificate>(bytes, sizes)?;
            decode::get_certificate(message.slot, message.offset)
        }
        Code::CERTIFICATE => {
            let message = read::<Certificate<'_>>(bytes, sizes)?;
            decode::certificate(message.slot, message.portion.len(), message.remainder)
        }
        Code::CHALLENGE => challenge(&read(bytes, sizes)?),
        Code::CHALLENGE_AUTH if layout.signature.mac != 0 => {
            let slot = match bytes.get(2)? & 0xF {
                0xF => slot(PROVISIONED),
                number => slot(number),
            };
            format!("slot {slot}, authenticated with a KEM")
        }
        _ => return None,
    })
}

fn challenge(message: &Challenge<'_>) -> String {
    let summary = summary_type(message.summary_type);
    let ciphertext = match message.ciphertext.len() {
        0 => String::new(),
        len => format!(", ciphertext of {}", format_count(len, "byte")),
    };
    format!("slot {}, {summary}{ciphertext}", slot(message.slot))
}

fn fragment(fragment: &Fragment<'_>) -> String {
    let last = if fragment.is_last { ", the last" } else { "" };
    let data = format_count(fragment.data.len(), "byte");
    format!("fragment {}, {data} from byte {}{last}", fragment.sequence, fragment.offset)
}
