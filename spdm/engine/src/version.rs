//! GET_VERSION and VERSION: exchange the supported versions and start a new connection.

use crate::connection::ConnectionChange;
use crate::context::Context;
use crate::encode::{respond_with, write};
use crate::error::Refusal;
use crate::error::{Error, Usage};
use crate::reply::{IncomingRequest, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::Code;
use grille_spdm_codec::version::{GetVersion, VersionNumber, VersionResponse};
use grille_spdm_codec::{Sizes, Version};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let (GetVersion, taken) = cx.read(incoming.bytes, &Sizes::default())?;
    let entries: Vec<_> =
        cx.config.offered_versions().iter().map(|&version| VersionNumber::new(version).to_bytes()).collect();
    let body = respond_with(&VersionResponse { entries: &entries }, Version::V1_0, &Sizes::default())?;
    Ok(Reply { change: ConnectionChange::Reset, ..Reply::plain(body, taken) })
}

/// Encodes GET_VERSION.
pub(crate) fn encode_request() -> Result<Vec<u8>, Error> {
    write(&GetVersion, Version::V1_0, &Sizes::default()).map_err(|error| Error::Usage(Usage::Value(error)))
}

/// Parses VERSION and returns the newest common version.
pub(crate) fn parse_response(cx: &Context, response: &[u8]) -> Result<(Version, usize), Error> {
    let (response, len): (VersionResponse<'_>, _) =
        cx.read_response(Code::GET_VERSION, response, &Sizes::default())?;
    let released = response.versions().filter(|number| number.alpha() == 0);
    let newest = released.filter_map(|number| cx.config.version(number.byte())).max();
    Ok((newest.ok_or(Error::NothingInCommon { kind: "SPDM version" })?, len))
}
