//! Requests about the device since 1.2: certificates, keys, measurement log, events and endpoint information.

use crate::model::banks;
use crate::model::device::{
    EP_INFO, GROUPS, KEY_PAIRS, KEY_USAGES, RESET_INFO, TRACKING_TAG, VENDOR_ERROR, log,
};
use crate::model::events;
use crate::model::fields::Fields;
use crate::model::rules::ENDPOINT_INFO_USE;
use crate::model::state::Model;
use crate::random::Random;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::signatures;

/// The codes of requests about the device.
pub(crate) const CODES: [u8; 10] = [0x87, 0x88, 0xE2, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xFC, 0xFD];

const INVALID: ErrorCode = ErrorCode::INVALID_REQUEST;

/// Returns the ErrorData that ERROR with the code `error` must have.
pub(crate) fn error_data(m: &[u8], error: u8) -> u8 {
    match error {
        0x07 => m[1],
        0x0C => TRACKING_TAG,
        0xFF => VENDOR_ERROR.0,
        _ => 0,
    }
}

/// Returns a well-formed request: its parameters and the remaining bytes.
pub(crate) fn request(random: &mut Random, model: &Model, version: u8, code: u8) -> ([u8; 2], Vec<u8>) {
    let slot = random.pick(&[0, 0, 1, 2, 0xF]);
    match code {
        0x87 => {
            let signed = random.percent(60);
            let nonce = random.bytes(if signed { 32 } else { 0 });
            ([random.pick(&[1, 1, 1, 2]), slot], [&[u8::from(signed), 0, 0, 0], &nonce[..]].concat())
        }
        0x88 => {
            let (sub_code, body) = banks::request(random);
            ([sub_code, 0], body)
        }
        0xED => {
            let len = random.below(40);
            let info = if random.percent(20) { RESET_INFO.to_vec() } else { random.bytes(len) };
            let list = [1, 0, 0, 0, 3, 2, 0x86, 0x80, 1, 0, 7, 0].to_vec();
            let opaque = if random.percent(80) { list } else { random.bytes(len / 2) };
            let lens = [info.len(), opaque.len()].map(|len| (len as u16).to_le_bytes()).concat();
            // a key pair, a model and an unknown CSRTrackingTag; reserved before 1.3
            let chance =
                [(); 2].map(|()| if random.percent(85) { 0 } else { random.pick(&[1, 2, 8, 0x40, 0x80]) });
            let params = if model.responder_multi_key && random.percent(80) {
                [1, random.pick(&[1, 2, 3, 4])]
            } else {
                chance
            };
            (params, [lens, info, opaque].concat())
        }
        0xEE => set_certificate(random, model, version, slot),
        0xEF => {
            let fields = [random.pick(&[0_u32, 100, 2799, 2800]), random.pick(&[0_u32, 64, 900, u32::MAX])];
            ([0, 0], fields.map(u32::to_le_bytes).concat())
        }
        0xF0 if random.percent(70) => {
            let groups = if random.percent(80) { &GROUPS[..] } else { &GROUPS[..10] };
            ([random.pick(&[1, 1, 1, 2]), 0], [&(groups.len() as u32).to_le_bytes(), groups].concat())
        }
        0xF1 => ([0, 0], events::send(random)),
        0xFC => ([0, 0], vec![random.below(4) as u8]),
        0xFD => {
            let operation = random.pick(&[0, 0, 0, 1, 2, 3]);
            let usage = random.pick(&[0_u16, 1, 2, 8, KEY_USAGES, KEY_USAGES, 0x10, 0x4001]).to_le_bytes();
            let [asym, slots] = [(); 2].map(|()| if random.percent(85) { 0 } else { 1 << random.below(8) });
            let pqc: &[u8] = random.pick(&[&[0], &[0], &[1, 0], &[2, 0, 4]]);
            let pqc = if version >= 0x14 { pqc } else { &[] };
            let desired = [&[0][..], &usage, &[asym, 0, 0, 0, slots], pqc].concat();
            let desired = if operation == 1 { Vec::new() } else { desired };
            ([operation, 0], [&[random.below(4) as u8], &desired[..]].concat())
        }
        _ => ([0, 0], Vec::new()),
    }
}

/// Returns SET_CERTIFICATE: usually with the slot's chain, sometimes with another one, and sometimes to erase the slot.
fn set_certificate(random: &mut Random, model: &Model, version: u8, slot: u8) -> ([u8; 2], Vec<u8>) {
    let (erase, whole) = (version >= 0x13 && random.percent(15), random.percent(50));
    let issuer = if random.percent(90) { slot } else { 1 };
    let known = model.device_state.slots.iter().find(|one| one.number == issuer).zip(model.hash);
    // a model and KeyPairID, only for multi-key connections; reserved before 1.3
    let chance = [(); 2].map(|()| if random.percent(90) { 0 } else { 1 });
    let with_model = model.responder_multi_key && random.percent(80);
    let [model, key_pair] =
        if with_model { [if erase { 0 } else { random.pick(&[1, 2, 3]) }, slot + 1] } else { chance };
    let chain = known.filter(|_| !erase).map(|(one, hash)| {
        let alias = if with_model { model == 2 } else { one.model == 2 };
        one.offer(hash, whole, alias && random.percent(90))
    });
    ([slot | model << 4 | if erase { 0x80 } else { 0 }, key_pair], chain.unwrap_or_default())
}

fn errors(wrong: bool, error: ErrorCode) -> Vec<ErrorCode> {
    if wrong { vec![error] } else { Vec::new() }
}

impl Model {
    /// Returns the errors that a request may get; `None` if its length does not match its fields.
    pub(crate) fn device_field_errors(
        &self,
        inside: bool,
        m: &[u8],
        mut fields: Fields<'_>,
    ) -> Option<Vec<ErrorCode>> {
        match m[1] {
            0x87 => {
                let signed = fields.number(1)? & 1 != 0;
                fields.take(if signed { 3 + 32 } else { 3 })?;
                let mut errors = errors(m[2] != 1, INVALID);
                errors.extend(self.signing_error(m[3] & 0xF, ENDPOINT_INFO_USE).filter(|_| signed));
                fields.errors_at_end(errors)
            }
            0x88 => self.slot_management_errors(inside, m),
            0xED => {
                let lens = [fields.number(2)?, fields.number(2)?].map(|len| len as usize);
                let (info, opaque) = (fields.take(lens[0])?, fields.take(lens[1])?);
                // only the first key pair has the negotiated algorithm
                let named = if self.responder_multi_key {
                    m[2] == 1 && (1..=3).contains(&(m[3] & 7))
                } else {
                    m[2] == 0 && m[3] & 7 == 0
                };
                let invalid = self.version >= 0x13 && (!named || m[3] & 0x38 != 0);
                fields.errors_at_end(if invalid || !self.accepts_opaque(opaque) {
                    vec![INVALID]
                } else {
                    errors(info == RESET_INFO, ErrorCode::RESET_REQUIRED)
                })
            }
            0xEE => Some(self.set_certificate_errors(inside, m)),
            0xEF => {
                let (offset, _) = (fields.number(4)? as usize, fields.number(4)?);
                let mut wrong = errors(offset >= log().len(), INVALID);
                wrong.extend(errors(!self.logs, ErrorCode::UNEXPECTED_REQUEST));
                fields.errors_at_end(wrong)
            }
            0xF0 if m[2] != 0 => {
                let groups = fields.counted(4)?;
                fields.errors_at_end(errors(m[2] != 1 || groups != GROUPS, INVALID))
            }
            0xFC => {
                let known = (1..=KEY_PAIRS.into()).contains(&fields.number(1)?);
                fields.errors_at_end(errors(!known, INVALID))
            }
            0xFD => self.set_key_pair_errors(m, fields),
            _ => fields.errors_at_end(Vec::new()),
        }
    }

    /// Returns the errors that SET_CERTIFICATE may get. Outside sessions it needs a trusted environment, which this
    /// device never has.
    fn set_certificate_errors(&self, inside: bool, m: &[u8]) -> Vec<ErrorCode> {
        let (chain, erase) = (&m[4..], self.version >= 0x13 && m[2] & 0x80 != 0);
        let slot = self.device_state.slots.iter().find(|slot| slot.number == m[2] & 0xF).zip(self.hash);
        let named = [m[3], m[2] >> 4 & 7];
        let fits = slot.is_some_and(|(slot, hash)| {
            let model = if self.responder_multi_key { named[1] } else { slot.model };
            if erase { chain.is_empty() } else { slot.accepts_chain(hash, chain, model) }
        });
        let right = match slot {
            Some((slot, _)) if self.responder_multi_key => {
                let model = named[1];
                let model = if erase {
                    model == 0
                } else {
                    (1..=if slot.number == 0 { 2 } else { 3 }).contains(&model)
                };
                named[0] == slot.key_pair() && model
            }
            _ => named == [0, 0],
        };
        let mut all = errors(!fits || self.version >= 0x13 && !right, INVALID);
        all.extend((!inside).then_some(ErrorCode::UNEXPECTED_REQUEST));
        all
    }

    fn set_key_pair_errors(&self, m: &[u8], mut fields: Fields<'_>) -> Option<Vec<ErrorCode>> {
        let pair = fields.number(1)?;
        let able = match m[2] {
            0 => (1..=KEY_PAIRS.into()).contains(&pair),
            operation => u32::from(operation) == pair && operation <= 2,
        };
        let mut desired = true;
        if m[2] != 1 {
            fields.take(1)?;
            let (usage, rest) = (fields.number(2)?, fields.take(5)?);
            desired = usage & !u32::from(KEY_USAGES) == 0 && rest.iter().all(|byte| *byte == 0);
            if self.version >= 0x14 {
                desired &= fields.counted(1)?.iter().all(|byte| *byte == 0);
            }
        }
        fields.expect_end()?;
        let failed = errors(m[2] == 2, ErrorCode::OPERATION_FAILED);
        Some(if able && desired { failed } else { vec![INVALID] })
    }

    /// Checks the response to a request about the device, and applies its effects.
    pub(crate) fn on_device_answer(&mut self, m: &[u8], r: &[u8]) {
        match m[1] {
            0x87 => self.on_endpoint_info(m, r),
            0x88 => self.on_slot_management_resp(m, r),
            0xE2 => assert_eq!(r[2..], [&[1, 0, 14, 0, 0, 0][..], &GROUPS].concat()),
            0xED => {
                let len = (m.len() - 8) as u16;
                assert_eq!(r[2..], [&[0, 0], &len.to_le_bytes()[..], &[0, 0], &m[8..]].concat());
            }
            0xEE => {
                assert_eq!(r[2..], [m[2] & 0xF, 0]);
                let hash = self.hash.unwrap();
                let slot = self.device_state.slots.iter_mut().find(|slot| slot.number == m[2] & 0xF).unwrap();
                if self.responder_multi_key && m[2] & 0x80 == 0 {
                    slot.model = m[2] >> 4 & 7;
                }
                slot.set(hash, &m[4..]);
            }
            0xEF => {
                let number =
                    |bytes: &[u8], at| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap()) as usize;
                let rest = &log()[number(m, 4)..];
                let portion = &r[12..];
                assert_eq!((number(r, 4), number(r, 8)), (portion.len(), rest.len() - portion.len()));
                assert!(portion.len() <= number(m, 8) && rest.starts_with(portion));
            }
            0xFC => {
                let usage = self.device_state.usage[usize::from(m[4] - 1)];
                assert_eq!((r[4], r[5], [r[10], r[11]]), (KEY_PAIRS, m[4], usage));
            }
            0xFD => {
                let usage = &mut self.device_state.usage[usize::from(m[4] - 1)];
                match m[2] {
                    1 => *usage = [0, 0],
                    _ if m[6..8] != [0, 0] => *usage = [m[6], m[7]],
                    _ => {}
                }
                let now = usage[0];
                let of_pair = self.device_state.slots.iter_mut().filter(|slot| slot.key_pair() == m[4]);
                of_pair.for_each(|slot| slot.usage = now);
            }
            _ => assert_eq!(r[2..], [0, 0]),
        }
    }

    fn on_endpoint_info(&self, m: &[u8], r: &[u8]) {
        let signed = m[4] & 1 != 0;
        let (body, signature) = r.split_at(r.len() - if signed { self.signature_len() } else { 0 });
        let at = if signed { 8 + 32 } else { 8 };
        assert_eq!(body[at..], [&(EP_INFO.len() as u32).to_le_bytes(), &EP_INFO[..]].concat());
        assert_eq!(r[3], if signed { m[3] & 0xF } else { 0 });
        if signed {
            self.verify(m[3] & 0xF, signatures::ENDPOINT_INFO, &[&self.vca, m, body], signature);
        }
    }
}
