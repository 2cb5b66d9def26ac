//! GET_CSR and CSR (1.2): the device asks to be certified.

use crate::connection::write;
use crate::context::Context;
use crate::error::{Error, Refusal};
use crate::flight::{Ask, Operation, Taken};
use crate::reply::{Asked, Reply};
use alloc::vec::Vec;
use grille_spdm_codec::csr::{Csr, GetCsr};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Sizes};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (GetCsr<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    let asym = cx.own_asym().ok_or(Refusal::new(ErrorCode::INVALID_REQUEST))?;
    let csr = cx.device.csr(asym, &request)?;
    let body = write(&Csr { csr: &csr }, cx.connection.version, &Sizes::default())?;
    Ok(Reply::plain(body, taken))
}

/// Has the device make a certification request.
#[derive(Clone, Debug, Default)]
pub struct FetchCsr {
    /// KeyPairID (1.3).
    pub key_pair_id: u8,
    /// RequestAttributes (1.3), see [`GetCsr::attributes`].
    pub attributes: u8,
    /// RequesterInfo: what is to stand in the request, DER.
    pub requester_info: Vec<u8>,
    /// OpaqueData.
    pub opaque: Vec<u8>,
}

impl Operation for FetchCsr {
    type Output = Vec<u8>;

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let Self { key_pair_id, attributes, requester_info, opaque } = &*self;
        let request = GetCsr { key_pair_id: *key_pair_id, attributes: *attributes, requester_info, opaque };
        Ok(Ask::plain(cx.write(&request, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<Vec<u8>>, Error> {
        let (message, len): (Csr<'_>, _) = cx.read_response(Code::GET_CSR, response, &Sizes::default())?;
        Ok(Taken::plain(len, Some(message.csr.to_vec())))
    }
}
