//! GET_MEASUREMENT_EXTENSION_LOG and MEASUREMENT_EXTENSION_LOG (1.3): the log of the values that measurements were extended with.

use crate::context::Context;
use crate::error::{Error, Refusal, Usage, Violation};
use crate::operation::{Operation, Parsed, Request};
use crate::reply::{IncomingRequest, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::mel::{GetMeasurementExtensionLog, MeasurementExtensionLog};
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (GetMeasurementExtensionLog, _) = cx.read(incoming.bytes, &Sizes::default())?;
    if !cx.connection.negotiated().is_some_and(|negotiated| negotiated.logs) {
        return Err(Refusal::new(ErrorCode::UNEXPECTED_REQUEST));
    }
    let log = cx.device.measurement_log()?;
    let rest = log.get(request.offset as usize..).filter(|rest| !rest.is_empty() || log.is_empty());
    let rest = rest.ok_or(invalid)?;
    let room = cx.message_limit(incoming.session).saturating_sub(HEADER_LEN);
    let portion = &rest[..rest.len().min(request.length as usize).min(room)];
    let remainder = u32::try_from(rest.len() - portion.len()).map_err(|_| invalid)?;
    let response = MeasurementExtensionLog { portion, remainder };
    Ok(Reply::plain(cx.respond(&response)?, taken))
}

/// Bytes of the message before the portion.
const HEADER_LEN: usize = 12;

/// Fetches the measurement extension log. If its length changes between two portions, the operation fails; run it again then.
#[derive(Clone, Debug, Default)]
pub struct FetchLog {
    log: Vec<u8>,
    /// The length of the log in bytes, from the first portion.
    total: Option<u64>,
}

/// The longest log accepted, in bytes.
const MAX_LOG_LEN: u64 = 0x40_0000;

impl Operation for FetchLog {
    type Output = Vec<u8>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        if !cx.connection.negotiated().is_some_and(|negotiated| negotiated.logs) {
            return Err(Usage::NoCapability { request: Code::GET_MEASUREMENT_EXTENSION_LOG }.into());
        }
        let offset = u32::try_from(self.log.len()).unwrap_or(u32::MAX);
        let request = GetMeasurementExtensionLog { offset, length: u32::MAX };
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<Vec<u8>>, Error> {
        let request = Code::GET_MEASUREMENT_EXTENSION_LOG;
        let (message, len): (MeasurementExtensionLog<'_>, _) =
            cx.read_response(request, response, &Sizes::default())?;
        let total = (self.log.len() + message.portion.len()) as u64 + u64::from(message.remainder);
        let same = total == *self.total.get_or_insert(total);
        if message.portion.is_empty() && message.remainder > 0 || total > MAX_LOG_LEN || !same {
            return Err(Error::Violation { request, violation: Violation::Portion });
        }
        self.log.extend_from_slice(message.portion);
        let whole = (message.remainder == 0).then(|| core::mem::take(&mut self.log));
        Ok(Parsed::plain(len, whole))
    }
}
