//! Random messages: well-formed ones of every code, and their random alterations.

use crate::model::dialect::keys::{KEMS, SIGNATURES};
use crate::model::dialect::rules::{NO_SLOT, VERSION};
use crate::model::dialect::session::Session;
use crate::model::dialect::state::{Model, Phase};
use crate::model::dialect::tables::{Bitmap, P256, SECP256R1, Tables};
use crate::model::rules::{HINT, offer};
use crate::random::Random;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;

/// Every defined code except those of fragments, and some undefined ones.
const CODES: &[u8] = &[
    0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8,
    0xE9, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xFE, 0xFF, 0x00, 0x04, 0x7F, 0x80, 0xA0,
];

/// Returns a request code, usually one that is allowed.
pub(super) fn code(random: &mut Random, model: &Model, session: Option<&Session>) -> u8 {
    if random.percent(15) {
        return random.pick(CODES);
    }
    if random.percent(2) {
        return 0x84;
    }
    match (model.phase, session) {
        _ if model.is_lost() => random.pick(&[0x84, 0x84, 0x84, 0x83, 0xE4]),
        (Phase::Start, _) => 0x84,
        (Phase::Version, _) => 0xE1,
        (Phase::Capabilities, _) => random.pick(&[0xE3, 0xE3, 0xE3, 0xE1]),
        (_, Some(session)) if session.in_handshake => {
            if session.psk {
                0xE7
            } else {
                0xE5
            }
        }
        (_, Some(session)) if session.unverified => random.pick(&[0xE9, 0xE9, 0xE9, 0xE8]),
        (_, Some(_)) => random.pick(&[0x81, 0x82, 0xE0, 0xE0, 0xE8, 0xE8, 0xE9, 0xE9, 0xE9, 0xEC]),
        (_, None) => random.pick(&[0x81, 0x82, 0x82, 0x83, 0x83, 0xE0, 0xE0, 0xE4, 0xE4, 0xE4, 0xE6, 0xE3]),
    }
}

/// Returns a well-formed request.
pub(super) fn request(random: &mut Random, model: &Model, session: Option<&Session>, code: u8) -> Vec<u8> {
    let version = if code == 0x84 { 0x10 } else { VERSION };
    let usual = model.slots().next().map_or(NO_SLOT, |slot| slot.number);
    let slot = random.pick(&[usual, usual, usual, usual, usual, 0, 1, NO_SLOT]);
    let summary = random.pick(&[0, 0, 0, 1, 0xFF, 2]);
    let (params, body) = match code {
        0xE1 => ([0, 0], capabilities(random)),
        0xE3 => return algorithms(random),
        0x82 => ([slot & 0xF, 0], certificate(random)),
        0x83 => ([slot, summary], [random.bytes(32), ciphertext(model)].concat()),
        0xE0 => measurements(random, slot),
        0xE4 => ([summary, slot], key_exchange(random, model)),
        0xE6 => ([summary, 0], psk_exchange(random)),
        0xE5 | 0xE7 => return finish(random, model, session, code),
        0xE9 => ([random.pick(&[1, 1, 2, 2, 3, 3, 3, 4]), random.byte()], Vec::new()),
        0xFF => ([0x83, 7], Vec::new()),
        _ => ([0, 0], Vec::new()),
    };
    [&[version, code, params[0], params[1]], &body[..]].concat()
}

fn capabilities(random: &mut Random) -> Vec<u8> {
    let session = Caps::CERT | Caps::CHAL | Caps::ENCRYPT | Caps::MAC | Caps::KEY_EX;
    let mut flags = (session | Caps::HBEAT | Caps::KEY_UPD).0;
    for (flag, percent) in [
        (Caps::HANDSHAKE_IN_THE_CLEAR, 40),
        (Caps::ENCRYPT, 15),
        (Caps::MUT_AUTH | Caps::ENCAP, 60),
        (Caps::PSK, 60),
        (Caps::KEY_EX, 4),
        (Caps::HBEAT, 10),
        (Caps::KEY_UPD, 10),
        (Caps::CERT, 5),
    ] {
        flags ^= if random.percent(percent) { flag.0 } else { 0 };
    }
    if random.percent(5) {
        flags ^= 1 << random.below(32);
    }
    [[0; 4], flags.to_le_bytes()].concat()
}

/// Returns some of the bits, and sometimes a bit that no implementation has.
fn bitmap(random: &mut Random, bits: &[u8]) -> Bitmap {
    let unknown = if random.percent(10) { 1 << random.pick(&[7, 12, 47, 95]) } else { 0 };
    bits.iter().filter(|_| random.percent(60)).fold(unknown, |all, bit| all | 1 << bit)
}

fn algorithms(random: &mut Random) -> Vec<u8> {
    let (signatures, kems) = (SIGNATURES.map(|one| one.bit), KEMS.map(|one| one.bit));
    let has_kem_auth = random.percent(60);
    let mut kem_auth = || if has_kem_auth { bitmap(random, &kems) } else { 0 };
    let (kem_auth, req_kem_auth) = (kem_auth(), kem_auth());
    let tables = Tables {
        dhe: random.pick(&[SECP256R1, SECP256R1, 0xFF, 0x10, 0]),
        aead: random.pick(&[1, 2, 4, 7, 7, 7, 6, 8]),
        req_asym: random.pick(&[0, P256]),
        key_schedule: u32::from(!random.percent(4)),
        signature: bitmap(random, &signatures),
        req_signature: bitmap(random, &signatures),
        kem: bitmap(random, &kems),
        kem_auth,
        req_kem_auth,
        nine: random.percent(60),
    };
    let mut bytes = tables.encode();
    if random.percent(5) {
        let at = random.below(bytes.len());
        bytes[at] ^= 1 << random.below(8);
    }
    let count = if random.percent(3) {
        4
    } else if tables.nine {
        9
    } else {
        7
    };
    let asym = random.pick(&[P256, P256, P256 | 1 << 7, 0, 1 << 7]);
    let hash = random.pick(&[1_u32, 2, 3, 3, 3, 0x3F, 3, 3, 3, 4]);
    negotiate(random, count, [asym, hash], &bytes)
}

/// Encodes NEGOTIATE_ALGORITHMS, sometimes with external algorithms.
fn negotiate(random: &mut Random, count: u8, [asym, hash]: [u32; 2], tables: &[u8]) -> Vec<u8> {
    let external = random.pick(&[0, 0, 0, 0, 0, 1, 2, 3]);
    let len = (32 + 4 * external + tables.len()) as u8;
    let measures = u8::from(random.percent(80));
    let mut m = vec![VERSION, 0xE3, count, 0, len, 0, measures, 0];
    m.extend_from_slice(&asym.to_le_bytes());
    m.extend_from_slice(&hash.to_le_bytes());
    m.extend_from_slice(&[0; 12]);
    m.extend_from_slice(&[external as u8, 0, 0, 0]);
    m.extend(vec![9; 4 * external]);
    m.extend_from_slice(tables);
    m
}

fn certificate(random: &mut Random) -> Vec<u8> {
    let offset = random.pick(&[0_u32, 0, 0, 100, 700, 1 << 15]);
    let len = random.pick(&[0xFFFF_u32, 0x400, 64, 0]);
    [0, offset, len].map(u32::to_le_bytes).concat()
}

fn ciphertext(model: &Model) -> Vec<u8> {
    model.kem_key().map_or(Vec::new(), |key| key.ciphertext.clone())
}

fn measurements(random: &mut Random, slot: u8) -> ([u8; 2], Vec<u8>) {
    let signed = random.percent(50);
    let body = if signed { [random.bytes(32), vec![slot & 0xF]].concat() } else { Vec::new() };
    ([u8::from(signed), random.pick(&[0, 0xFF, 0xFF, 1, 2, 0x10, 0x55])], body)
}

fn psk_exchange(random: &mut Random) -> Vec<u8> {
    let opaque = opaque(random);
    let hint = random.pick(&[HINT, HINT, HINT, HINT, b"nobody's"]);
    let context = random.pick(&[32, 32, 64, 31]);
    let lens = [hint.len(), context, opaque.len()].map(|len| (len as u16).to_le_bytes()).concat();
    [&random.bytes(2), &lens, hint, &random.bytes(context), &opaque].concat()
}

/// Returns OpaqueData with the offered versions of secured messages, or with unknown versions.
fn opaque(random: &mut Random) -> Vec<u8> {
    let mut opaque = offer(VERSION);
    if random.percent(5) {
        let none = opaque.len() - 9;
        opaque[none..].copy_from_slice(&[1, 1, 3, 0, 0x50, 0, 0x51, 0, 0x52]);
    }
    opaque
}

fn key_exchange(random: &mut Random, model: &Model) -> Vec<u8> {
    let mut data = model.exchange_data();
    if model.selected.dhe && random.percent(5) {
        data[random.below(64)] ^= 1;
    }
    let opaque = opaque(random);
    let len = (opaque.len() as u16).to_le_bytes();
    [&random.bytes(2), &[0, 0][..], &random.bytes(32), &data, &len, &opaque].concat()
}

/// Returns FINISH or PSK_FINISH, sometimes with a wrong signature or RequesterVerifyData.
fn finish(random: &mut Random, model: &Model, session: Option<&Session>, code: u8) -> Vec<u8> {
    let Some(session) = session.filter(|session| session.in_handshake) else {
        return [vec![VERSION, code, 0, 0], vec![0; 32]].concat();
    };
    let proves = session.mutual && random.percent(95);
    let mut m = vec![VERSION, code, u8::from(proves), if proves { NO_SLOT } else { 0 }];
    if proves {
        let mut field = model.requester_field(session, &m);
        let at = random.below(field.len());
        field[at] ^= u8::from(random.percent(5));
        m.extend(field);
    }
    let mut mac = session.requester_verify_data(&m);
    mac[random.below(32)] ^= u8::from(random.percent(10));
    [m, mac].concat()
}

/// Randomly truncates or extends a message, or changes its version, code or fields.
pub(super) fn alter(random: &mut Random, m: &mut Vec<u8>) {
    match random.below(6) {
        0 => m.truncate(random.below(m.len())),
        1 => {
            let more = 1 + random.below(7);
            m.extend(random.bytes(more));
        }
        2 => m[0] = random.pick(&[0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0]),
        3 => m[1] = random.pick(CODES),
        _ => {
            // in a long message, change only the fields before the ciphertexts and keys
            let at = 2 + random.below(m.len().min(36) - 2);
            m[at] = random.byte();
        }
    }
}
