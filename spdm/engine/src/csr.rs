//! GET_CSR and CSR (1.2): the device creates a certificate signing request.

use crate::algorithms::Asym;
use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::identity::model;
use crate::key_pair_info::signs_with;
use crate::operation::{Operation, Parsed, Request};
use crate::refused_request::{Reason, Target};
use crate::reply::{IncomingRequest, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::csr::{Csr, GetCsr};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, incoming: &IncomingRequest<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (GetCsr<'_>, _) = cx.read(incoming.bytes, &Sizes::default())?;
    cx.check_opaque(request.opaque)?;
    let asym = cx.own_asym().ok_or(invalid)?;
    let about = |refusal: Refusal| match request.key_pair_id {
        0 => refusal,
        named => refusal.with_target(Target::KeyPair(named)),
    };
    if cx.connection.rules.key_pairs {
        check(cx, asym, &request).map_err(about)?;
    }
    let csr = cx.device.csr(incoming.session, asym, &request).map_err(about)?;
    let body = cx.respond(&Csr { csr: &csr })?;
    Ok(Reply::plain(body, taken))
}

/// Checks the fields of 1.3. On multi-key connections, the request must name a key pair of the algorithm and a
/// certificate model. On other connections it must name neither. CSRTrackingTag fetches the result of an earlier
/// request. It is allowed only if the device needs a reset to create signing requests, and not together with Overwrite.
pub(crate) fn check(cx: &mut Context, asym: Asym, request: &GetCsr<'_>) -> Result<(), Refusal> {
    let multi_key = cx.own_sizes().multi_key;
    let resets = cx.connection.responder_has(Caps::CERT_INSTALL_RESET);
    let key_pair =
        if multi_key { signs_with(cx, request.key_pair_id, asym)? } else { request.key_pair_id == 0 };
    let tag = request.tracking_tag() == 0 || resets && !request.overwrites();
    match (key_pair, model::may_announce(request.model(), multi_key), tag) {
        (false, _, _) => Err(Reason::KeyPair.into()),
        (_, false, _) => Err(Reason::Model.into()),
        (_, _, false) => Err(Reason::TrackingTag.into()),
        _ => Ok(()),
    }
}

/// Fetches a certificate signing request from the device. A multi-key connection (1.3) needs
/// [`FetchCsr::for_key_pair`], or the operation fails; both sides negotiate such a connection by default if the
/// responder has MULTI_KEY_CONN_SEL_CAP. Other 1.3 connections refuse a key pair; 1.2 ignores it.
#[derive(Clone, Debug, Default)]
pub struct FetchCsr {
    /// KeyPairID (1.3); 0 unless the connection is multi-key.
    pub key_pair_id: u8,
    /// RequestAttributes (1.3), see [`GetCsr::attributes`]. Their certificate model is 0 unless the connection is
    /// multi-key.
    pub attributes: u8,
    /// RequesterInfo in DER, to be included in the signing request.
    pub requester_info: Vec<u8>,
    /// OpaqueData.
    pub opaque: Vec<u8>,
}

impl FetchCsr {
    /// Selects the key pair by its KeyPairID from DIGESTS, and the certificate model: 1 device, 2 alias, 3 generic
    /// (1.3).
    #[must_use]
    pub const fn for_key_pair(mut self, key_pair_id: u8, model: u8) -> Self {
        self.key_pair_id = key_pair_id;
        self.attributes |= model & 7;
        self
    }
}

impl Operation for FetchCsr {
    type Output = Vec<u8>;

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let Self { key_pair_id, attributes, requester_info, opaque } = &*self;
        let request = GetCsr { key_pair_id: *key_pair_id, attributes: *attributes, requester_info, opaque };
        let several = cx.peer_sizes().multi_key;
        let fits = (*key_pair_id != 0) == several && model::may_announce(request.model(), several);
        if cx.connection.rules.key_pairs && !fits {
            return Err(Usage::KeyPair { request: Code::GET_CSR }.into());
        }
        Ok(Request::plain(cx.write(&request, &Sizes::default())?))
    }

    fn parse(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Parsed<Vec<u8>>, Error> {
        let (message, len): (Csr<'_>, _) = cx.read_response(Code::GET_CSR, response, &Sizes::default())?;
        Ok(Parsed::plain(len, Some(message.csr.to_vec())))
    }
}
