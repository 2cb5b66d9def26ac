//! The requester's answers to encapsulated requests, mostly valid ones.

use crate::model::device::{EP_INFO, GROUPS};
use crate::model::encapsulated::{EncapsulatedFlow, FlowStep};
use crate::model::rules::OPAQUE_ELEMENT;
use crate::model::state::Model;
use crate::random::Random;
use grille_spdm_engine::operations::FetchEndpointInfo;

/// Returns DELIVER_ENCAPSULATED_RESPONSE without its version and code.
pub(crate) fn deliver(random: &mut Random, model: &Model, place: Option<u32>) -> ([u8; 2], Vec<u8>) {
    // the answer that is sent if no request is outstanding
    let nothing = ([0, 0], vec![model.version, 0x01, 0, 0]);
    let Some(flow) = model.flow_at(place).filter(|flow| !flow.request.is_empty()) else {
        return nothing;
    };
    let mut response = answer(random, model, flow);
    match random.below(25) {
        0 => response = [model.version, 0x7F, random.pick(&[0x01, 0x03, 0x42]), 0].to_vec(),
        1 => response[random.below(4)] ^= 1 << random.below(8),
        2 => {
            let at = random.below(response.len());
            response[at] ^= 1 << random.below(8);
        }
        _ => {}
    }
    let id = if random.percent(98) { flow.id } else { flow.id.wrapping_add(1) };
    ([id, 0], response)
}

/// Returns a valid answer, in one of several forms.
fn answer(random: &mut Random, model: &Model, flow: &EncapsulatedFlow) -> Vec<u8> {
    let (version, hash, host) = (model.version, model.hash.unwrap(), &model.settings.host);
    let asked = &flow.request;
    let header = |code, param1, param2| vec![version, code, param1, param2];
    match &flow.step {
        FlowStep::Digests => digests(random, model),
        FlowStep::Certificate(slot, got, _) => {
            let rest = &host.chain(hash)[got.len()..];
            let len = if random.percent(70) { rest.len() } else { random.below(rest.len()) + 1 };
            let (portion, left) = rest.split_at(len.min(rest.len()));
            let lens = [portion.len(), left.len()];
            let large = asked[2] & 0x80;
            let lens = if large == 0 {
                lens.map(|len| (len as u16).to_le_bytes()).concat()
            } else {
                [0, lens[0], lens[1]].map(|len| (len as u32).to_le_bytes()).concat()
            };
            [&header(0x02, slot | large, u8::from(model.multi_key)), &lens, portion].concat()
        }
        FlowStep::Challenge(slot) => {
            let context = if version >= 0x13 { &asked[36..44] } else { &[] };
            let chain = host.digest(hash, *slot);
            let nonce = random.bytes(32);
            let has_opaque = model.opaque || random.percent(10);
            let opaque = if has_opaque { OPAQUE_ELEMENT } else { &[0, 0] };
            let slots = 1_u8.checked_shl((*slot).into()).unwrap_or(0);
            let body = [&header(0x03, slot & 0xF, slots), chain.as_ref(), &nonce, opaque, context];
            with_signature(model, flow, body.concat())
        }
        FlowStep::Update(_) => header(0x69, asked[2], asked[3]),
        FlowStep::Event(_) => header(0x71, 0, 0),
        FlowStep::EventTypes => {
            [&header(0x62, 1, 0)[..], &(GROUPS.len() as u32).to_le_bytes(), &GROUPS].concat()
        }
        FlowStep::Subscribe(_) => header(0x70, 0, 0),
        FlowStep::EndpointInfo(FetchEndpointInfo { signed: slot, .. }) => {
            let nonce = if slot.is_some() { random.bytes(32) } else { Vec::new() };
            let len = (EP_INFO.len() as u32).to_le_bytes();
            let slot = slot.map(|slot| slot & 0xF);
            let body = [&header(0x07, 0, slot.unwrap_or(0))[..], &[0; 4], &nonce, &len, &EP_INFO].concat();
            if slot.is_some() { with_signature(model, flow, body) } else { body }
        }
    }
}

/// Returns DIGESTS of one or two slots.
fn digests(random: &mut Random, model: &Model) -> Vec<u8> {
    let mask = random.pick(&[1, 1, 9, 2]);
    let (slots, full) = (u8::count_ones(mask) as usize, model.settings.host.digest(model.hash.unwrap(), 0));
    let full = full.as_ref();
    // the lowest slot may have only a key, without a chain
    let empty = random.percent(4);
    let digest = |at| if empty && at == 0 { vec![0; full.len()] } else { full.to_vec() };
    let digests = [vec![model.version, 0x01, mask, mask], (0..slots).flat_map(digest).collect()].concat();
    if !model.multi_key {
        return digests;
    }
    // KeyPairID, CertificateInfo and KeyUsageMask
    let mut models = vec![random.pick(&[1, 1, 1, 1, 1, 1, 2, 3, 0]); slots];
    models[0] *= u8::from(!empty);
    let usages = (0..slots).flat_map(|_| [random.pick(&[0xF, 0xF, 0xF, 0xF, 7, 9, 2, 0x10]), 0]);
    let usages = usages.collect();
    [digests, random.bytes(slots), models, usages].concat()
}

fn with_signature(model: &Model, flow: &EncapsulatedFlow, body: Vec<u8>) -> Vec<u8> {
    let signature = model.settings.host.sign(&model.to_be_signed(flow, &body));
    [body, signature].concat()
}
