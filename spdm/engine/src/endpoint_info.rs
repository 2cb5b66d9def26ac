//! GET_ENDPOINT_INFO and ENDPOINT_INFO (1.3): the kind of device, optionally signed.

use crate::config::Role;
use crate::context::Context;
use crate::encode::respond_with;
use crate::endpoint_query::FetchEndpointInfo;
use crate::error::{Error, Refusal, Violation};
use crate::identity::{PROVISIONED, usage};
use crate::message_buffer::MessageBuffer;
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use crate::signatures;
use alloc::{vec, vec::Vec};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::endpoint_info::{EndpointInfo, GetEndpointInfo};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Sizes};

/// Answers GET_ENDPOINT_INFO on either side: a responder may send it to a requester as an encapsulated request.
pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (GetEndpointInfo, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let signs = request.wants_signature();
    if signs && !cx.own_limits().flags.contains(Caps::EP_INFO_SIG) {
        return Err(invalid);
    }
    let slot = if request.slot & 0xF == 0xF { PROVISIONED } else { request.slot & 0xF };
    let context = context(cx.role);
    let proof = signs.then(|| cx.proof(slot, usage::ENDPOINT_INFO, context, None)).transpose()?;
    let info = cx.device.endpoint_info(request.sub_code)?;
    let info = MessageBuffer::new(info, incoming.session.is_some());
    let len = if signs { cx.own_proof_len(context) } else { 0 };
    let room = vec![0; len];
    let response = EndpointInfo {
        slot: if signs { slot & 0xF } else { 0 },
        nonce: cx.nonce(),
        info: &info,
        signature: &room,
    };
    let sizes = Sizes { signature: len, ..Sizes::default() };
    let mut body = respond_with(&response, cx.connection.version(), &sizes)?;
    body.truncate(body.len() - len);
    Ok(Reply { proof, ..Reply::plain(body, taken) })
}

const fn context(signer: Role) -> &'static str {
    match signer {
        Role::Responder => signatures::ENDPOINT_INFO,
        Role::Requester => signatures::ENCAPSULATED_ENDPOINT_INFO,
    }
}

impl Operation for FetchEndpointInfo {
    type Output = Vec<u8>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        if let Some(slot) = self.signed {
            cx.check_peer_key(Code::GET_ENDPOINT_INFO, slot, usage::ENDPOINT_INFO)?;
        }
        let request = GetEndpointInfo {
            sub_code: self.sub_code,
            slot: self.signed.unwrap_or_default() & 0xF,
            attributes: u8::from(self.signed.is_some()) * GetEndpointInfo::SIGNATURE,
            nonce: cx.nonce(),
        };
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<Vec<u8>>, Error> {
        let request = Code::GET_ENDPOINT_INFO;
        let context = context(cx.role.other());
        let proof = self.signed.map(|slot| cx.expected_proof(slot, context, None));
        let signature = proof.as_ref().map_or(0, |proof| proof.len);
        let sizes = Sizes { signature, ..Sizes::default() };
        let (message, len): (EndpointInfo<'_>, _) = cx.read_response(request, response, &sizes)?;
        if message.slot & 0xF != self.signed.unwrap_or_default() & 0xF {
            return Err(Error::Violation { request, violation: Violation::Slot });
        }
        Ok(Parsed { proof, ..Parsed::plain(len, Some(message.info.to_vec())) })
    }
}
