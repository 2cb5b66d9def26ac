//! Random messages: well-formed ones of every code, and their random alterations.

use crate::model::identity::signing_input;
use crate::model::provisioning;
use crate::model::requester_answers;
use crate::model::rules::{DATA_TRANSFER_SIZE, HINT, MAX_MESSAGE_SIZE, OPAQUE_ELEMENT, offer};
use crate::model::session::Mutual;
use crate::model::state::{Model, Phase, Session};
use crate::random::Random;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::dhe;
use grille_spdm_engine::signatures::FINISH;

/// Every defined code, and some undefined ones.
const CODES: &[u8] = &[
    0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0xE0, 0xE1, 0xE2, 0xE3, 0xE4, 0xE5, 0xE6, 0xE7, 0xE8,
    0xE9, 0xEA, 0xEB, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xFC, 0xFD, 0xFE, 0xFF, 0x00, 0x04, 0x7F, 0x80,
    0xA0,
];

/// Returns a request code, usually one that is allowed.
pub(crate) fn code(random: &mut Random, model: &Model, session: Option<&Session>) -> u8 {
    if random.percent(25) {
        return random.pick(CODES);
    }
    if model.deferred.is_some() && random.percent(80) {
        return 0xFF;
    }
    if random.percent(2) {
        return 0x84;
    }
    if model.phase == Phase::Negotiated
        && let Some(code) = conversation(random, model, session)
    {
        return code;
    }
    match (model.phase, session) {
        (Phase::Start, _) => 0x84,
        (Phase::Version, _) => 0xE1,
        (Phase::Capabilities, _) => random.pick(&[0xE3, 0xE3, 0xE3, 0xE1]),
        (_, Some(session)) if session.is_in_handshake() => {
            if session.psk {
                0xE7
            } else {
                0xE5
            }
        }
        (_, Some(session)) if session.unverified => random.pick(&[0xE9, 0xE9, 0xE9, 0xE8]),
        (_, Some(_)) => {
            random.pick(&[0x81, 0x82, 0xE0, 0xE0, 0xE0, 0xE8, 0xE8, 0xE9, 0xE9, 0xEA, 0xEC, 0xFE])
        }
        (_, None) => {
            random.pick(&[0x81, 0x82, 0x82, 0x83, 0xE0, 0xE0, 0xE0, 0xE4, 0xE4, 0xE6, 0xEA, 0xFE, 0xE3])
        }
    }
}

/// Returns a code that continues an encapsulated request flow, or a request for the device, if the version defines it.
fn conversation(random: &mut Random, model: &Model, session: Option<&Session>) -> Option<u8> {
    if let Some(flow) = model.flow_at(session.map(|session| session.id))
        && random.percent(90)
    {
        return Some(if flow.request.is_empty() || random.percent(5) { 0xEA } else { 0xEB });
    }
    let open = session.is_none_or(|session| !session.is_in_handshake() && !session.unverified);
    // few sessions subscribe to events, so prefer events in those that do
    if open && session.is_some_and(|session| session.responder_subscribed) && random.percent(30) {
        return Some(0xF1);
    }
    (model.version >= 0x12 && open && random.percent(25)).then(|| random.pick(&provisioning::CODES))
}

/// Returns a well-formed request.
pub(crate) fn request(random: &mut Random, model: &Model, session: Option<&Session>, code: u8) -> Vec<u8> {
    let version = match code {
        0x84 => 0x10,
        0xE1 if model.phase < Phase::Capabilities => 0x10 + random.below(5) as u8,
        _ => model.version,
    };
    let (late, newest) = (version >= 0x13, version >= 0x14);
    let slot = random.pick(&[0, 0, 0, 1, 1, 2, 0xFF]);
    let summary = random.pick(&[0, 0, 0, 1, 0xFF, 2]);
    let context = if late { 8 } else { 0 };
    let (params, body) = match code {
        0xE1 => ([u8::from(random.percent(20)), 0], capabilities(random, version)),
        0xE3 => return algorithms(random, version),
        0x82 => return certificate(random, version, slot),
        0x83 => ([slot, summary], random.bytes(32 + context)),
        0xE0 => {
            let signed = random.percent(50);
            let nonce = if signed { random.bytes(32) } else { Vec::new() };
            let place = if signed && version >= 0x11 { vec![slot] } else { Vec::new() };
            let operation = random.pick(&[0, 0xFF, 0xFF, 1, 2, 0x10, 0x55]);
            (
                [u8::from(signed) | random.pick(&[0, 2]), operation],
                [nonce, place, random.bytes(context)].concat(),
            )
        }
        0xE4 => ([summary, slot], key_exchange(random, model, version)),
        0xE6 => ([summary, random.pick(&[0, 1, 1, 2])], psk_exchange(random, version)),
        0xE5 | 0xE7 => return finish(random, model, session, version, code),
        0xE9 => ([random.pick(&[1, 1, 2, 2, 3, 3, 3, 4]), random.below(256) as u8], Vec::new()),
        0xEB => requester_answers::deliver(random, model, session.map(|session| session.id)),
        0xFE => {
            let len = random.pick(&[
                3_u16,
                3,
                3,
                3,
                DATA_TRANSFER_SIZE as u16 - 11,
                DATA_TRANSFER_SIZE as u16,
                MAX_MESSAGE_SIZE as u16,
            ]);
            let data = random.bytes(len.into());
            ([0, 0], [&[3, 0, 2, 0x86, 0x80][..], &len.to_le_bytes(), &data].concat())
        }
        0xFF => {
            let waiting = model.deferred.as_ref().map(|deferred| [deferred.request[1], deferred.token]);
            (waiting.filter(|_| random.percent(90)).unwrap_or([0x83, 7]), Vec::new())
        }
        // a CHUNK_SEND out of order
        0x85 => ([0, 9], vec![5, 0, 0, 0, 1, 0, 0, 0, 0xAA]),
        0x86 => ([0, 9], vec![0; if newest { 4 } else { 2 }]),
        _ => provisioning::request(random, model, version, code),
    };
    [&[version, code, params[0], params[1]], &body[..]].concat()
}

fn capabilities(random: &mut Random, version: u8) -> Vec<u8> {
    if version == 0x10 {
        return Vec::new();
    }
    let session = Caps::CERT | Caps::CHAL | Caps::ENCRYPT | Caps::MAC | Caps::KEY_EX | Caps::ENCAP;
    let mut flags = (session | Caps::HBEAT | Caps::KEY_UPD | Caps::PSK | Caps::MUT_AUTH).0;
    for (flag, percent) in [
        (Caps::CERT | Caps::PUB_KEY_ID, 15),
        (Caps::MUT_AUTH, 10),
        (Caps::EP_INFO_SIG, 60),
        (Caps::EVENT, 60),
        (Caps::LARGE_RESP, 10),
        (Caps::MULTI_KEY_ONLY, 10),
        (Caps::MULTI_KEY_CONN_SEL, 10),
        (Caps::HANDSHAKE_IN_THE_CLEAR, 40),
        (Caps::CHUNK, 60),
        (Caps::ENCRYPT, 15),
        (Caps::KEY_EX, 8),
        (Caps::PSK, 20),
        (Caps::HBEAT, 10),
        (Caps::KEY_UPD, 10),
        (Caps::ENCAP, 20),
    ] {
        flags ^= if random.percent(percent) { flag.0 } else { 0 };
    }
    if random.percent(5) {
        flags ^= 1 << random.below(32);
    }
    let mut body = vec![0, 0, 0, 0];
    body.extend_from_slice(&flags.to_le_bytes());
    if version >= 0x12 {
        let small = 41 + random.below(300) as u32;
        let transfer = random.pick(&[0x1200, 0x1200, small]);
        let most: u32 = if flags & Caps::CHUNK.0 == 0 {
            transfer
        } else {
            random.pick(&[0x4_0000, 0x4_0000, 600, transfer])
        };
        body.extend_from_slice(&u32::to_le_bytes(transfer));
        body.extend_from_slice(&most.to_le_bytes());
    }
    body
}

fn algorithms(random: &mut Random, version: u8) -> Vec<u8> {
    let tables = match version {
        0x10 => 0,
        _ if random.percent(5) => 3,
        _ => 4,
    };
    // some external algorithms, up to the limit and one more
    let mut tail = random.pick(&[0, 0, 0, 0, 0, 1, 1, 20, 21]);
    let external = vec![9; 4 * tail];
    let [mut dhe, mut aead] = [random.pick(&[8, 8, 0xFF, 0x18]), random.pick(&[1, 2, 4, 7, 6])];
    let mut req_asym = random.pick(&[0x10, 0x10, 0x10, 0x90, 0x80]);
    // a table without algorithms
    match random.below(40) {
        0 => dhe = 0,
        1 => req_asym = 0,
        _ => {}
    }
    let (mut asym, mut hash) =
        (random.pick(&[0x10_u32, 0x10, 0x90, 0xFFF]), random.pick(&[1_u32, 2, 3, 3, 0x3F]));
    // Sometimes, all algorithms of a kind are ones that the responder does not support.
    match random.below(30) {
        0 => dhe = 0x10,
        1 => aead = 8,
        2 => asym = random.pick(&[0, 0x80]),
        3 => hash = random.pick(&[0, 4]),
        _ => {}
    }
    let all = [2, 0x20, dhe, 0, 3, 0x20, aead, 0, 4, 0x20, req_asym, 0, 5, 0x20, 1, 0];
    tail += 32 + 3 * tail + 4 * tables;
    let other_params = random.pick(&[2, 0x12, 0x12, 0x12, 0x13, 0x11]);
    let measures = u8::from(random.percent(80));
    let mut m = vec![version, 0xE3, tables as u8, 0, tail as u8, 0, measures, other_params];
    m.extend_from_slice(&asym.to_le_bytes());
    m.extend_from_slice(&hash.to_le_bytes());
    m.extend_from_slice(&[0; 12]);
    // MELspecification, reserved before 1.3
    let logs = u8::from(random.percent(80));
    m.extend_from_slice(&[(external.len() / 4) as u8, 0, 0, logs]);
    m.extend_from_slice(&external);
    m.extend_from_slice(&all[..4 * tables]);
    m
}

fn certificate(random: &mut Random, version: u8, slot: u8) -> Vec<u8> {
    let offset = random.pick(&[0_u32, 0, 0, 100, 700, 1 << 15]);
    let len = random.pick(&[0xFFFF_u32, 0x400, 64]);
    let size = if version >= 0x13 { random.pick(&[0, 0, 1]) } else { 0 };
    if version < 0x14 || random.percent(50) {
        let fields = [offset as u16, len as u16].map(u16::to_le_bytes).concat();
        return [&[version, 0x82, slot & 0xF, size], &fields[..]].concat();
    }
    let fields = [0, offset, len].map(u32::to_le_bytes).concat();
    [&[version, 0x82, slot & 0xF | 0x80, size], &fields[..]].concat()
}

/// Returns OpaqueData with the offered versions of secured messages, or with an unknown version.
fn opaque(random: &mut Random, version: u8) -> Vec<u8> {
    let mut offer = offer(version);
    if random.percent(5) {
        let none = offer.len() - 9;
        offer[none..].copy_from_slice(&[1, 1, 3, 0, 0x50, 0, 0x51, 0, 0x52]);
    }
    offer
}

fn key_exchange(random: &mut Random, model: &Model, version: u8) -> Vec<u8> {
    let exchange = dhe(3).unwrap();
    let key = model.settings.ephemeral.encaps_key_bytes();
    let mut point = exchange.to_wire(&key).to_vec();
    if random.percent(5) {
        point[random.below(64)] ^= 1;
    }
    let opaque = opaque(random, version);
    let policy = random.pick(&[0, 1, 1, 2]);
    let number = random.bytes(2);
    let len = (opaque.len() as u16).to_le_bytes();
    [&number, &[policy, 0][..], &random.bytes(32), &point, &len, &opaque].concat()
}

fn psk_exchange(random: &mut Random, version: u8) -> Vec<u8> {
    let opaque = opaque(random, version);
    let hint = random.pick(&[HINT, HINT, HINT, HINT, b"nobody's"]);
    let context = random.pick(&[32, 32, 64, 31]);
    let lens = [hint.len(), context, opaque.len()].map(|len| (len as u16).to_le_bytes()).concat();
    [&random.bytes(2), &lens, hint, &random.bytes(context), &opaque].concat()
}

fn finish(random: &mut Random, model: &Model, session: Option<&Session>, version: u8, code: u8) -> Vec<u8> {
    let handshake = session.filter(|session| session.is_in_handshake());
    let proves = handshake.and_then(|session| match session.mutual {
        Mutual::Slot(slot) if code == 0xE5 && random.percent(90) => Some((session, slot)),
        _ => None,
    });
    let (included, slot) = proves.map_or((0, 0), |(_, slot)| (1, slot));
    let mut m = vec![version, code, included, slot];
    if version >= 0x14 {
        // an element, or one that is too short
        let broken: &[u8] = &[8, 0, 1, 0, 0, 0, 0, 0, 1, 0];
        m.extend_from_slice(random.pick(&[&[0, 0], &[0, 0], OPAQUE_ELEMENT, broken]));
    }
    if let Some((session, _)) = proves {
        let mut signature =
            model.settings.host.sign(&signing_input(version, session.hash, FINISH, &[&session.th, &m]));
        signature[10] ^= u8::from(random.percent(5));
        m.extend(signature);
    }
    let mut mac = handshake.map_or(vec![0; 32], |session| session.requester_verify_data(&m));
    if random.percent(10) {
        mac[random.below(32)] ^= 1 << random.below(8);
    }
    [m, mac].concat()
}

/// Randomly truncates or extends a message, or changes its version, code or fields.
pub(crate) fn alter(random: &mut Random, m: &mut Vec<u8>) {
    // the model predicts CHUNK_SEND only with the fields of `request`
    let kinds = if m[1] == 0x85 { 3 } else { 6 };
    match random.below(kinds) {
        0 => m.truncate(random.below(m.len())),
        1 => {
            let more = 1 + random.below(7);
            m.extend(random.bytes(more));
        }
        2 => m[0] = random.pick(&[0x0F, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0]),
        3 => m[1] = Some(random.pick(CODES)).filter(|code| *code != 0x85).unwrap_or(0x86),
        _ => {
            // in a long message, change only the fields before the random parts
            let at = 2 + random.below(m.len().min(38) - 2);
            m[at] = random.below(256) as u8;
        }
    }
}
