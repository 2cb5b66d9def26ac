//! GET_CSR and CSR (1.2): the device asks to be certified.

use crate::algorithms::Asym;
use crate::context::Context;
use crate::error::{Error, Refusal, Usage};
use crate::flight::{Ask, Operation, Taken};
use crate::identity::model;
use crate::key_pair_info::signs_with;
use crate::objection::{Reason, Target};
use crate::reply::{Asked, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::csr::{Csr, GetCsr};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Sizes, Version};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (GetCsr<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    cx.check_opaque(request.opaque)?;
    let asym = cx.own_asym().ok_or(invalid)?;
    let about = |refusal: Refusal| match request.key_pair_id {
        0 => refusal,
        named => refusal.about(Target::KeyPair(named)),
    };
    if cx.connection.version >= Version::V1_3 {
        check(cx, asym, &request).map_err(about)?;
    }
    let csr = cx.device.csr(asked.session, asym, &request).map_err(about)?;
    let body = cx.respond(&Csr { csr: &csr })?;
    Ok(Reply::plain(body, taken))
}

/// Whether the fields of 1.3 go together: a key pair, of the algorithm, and a model are named where there may be several, and
/// nowhere else; an older request is fetched only from devices that needed a reset for it, and not thrown away at the same time.
pub(crate) fn check(cx: &mut Context, asym: Asym, request: &GetCsr<'_>) -> Result<(), Refusal> {
    let multi_key = cx.own_sizes().multi_key;
    let resets = cx.connection.responder_has(Caps::CERT_INSTALL_RESET);
    let key_pair =
        if multi_key { signs_with(cx, request.key_pair_id, asym)? } else { request.key_pair_id == 0 };
    let tag = request.tracking_tag() == 0 || resets && !request.overwrites();
    match (key_pair, model::told(request.model(), multi_key), tag) {
        (false, _, _) => Err(Reason::KeyPair.into()),
        (_, false, _) => Err(Reason::Model.into()),
        (_, _, false) => Err(Reason::TrackingTag.into()),
        _ => Ok(()),
    }
}

/// Has the device make a certification request, for its only key as it is by default. Where its connection has several keys (1.3) it is
/// for [`FetchCsr::of_key_pair`], there and nowhere else. By default both sides negotiate that with a responder that has
/// MULTI_KEY_CONN_SEL_CAP.
#[derive(Clone, Debug, Default)]
pub struct FetchCsr {
    /// KeyPairID (1.3), 0 where the connection has one key.
    pub key_pair_id: u8,
    /// RequestAttributes (1.3), see [`GetCsr::attributes`]: the model is 0 where the connection has one key.
    pub attributes: u8,
    /// RequesterInfo: what is to stand in the request, DER.
    pub requester_info: Vec<u8>,
    /// OpaqueData.
    pub opaque: Vec<u8>,
}

impl FetchCsr {
    /// For the key pair with this KeyPairID, which DIGESTS tells of its slot, and a certificate of this model: 1 device, 2 alias, 3
    /// generic (1.3).
    #[must_use]
    pub const fn of_key_pair(mut self, key_pair_id: u8, model: u8) -> Self {
        self.key_pair_id = key_pair_id;
        self.attributes |= model & 7;
        self
    }
}

impl Operation for FetchCsr {
    type Output = Vec<u8>;

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let Self { key_pair_id, attributes, requester_info, opaque } = &*self;
        let request = GetCsr { key_pair_id: *key_pair_id, attributes: *attributes, requester_info, opaque };
        let several = cx.peer_sizes().multi_key;
        let fits = (*key_pair_id != 0) == several && model::told(request.model(), several);
        if cx.connection.version >= Version::V1_3 && !fits {
            return Err(Usage::KeyPair { request: Code::GET_CSR }.into());
        }
        Ok(Ask::plain(cx.write(&request, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<Vec<u8>>, Error> {
        let (message, len): (Csr<'_>, _) = cx.read_response(Code::GET_CSR, response, &Sizes::default())?;
        Ok(Taken::plain(len, Some(message.csr.to_vec())))
    }
}
