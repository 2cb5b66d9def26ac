//! Falcon private keys as Bouncy Castle writes them: f, g, F and optionally h as separate elements, without the
//! header byte.

use crate::Error;
use crate::asn1::{SEQUENCE, elements};
use crate::pkcs8::{ELEMENT, malformed_error};
use alloc::vec::Vec;
use der::{Tag, Tagged};
use grille_registry::{Family, SignatureRow};
use zeroize::Zeroizing;

/// A Falcon key joined from its parts: the private key in the encoding of Falcon section 3.11.5, and the public key
/// if present.
pub(crate) struct JoinedKey {
    pub(crate) private: Zeroizing<Vec<u8>>,
    pub(crate) public: Option<Vec<u8>>,
}

/// Joins the parts of a private key. Returns `None` if `content` does not consist of separate parts.
///
/// # Errors
/// Returns [`Error::Malformed`] if the parts do not have the lengths of this algorithm.
pub(crate) fn join_parts(row: &SignatureRow, content: &[u8]) -> Result<Option<JoinedKey>, Error> {
    if row.family != Family::Falcon || row.signature.is_composite() {
        return Ok(None);
    }
    let parsed = elements(ELEMENT, content).ok();
    // other encodings of a private key begin with a header byte, which is not the tag of a SEQUENCE
    let whole =
        parsed.as_deref().and_then(|parsed| parsed.first()).filter(|_| content.first() == Some(&SEQUENCE));
    let Some(parts) = whole.and_then(|whole| elements(ELEMENT, whole.value()).ok()) else { return Ok(None) };
    let (keys, public) = match parts[..] {
        [version, f, g, f_capital, ref public @ ..] if version.tag() == Tag::Integer => {
            ([f, g, f_capital], public)
        }
        _ => return Ok(None),
    };
    let info = row.signature.info();
    // a verifying key is a header byte and n coefficients of 14 bits
    let log_n = ((info.verifying_key_len - 1) * 8 / 14).ilog2() as u8;
    let mut private = Zeroizing::new(Vec::with_capacity(info.signing_key_len));
    private.push(SIGNING_HEADER | log_n);
    keys.iter().for_each(|key| private.extend_from_slice(key.value()));
    if private.len() != info.signing_key_len || keys.iter().any(|key| key.tag() != Tag::OctetString) {
        return Err(malformed_error("has parts whose lengths do not fit the algorithm"));
    }
    let h = match public {
        [] => None,
        [sequence] => elements(ELEMENT, sequence.value())?.first().map(|h| [&[log_n], h.value()].concat()),
        _ => return Err(malformed_error("has more parts than f, g, F and h")),
    };
    Ok(Some(JoinedKey { private, public: h }))
}

/// Header byte of a private key, Falcon section 3.11.5, without log₂ n.
const SIGNING_HEADER: u8 = 0x50;
