//! DSP0274's rules for negotiation: consistent capabilities, and offered algorithms.

use crate::model::fields::Fields;
use crate::model::rules::{INVALID, MISMATCH, PSK};
use crate::model::state::{Model, Phase};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::hash::HASHES;
use grille_spdm_engine::records::AEADS;

impl Model {
    /// Returns the errors that GET_CAPABILITIES may get; `None` if its length does not match its fields.
    pub(super) fn capabilities_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let version = m[0];
        if !(0x10..=0x14).contains(&version) {
            return Some(vec![MISMATCH]);
        }
        if version == 0x10 {
            return fields.errors_at_end(vec![]);
        }
        fields.take(4)?;
        let flags = fields.number(4)?;
        let sizes = if version >= 0x12 { Some((fields.number(4)?, fields.number(4)?)) } else { None };
        let chunks = flags & Caps::CHUNK.0 != 0;
        let sizes = sizes.is_none_or(|(transfer, most)| {
            transfer >= 42 && if chunks { transfer <= most } else { transfer == most }
        });
        let block = version < 0x13 || m[2] & 1 == 0 || chunks;
        let fine = sizes && block && are_consistent(flags, version);
        fields.errors_at_end(if fine { vec![] } else { vec![INVALID] })
    }

    /// Returns the algorithms that both sides support; `None` if NEGOTIATE_ALGORITHMS cannot be parsed.
    pub(crate) fn offered(&self, m: &[u8]) -> Option<Offered> {
        let (tables, longest, most) = if self.version == 0x10 { (0, 0x40, 8) } else { (m[2], 0x80, 20) };
        let mut fields = Fields(m.get(4..)?);
        let length = fields.number(2)?;
        fields.take(2)?;
        let (asym, hash) = (fields.number(4)?, fields.number(4)? & 3);
        fields.take(12)?;
        let mut external = fields.number(1)? + fields.number(1)?;
        fields.take(2 + 4 * external as usize)?;
        let (mut bits, mut last) = ([0; 256], 0);
        for _ in 0..tables {
            let (kind, count) = (fields.number(1)?, fields.number(1)?);
            let supported = fields.take(count as usize >> 4)?;
            fields.take(4 * (count as usize & 0xF))?;
            external += count & 0xF;
            // since 1.4 a table must not be empty
            let empty = count & 0xF == 0 && supported.iter().all(|byte| *byte == 0);
            if kind <= last || self.version >= 0x14 && empty {
                return None;
            }
            last = kind;
            bits[kind as usize] =
                supported.iter().take(2).rev().fold(0, |all, byte| all << 8 | u32::from(*byte));
        }
        let several = m[7] & 1 << 4 != 0 && self.version >= 0x13;
        let fine = fields.0.is_empty()
            && length as usize == m.len()
            && m.len() <= longest
            && external <= most
            && (!several || self.responder_flags() & Caps::MULTI_KEY_CONN_SEL.0 != 0);
        let key_exchange = self.both_support(Caps::KEY_EX.0);
        let session = key_exchange || self.both_support(PSK);
        let only = |there: bool, bits: u32| if there { bits } else { 0 };
        fine.then_some(Offered {
            hash,
            asym: asym & 1 << 4,
            dhe: only(key_exchange, bits[2] & 1 << 3),
            aead: only(session, bits[3] & 7),
            req_asym: bits[4] & 1 << 4,
            key_schedule: only(session, bits[5] & 1),
        })
    }

    /// Checks ALGORITHMS: it selects one common algorithm of each kind, or none if no algorithm of the kind is common.
    pub(super) fn on_algorithms(&mut self, m: &[u8], r: &[u8]) {
        let offered = self.offered(m).unwrap();
        // one of the common algorithms, or zero if no algorithm is common
        let one_of = |offered: u32, selected: u32| {
            let fine = if offered == 0 {
                selected == 0
            } else {
                selected.is_power_of_two() && selected & offered != 0
            };
            assert!(fine, "{selected:x} of {offered:x}: {r:02x?}");
            selected.checked_ilog2().map(|bit| bit as usize)
        };
        let table = |kind: u8| {
            r[36..].chunks(4).find(|table| table[0] == kind).map_or(0, |table| u32::from(table[2]))
        };
        assert_eq!(usize::from(u16::from_le_bytes([r[4], r[5]])), r.len());
        assert_eq!(r[12..16], offered.asym.to_le_bytes());
        self.hash = one_of(offered.hash, u32::from(r[16])).map(|at| &HASHES[at]);
        self.aead = one_of(offered.aead, table(3)).map(|at| &AEADS[at]);
        assert_eq!([table(2), table(5)], [offered.dhe, offered.key_schedule]);
        (self.asym, self.dhe) = (offered.asym != 0, offered.dhe != 0);
        self.key_schedule = offered.key_schedule != 0;
        let signs = self.both_support(Caps::MUT_AUTH.0) || self.flags & Caps::EP_INFO_SIG.0 != 0;
        assert_eq!(table(4), if signs { offered.req_asym } else { 0 });
        self.req_asym = table(4) != 0;
        let multi_key = self.flags & (Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL).0;
        self.multi_key = self.version >= 0x13 && multi_key != 0;
        assert_eq!(r[7] & 1 << 4 != 0, self.multi_key);
        self.opaque = self.version < 0x12 || m[7] & 2 != 0;
        assert_eq!(r[7] & 0xF, if self.version >= 0x12 && self.opaque { 2 } else { 0 });
        self.responder_multi_key = self.version >= 0x13 && m[7] & 1 << 4 != 0;
        if self.hash.is_none() {
            assert_eq!((r[6], &r[8..12]), (0, &[0; 4][..]));
            self.no_common_hash = true;
            return;
        }
        self.measures = m[6] & 1 != 0;
        assert_eq!(r[6] & 1 != 0, self.measures);
        self.logs = self.measures && self.version >= 0x13 && m[31] & 1 != 0;
        self.phase = Phase::Negotiated;
        self.vca.extend([m, r].concat());
        self.repeatable_vca = Some((m.to_vec(), r.to_vec()));
    }

    /// Returns whether a request needs a kind of algorithm that ALGORITHMS did not select.
    pub(super) fn lacks_algorithm(&self, code: u8) -> bool {
        match code {
            // DIGESTS, CERTIFICATE, CHALLENGE_AUTH, CSR and SET_CERTIFICATE concern keys of the signature algorithm
            0x81 | 0x82 | 0x83 | 0xED | 0xEE => !self.asym,
            0xE4 => !self.asym || !self.dhe || self.aead.is_none() || !self.key_schedule,
            0xE6 => self.aead.is_none() || !self.key_schedule,
            _ => false,
        }
    }
}

/// The algorithms that both sides support; zero where they have none in common.
pub(crate) struct Offered {
    pub(crate) hash: u32,
    pub(crate) asym: u32,
    pub(crate) dhe: u32,
    pub(crate) aead: u32,
    pub(crate) req_asym: u32,
    pub(crate) key_schedule: u32,
}

/// Returns the flags that a version defines.
pub(crate) fn known_flags(flags: u32, version: u8) -> u32 {
    let bits = [6, 17, 22, 30, 32][usize::from(version - 0x10)];
    flags & (u32::MAX >> (32 - bits))
}

/// Returns whether a requester's flags are consistent, DSP0274 "GET_CAPABILITIES".
pub(super) fn are_consistent(flags: u32, version: u8) -> bool {
    let has = |any: Caps| flags & any.0 != 0;
    let both = |all: Caps| flags & all.0 == all.0;
    let late = version >= 0x13;
    let (session, key) = (has(Caps::KEY_EX | Caps::PSK), has(Caps::CERT | Caps::PUB_KEY_ID));
    let needs_session = Caps::HANDSHAKE_IN_THE_CLEAR | Caps::HBEAT | Caps::KEY_UPD;
    let endpoint = late && has(Caps::EP_INFO_SIG);
    let wrong = [
        has(Caps::PSK_WITH_CONTEXT),
        session != has(Caps::MAC | Caps::ENCRYPT),
        !session && (has(needs_session) || late && has(Caps::EVENT)),
        has(Caps::HANDSHAKE_IN_THE_CLEAR) && !has(Caps::KEY_EX),
        both(Caps::CERT | Caps::PUB_KEY_ID),
        key && !has(Caps::CHAL | Caps::KEY_EX) && !endpoint,
        !key && (has(Caps::CHAL | Caps::MUT_AUTH) || endpoint),
        has(Caps::MUT_AUTH) && !has(Caps::KEY_EX | Caps::CHAL),
        version == 0x11 && has(Caps::MUT_AUTH) && !has(Caps::ENCAP),
        late && both(Caps::EP_INFO_NO_SIG | Caps::EP_INFO_SIG),
        late && both(Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL),
        late && has(Caps::MULTI_KEY_ONLY | Caps::MULTI_KEY_CONN_SEL) && !has(Caps::CERT),
    ];
    !wrong.contains(&true)
}
