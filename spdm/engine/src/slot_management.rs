//! SLOT_MANAGEMENT and SLOT_MANAGEMENT_RESP (1.4): slots in banks, one bank for each algorithm.

use crate::banks;
use crate::context::Context;
use crate::error::{Error, Refusal, Violation};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::slot_management::{Management, SlotManagement, SlotManagementResp, SubCode};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (SlotManagement<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let Management { sub_code, structure } = request.management;
    let answer = match cx.device.manage_slots(incoming.session, sub_code, structure)? {
        Some(answer) => answer,
        None => banks::answer(cx, incoming.session, sub_code, structure)?,
    };
    let management = Management { sub_code, structure: &answer };
    let response = SlotManagementResp { management };
    Ok(Reply::plain(cx.respond(&response)?, taken))
}

/// Reads or changes banks of slots.
#[derive(Clone, Debug)]
pub struct ManageSlots {
    /// SubCode.
    pub sub_code: SubCode,
    /// The SubCode's structure, encoded by [`grille_spdm_codec::bank`]; empty if it has none.
    pub structure: Vec<u8>,
}

impl Operation for ManageSlots {
    type Output = Vec<u8>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let management = Management { sub_code: self.sub_code, structure: &self.structure };
        Ok(Request::plain(cx.write(&SlotManagement { management }, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<Vec<u8>>, Error> {
        let request = Code::SLOT_MANAGEMENT;
        let (message, len): (SlotManagementResp<'_>, _) =
            cx.read_response(request, response, &Sizes::default())?;
        if message.management.sub_code != self.sub_code {
            return Err(Error::Violation { request, violation: Violation::Slot });
        }
        Ok(Parsed::plain(len, Some(message.management.structure.to_vec())))
    }
}
