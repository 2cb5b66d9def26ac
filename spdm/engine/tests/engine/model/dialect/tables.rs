//! The tables of NEGOTIATE_ALGORITHMS and ALGORITHMS: parsing, and the responder's selection.

use crate::model::dialect::keys::{KEMS, KemAlgorithm, SIGNATURES, SignatureAlgorithm};
use crate::model::dialect::setup::Settings;
use crate::model::fields::Fields;
use grille_spdm_engine::hash::{HASHES, Hash};
use grille_spdm_engine::pqc2021::PublicKeyMode;
use grille_spdm_engine::records::{AEADS, Aead};

/// A bitmap of the tables 11 to 15.
pub(super) type Bitmap = u128;

/// The length of [`Bitmap`] in a message.
pub(super) const BITMAP_LEN: usize = 12;

/// The types of the tables, in their order. The first four have two bytes, the others twelve. openspdm-pqc has no KEM
/// authentication and thus only the first seven.
pub(super) const TYPES: [u8; 9] = [2, 3, 4, 5, 11, 12, 13, 14, 15];

/// The bits of P-256 in BaseAsymAlgo and ReqBaseAsymAlg, and in DHE.
pub(super) const P256: u32 = 1 << 4;
pub(super) const SECP256R1: u32 = 1 << 3;

/// The algorithms of a message.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tables {
    pub(super) dhe: u32,
    pub(super) aead: u32,
    pub(super) req_asym: u32,
    pub(super) key_schedule: u32,
    pub(super) signature: Bitmap,
    pub(super) req_signature: Bitmap,
    pub(super) kem: Bitmap,
    pub(super) kem_auth: Bitmap,
    pub(super) req_kem_auth: Bitmap,
    /// Whether the tables 14 and 15 are present.
    pub(super) nine: bool,
}

impl Tables {
    /// Parses tables; `None` if their number, order or lengths are wrong.
    pub(super) fn parse(count: u8, bytes: &[u8]) -> Option<Self> {
        if !matches!(count, 7 | 9) {
            return None;
        }
        let (mut fields, mut bits) = (Fields(bytes), [0; 9]);
        for (at, kind) in TYPES[..count.into()].iter().enumerate() {
            let len = if at < 4 { 2 } else { BITMAP_LEN };
            if fields.take(2)? != [*kind, (len as u8) << 4] {
                return None;
            }
            bits[at] = fields.take(len)?.iter().rev().fold(0, |all, byte| all << 8 | Bitmap::from(*byte));
        }
        fields.expect_end()?;
        let [dhe, aead, req_asym, key_schedule] = [0, 1, 2, 3].map(|at| bits[at] as u32);
        let [signature, req_signature, kem, kem_auth, req_kem_auth] = [4, 5, 6, 7, 8].map(|at| bits[at]);
        let nine = count == 9;
        let classical = Self { dhe, aead, req_asym, key_schedule, nine, ..Self::default() };
        Some(Self { signature, req_signature, kem, kem_auth, req_kem_auth, ..classical })
    }

    /// Encodes the tables.
    pub(super) fn encode(&self) -> Vec<u8> {
        let classical = [self.dhe, self.aead, self.req_asym, self.key_schedule].map(Bitmap::from);
        let others = [self.signature, self.req_signature, self.kem, self.kem_auth, self.req_kem_auth];
        let mut bytes = Vec::new();
        let all = classical.iter().chain(&others).zip(TYPES).enumerate();
        for (at, (bits, kind)) in all.take(if self.nine { 9 } else { 7 }) {
            let len = if at < 4 { 2 } else { BITMAP_LEN };
            bytes.extend([kind, (len as u8) << 4]);
            bytes.extend_from_slice(&bits.to_le_bytes()[..len]);
        }
        bytes
    }
}

/// NEGOTIATE_ALGORITHMS.
pub(super) struct Offer {
    pub(super) asym: u32,
    pub(super) hash: u32,
    pub(super) tables: Tables,
}

impl Offer {
    /// Parses a request; `None` if it is invalid. The prototype has no limit of its length.
    pub(super) fn parse(m: &[u8]) -> Option<Self> {
        let mut fields = Fields(m.get(4..)?);
        let length = fields.number(2)?;
        fields.take(2)?;
        let (asym, hash) = (fields.number(4)?, fields.number(4)?);
        fields.take(12)?;
        let external = fields.number(1)? + fields.number(1)?;
        fields.take(2 + 4 * external as usize)?;
        let tables = Tables::parse(m[2], fields.0)?;
        (length as usize == m.len()).then_some(Self { asym, hash, tables })
    }
}

/// The algorithms of ALGORITHMS.
#[derive(Clone, Debug, Default)]
pub(super) struct Selected {
    pub(super) hash: Option<&'static Hash>,
    pub(super) aead: Option<&'static Aead>,
    pub(super) key_schedule: bool,
    /// Whether the responder's classical signature algorithm was selected.
    pub(super) asym: bool,
    pub(super) dhe: bool,
    pub(super) measures: bool,
    pub(super) signature: Option<SignatureAlgorithm>,
    pub(super) kem: Option<KemAlgorithm>,
    pub(super) kem_auth: Option<KemAlgorithm>,
    pub(super) req_signature: Option<SignatureAlgorithm>,
    pub(super) req_kem_auth: Option<KemAlgorithm>,
}

/// The capabilities of both sides that decide which kinds of algorithms are selected.
#[derive(Clone, Copy)]
pub(super) struct Support {
    pub(super) key_exchange: bool,
    /// Sessions with a key exchange or with a pre-shared key.
    pub(super) sessions: bool,
    /// Authentication of the requester.
    pub(super) mutual: bool,
}

/// The responder's selection of signature algorithms.
type Pair = (bool, Option<SignatureAlgorithm>);

impl Settings {
    /// Returns the algorithms that the responder must select; hash and AEAD are its choice.
    pub(super) fn select(&self, offer: &Offer, both: Support) -> Selected {
        let theirs = &offer.tables;
        let (asym, signature) = self.select_pair(offer.asym & P256 != 0, theirs.signature);
        let kem = |set: Bitmap| KEMS.into_iter().find(|kem| set & 1 << kem.bit != 0);
        let kem_auth = kem(theirs.kem_auth).filter(|_| !self.keys.kems.is_empty());
        let (req_signature, req_kem_auth) =
            if both.mutual { self.select_requester(theirs, kem_auth.is_some()) } else { (None, None) };
        Selected {
            asym,
            signature,
            kem_auth,
            req_signature,
            req_kem_auth,
            dhe: both.key_exchange && self.dhe && theirs.dhe & SECP256R1 != 0,
            key_schedule: both.sessions && theirs.key_schedule & 1 != 0,
            kem: kem(theirs.kem),
            ..Selected::default()
        }
    }

    /// Selects the responder's signature algorithms. Each has the prototype's preference, unless no certificate has the
    /// two keys but another has keys that the requester accepts.
    fn select_pair(&self, asym: bool, theirs: Bitmap) -> Pair {
        let slots = &self.keys.slots;
        let raw = self.keys.signatures.iter().map(|(algorithm, _)| *algorithm);
        let known: Vec<_> = raw.chain(slots.iter().filter_map(|slot| slot.signature)).collect();
        let common = |one: &SignatureAlgorithm| theirs & 1 << one.bit != 0 && known.contains(one);
        let common: Vec<_> = SIGNATURES.into_iter().filter(common).collect();
        let classical = asym && slots.iter().any(|slot| slot.asym);
        let first = (classical, common.first().copied());
        if self.mode == PublicKeyMode::Raw {
            return first;
        }
        let certified = |pair: &Pair| slots.iter().any(|slot| (slot.asym, slot.signature) == *pair);
        let signatures = common.iter().copied().map(Some).chain([None]);
        let pairs = signatures.flat_map(|signature| [(classical, signature), (false, signature)]);
        pairs.into_iter().find(certified).unwrap_or(first)
    }
}

/// Returns the tables that ALGORITHMS must have, except for the AEAD.
pub(super) fn selection(selected: &Selected, nine: bool) -> Tables {
    let signature = |one: Option<SignatureAlgorithm>| one.map_or(0, |one| 1 << one.bit);
    let kem = |kem: Option<KemAlgorithm>| kem.map_or(0, |kem| 1 << kem.bit);
    Tables {
        dhe: if selected.dhe { SECP256R1 } else { 0 },
        key_schedule: selected.key_schedule.into(),
        signature: signature(selected.signature),
        req_signature: signature(selected.req_signature),
        kem: kem(selected.kem),
        kem_auth: kem(selected.kem_auth),
        req_kem_auth: kem(selected.req_kem_auth),
        nine,
        ..Tables::default()
    }
}

/// Reads ALGORITHMS: checks everything that is determined, and returns the selection with the responder's choices.
/// `aeads`: the responder's AEADs.
pub(super) fn read_algorithms(expected: &Selected, offer: &Offer, r: &[u8], aeads: u32) -> Selected {
    let nine = offer.tables.nine;
    // the lengths of the prototype's messages, with the header and the fixed fields
    assert_eq!((r.len(), r[2]), if nine { (122, 9) } else { (94, 7) }, "{r:02x?}");
    assert_eq!(usize::from(u16::from_le_bytes([r[4], r[5]])), r.len());
    let tables = Tables::parse(r[2], &r[36..]).unwrap();
    let choice = |offered: u32, selected: u32| {
        let one = selected.is_power_of_two() && selected & offered != 0;
        assert!(if offered == 0 { selected == 0 } else { one }, "{selected:x} of {offered:x}: {r:02x?}");
        selected.checked_ilog2().map(|bit| bit as usize)
    };
    let hash = choice(offer.hash & 3, u32::from_le_bytes(r[16..20].try_into().unwrap()));
    let aead = choice(offer.tables.aead & aeads, tables.aead);
    assert_eq!(r[12..16], (if expected.asym { P256 } else { 0 }).to_le_bytes());
    assert_eq!(tables, Tables { aead: tables.aead, ..selection(expected, nine) });
    Selected {
        hash: hash.map(|at| &HASHES[at]),
        aead: aead.map(|at| &AEADS[at]),
        measures: r[6] & 1 != 0,
        ..expected.clone()
    }
}
