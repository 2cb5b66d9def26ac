//! VENDOR_DEFINED_REQUEST and VENDOR_DEFINED_RESPONSE: messages of other standards and of vendors.

use crate::context::Context;
use crate::error::{Error, Refusal, Violation};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::vendor::{VendorDefinedRequest, VendorDefinedResponse, VendorPayload, is_registered};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (VendorDefinedRequest<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    let VendorPayload { standard_id, vendor_id, data, .. } = request.payload;
    if !is_registered(standard_id, vendor_id) {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    let answer = cx.device.vendor(incoming.session, standard_id, vendor_id, data)?;
    let large = answer.len() > usize::from(u16::MAX) && cx.connection.rules.large_fields;
    let response =
        VendorDefinedResponse { payload: VendorPayload { large, data: &answer, ..request.payload } };
    Ok(Reply::plain(cx.respond(&response)?, taken))
}

/// Sends a message of another standard or of a vendor.
#[derive(Clone, Debug)]
pub struct VendorRequest {
    /// StandardID, see [`grille_spdm_codec::vendor::STANDARDS`].
    pub standard_id: u16,
    /// VendorID in the registry of that standard.
    pub vendor_id: Vec<u8>,
    /// The payload.
    pub data: Vec<u8>,
}

impl Operation for VendorRequest {
    type Output = Vec<u8>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let Self { standard_id, vendor_id, data } = &*self;
        let large = data.len() > usize::from(u16::MAX) && cx.connection.rules.large_fields;
        let payload = VendorPayload { large, standard_id: *standard_id, vendor_id, data };
        Ok(Request::plain(cx.write(&VendorDefinedRequest { payload }, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<Vec<u8>>, Error> {
        let request = Code::VENDOR_DEFINED_REQUEST;
        let (message, len): (VendorDefinedResponse<'_>, _) =
            cx.read_response(request, response, &Sizes::default())?;
        let VendorPayload { standard_id, vendor_id, data, .. } = message.payload;
        if (standard_id, vendor_id) != (self.standard_id, &self.vendor_id[..]) {
            return Err(Error::Violation { request, violation: Violation::Vendor });
        }
        Ok(Parsed::plain(len, Some(data.to_vec())))
    }
}
