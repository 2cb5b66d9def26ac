//! Messages of the post-quantum dialect of openspdm-pqc (2021). ALGORITHMS with the tables 11 to 15 shows that a
//! connection speaks it; for a capture without ALGORITHMS, [`Dump::with_dialect`](crate::Dump::with_dialect) says so.
//!
//! A capture does not show whether keys are in certificates. With KEM authentication, keys without certificates are
//! assumed, as in the prototype: signatures then have no post-quantum part, except in MEASUREMENTS and in the
//! requester's CHALLENGE_AUTH.

use crate::types::Side;
use grille_spdm_codec::algorithms::{BaseAsym, Dhe};
use grille_spdm_codec::negotiate::Algorithms;
use grille_spdm_codec::pqc2021::certificate::{Certificate, GetCertificate};
use grille_spdm_codec::pqc2021::challenge::Challenge;
use grille_spdm_codec::pqc2021::fragment::{
    FragmentRequest, FragmentRequestAck, FragmentResponse, FragmentRspRequest,
};
use grille_spdm_codec::pqc2021::{ExchangeLens, Kem, Set, Signature, SignatureLens, Tables};
use grille_spdm_codec::wire::Observer;
use grille_spdm_codec::{Code, CodecError, Header, Message, Sizes, messages};

/// The layout of one message of the dialect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Layout {
    /// The lengths of the parts of the message's signature field.
    pub signature: SignatureLens,
    /// The lengths of the parts of ExchangeData, if the message is KEY_EXCHANGE or KEY_EXCHANGE_RSP.
    pub exchange: ExchangeLens,
}

/// The code of FRAGMENT_REQUEST. Only the dialect has messages in fragments; the standard later assigned some of their
/// codes to other messages.
pub const FRAGMENT_REQUEST: Code = <FragmentRequest<'_> as Message<'_>>::CODE;
/// The code of FRAGMENT_RESPONSE.
pub const FRAGMENT_RESPONSE: Code = <FragmentResponse<'_> as Message<'_>>::CODE;
/// The code of FRAGMENT_REQUEST_ACK.
pub const FRAGMENT_REQUEST_ACK: Code = <FragmentRequestAck as Message<'_>>::CODE;
/// The code of FRAGMENT_RSP_REQUEST.
pub const FRAGMENT_RSP_REQUEST: Code = <FragmentRspRequest as Message<'_>>::CODE;

/// Returns the name of a message that only the dialect has.
#[must_use]
pub fn message_name(code: Code) -> Option<&'static str> {
    match code {
        FRAGMENT_REQUEST => FragmentRequest::NAME,
        FRAGMENT_RESPONSE => FragmentResponse::NAME,
        FRAGMENT_REQUEST_ACK => FragmentRequestAck::NAME,
        FRAGMENT_RSP_REQUEST => FragmentRspRequest::NAME,
        _ => None,
    }
}

/// Decodes a message of the dialect, and shows its fields to `observer`. Returns its length.
///
/// # Errors
/// Returns an error if the message cannot be decoded.
pub fn observe<'a>(
    bytes: &'a [u8],
    sizes: &Sizes,
    observer: &mut impl Observer<'a>,
) -> Result<usize, CodecError> {
    match Header::decode(bytes).map(|header| header.code) {
        Ok(FRAGMENT_REQUEST) => read::<FragmentRequest<'_>>(bytes, sizes, observer),
        Ok(FRAGMENT_RESPONSE) => read::<FragmentResponse<'_>>(bytes, sizes, observer),
        Ok(FRAGMENT_REQUEST_ACK) => read::<FragmentRequestAck>(bytes, sizes, observer),
        Ok(FRAGMENT_RSP_REQUEST) => read::<FragmentRspRequest>(bytes, sizes, observer),
        Ok(Code::GET_CERTIFICATE) => read::<GetCertificate>(bytes, sizes, observer),
        Ok(Code::CERTIFICATE) => read::<Certificate<'_>>(bytes, sizes, observer),
        Ok(Code::CHALLENGE) => read::<Challenge<'_>>(bytes, sizes, observer),
        _ => messages::observe(bytes, sizes, observer),
    }
}

fn read<'a, M: Message<'a>>(
    bytes: &'a [u8],
    sizes: &Sizes,
    observer: &mut impl Observer<'a>,
) -> Result<usize, CodecError> {
    M::observe(bytes, sizes, observer).map(|(_, len)| len)
}

/// The algorithms that ALGORITHMS selected. The default has none.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Dialect {
    dhe: usize,
    kem: Option<&'static Kem>,
    /// The authentication of the requester, and that of the responder.
    sides: [Authentication; 2],
    hash: usize,
}

/// How one side authenticates itself.
#[derive(Clone, Copy, Debug, Default)]
struct Authentication {
    /// The length of the classical signature.
    classical: usize,
    /// The largest length of the post-quantum signature.
    post_quantum: usize,
    kem: Option<&'static Kem>,
}

impl Dialect {
    /// Returns the algorithms that ALGORITHMS selected; `None` if the message is not of the dialect. `hash`: the length
    /// of the negotiated hash.
    pub(crate) fn read(message: &Algorithms<'_>, hash: usize) -> Option<Self> {
        let tables = Tables::read(&message.tables).ok()?;
        let kems = tables.kem_authentication.unwrap_or_default();
        let side = |asym: BaseAsym, signature: Set, kem: Set| Authentication {
            classical: asym.row().map_or(0, |row| row.len),
            post_quantum: Signature::from_set(signature).map_or(0, |row| row.signature_len),
            kem: Kem::from_set(kem),
        };
        Some(Self {
            dhe: Dhe(tables.dhe.0).row().map_or(0, |row| row.len),
            kem: Kem::from_set(tables.kem),
            sides: [
                side(tables.req_base_asym, tables.req_signature, kems.requester),
                side(message.base_asym, tables.signature, kems.responder),
            ],
            hash,
        })
    }

    /// Returns the layout of a message from this side.
    pub(crate) fn layout(&self, from: Side, code: Code) -> Layout {
        Layout { signature: self.signature(from, code), exchange: self.exchange(from) }
    }

    /// Returns the lengths of a side's signature field.
    fn signature(&self, from: Side, code: Code) -> SignatureLens {
        let side = self.sides[from as usize];
        let signs = match (code, from) {
            (Code::MEASUREMENTS, _) | (Code::CHALLENGE_AUTH, Side::Requester) => true,
            _ => side.kem.is_none(),
        };
        let has_mac = code == Code::CHALLENGE_AUTH && from == Side::Responder && side.kem.is_some();
        SignatureLens {
            classical: side.classical,
            post_quantum: if signs { side.post_quantum } else { 0 },
            mac: if has_mac { self.hash } else { 0 },
        }
    }

    /// Returns the lengths of a side's ExchangeData. The ciphertext is for the long-term key of the other side.
    fn exchange(&self, from: Side) -> ExchangeLens {
        let other = self.sides[from.other() as usize];
        let len = |kem: &Kem| match from {
            Side::Requester => kem.public_key_len,
            Side::Responder => kem.ciphertext_len,
        };
        ExchangeLens {
            dhe: self.dhe,
            kem: self.kem.map_or(0, len),
            kem_auth: other.kem.map_or(0, |kem| kem.ciphertext_len),
        }
    }

    /// Returns the parameters of a message from this side, where they differ from the standard's.
    pub(crate) fn adapt(&self, from: Side, code: Code, sizes: Sizes) -> Sizes {
        let layout = self.layout(from, code);
        let signature = if sizes.signature == 0 { 0 } else { layout.signature.total() };
        let exchange_data = match code {
            Code::CHALLENGE if from == Side::Requester => layout.exchange.kem_auth,
            Code::CHALLENGE => 0,
            _ => layout.exchange.total(),
        };
        Sizes { signature, exchange_data, ..sizes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use grille_spdm_codec::pqc2021::KemAuthentication;

    const HASH: usize = 48;

    /// Both sides have a signature and KEM authentication.
    #[test]
    fn messages_have_a_post_quantum_signature_or_kem_authentication() {
        let (signature, kem) =
            (Signature::by_name("Dilithium2").unwrap(), Kem::by_name("Kyber512").unwrap().set());
        let tables = Tables {
            req_base_asym: BaseAsym::ECDSA_P256,
            signature: signature.set(),
            req_signature: signature.set(),
            kem_authentication: Some(KemAuthentication { responder: kem, requester: kem }),
            ..Tables::default()
        };
        let mut buffer = [0; Tables::MAX_LEN];
        let tables = tables.write(&mut buffer).unwrap();
        let message = Algorithms { base_asym: BaseAsym::ECDSA_P256, tables, ..Algorithms::default() };
        let dialect = Dialect::read(&message, HASH).unwrap();
        for (from, code, signs, mac) in [
            (Side::Responder, Code::CHALLENGE_AUTH, false, HASH),
            (Side::Requester, Code::CHALLENGE_AUTH, true, 0),
            (Side::Responder, Code::KEY_EXCHANGE_RSP, false, 0),
            (Side::Requester, Code::FINISH, false, 0),
            (Side::Responder, Code::MEASUREMENTS, true, 0),
        ] {
            let post_quantum = if signs { signature.signature_len } else { 0 };
            let expected = SignatureLens { classical: 64, post_quantum, mac };
            assert_eq!(dialect.layout(from, code).signature, expected, "{from:?} {code}");
        }
    }
}
