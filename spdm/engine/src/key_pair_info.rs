//! GET_KEY_PAIR_INFO and SET_KEY_PAIR_INFO (1.3): the device's keys, what they are and what they are for.

use crate::connection::write;
use crate::context::Context;
use crate::device::KeyPair;
use crate::error::{Error, Refusal};
use crate::flight::{Ask, Operation, Taken};
use crate::reply::{Asked, Reply};
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_pair_info::{GetKeyPairInfo, KeyPairInfo, SetKeyPairInfo, SetKeyPairInfoAck};
use grille_spdm_codec::{Code, Message, Sizes};

pub(crate) fn respond(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let invalid = Refusal::new(ErrorCode::INVALID_REQUEST);
    let (request, taken): (GetKeyPairInfo, _) = cx.read(asked.bytes, &Sizes::default())?;
    let pairs = cx.device.key_pairs();
    let place = usize::from(request.key_pair_id).checked_sub(1);
    let pair = place.and_then(|place| pairs.get(place)).ok_or(invalid)?;
    let total = u8::try_from(pairs.len()).map_err(|_| Refusal::new(ErrorCode::UNSPECIFIED))?;
    let body = write(&pair.message(total, request.key_pair_id), cx.connection.version, &Sizes::default())?;
    Ok(Reply::plain(body, taken))
}

pub(crate) fn respond_set(cx: &mut Context, asked: &Asked<'_>) -> Result<Reply, Refusal> {
    let (request, taken): (SetKeyPairInfo<'_>, _) = cx.read(asked.bytes, &Sizes::default())?;
    let known = (1..=cx.device.key_pairs().len()).contains(&usize::from(request.key_pair_id));
    if !known || request.operation > SetKeyPairInfo::GENERATE {
        return Err(Refusal::new(ErrorCode::INVALID_REQUEST));
    }
    cx.device.set_key_pair(&request)?;
    if request.operation == SetKeyPairInfo::CHANGE && !request.usage.is_empty() {
        cx.identity.allow(request.key_pair_id, request.usage.0);
    }
    Ok(Reply::plain(write(&SetKeyPairInfoAck, cx.connection.version, &Sizes::default())?, taken))
}

impl KeyPair {
    fn message(&self, total: u8, key_pair_id: u8) -> KeyPairInfo<'_> {
        KeyPairInfo {
            total,
            key_pair_id,
            capabilities: self.capabilities,
            usage_capabilities: self.usage_capabilities,
            usage: self.usage,
            asym_capabilities: self.asym_capabilities,
            asym: self.asym,
            slots: self.slots,
            public_key_info: &self.public_key_info,
            pqc_capabilities: &self.pqc_capabilities,
            pqc: &self.pqc,
        }
    }
}

/// Asks what a key pair is, and how many there are.
#[derive(Clone, Copy, Debug)]
pub struct FetchKeyPair(
    /// KeyPairID, from 1.
    pub u8,
);

impl Operation for FetchKeyPair {
    type Output = (u8, KeyPair);

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        Ok(Ask::plain(cx.write(&GetKeyPairInfo { key_pair_id: self.0 }, &Sizes::default())?))
    }

    fn take(&mut self, _: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<Self::Output>, Error> {
        let request = Code::GET_KEY_PAIR_INFO;
        // libspdm 4.0 sends more bytes than the message has in 1.4; no transcript has them
        let read = KeyPairInfo::decode_prefix(response, &Sizes::default());
        let (message, len) = read.map_err(|error| Error::Malformed { request, error })?;
        let pair = KeyPair {
            capabilities: message.capabilities,
            usage_capabilities: message.usage_capabilities,
            usage: message.usage,
            asym_capabilities: message.asym_capabilities,
            asym: message.asym,
            slots: message.slots,
            public_key_info: message.public_key_info.to_vec(),
            pqc_capabilities: message.pqc_capabilities.to_vec(),
            pqc: message.pqc.to_vec(),
        };
        Ok(Taken::plain(len, Some((message.total, pair))))
    }
}

/// Changes, erases or generates a key pair.
#[derive(Clone, Debug)]
pub struct SetKeyPair {
    /// Operation: 0 changes, 1 erases, 2 generates.
    pub operation: u8,
    /// KeyPairID, from 1.
    pub key_pair_id: u8,
    /// What is desired: usage, algorithm and slots of it count.
    pub desired: KeyPair,
}

impl Operation for SetKeyPair {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let KeyPair { usage, asym, slots, pqc, .. } = &self.desired;
        let (operation, key_pair_id) = (self.operation, self.key_pair_id);
        let request =
            SetKeyPairInfo { operation, key_pair_id, usage: *usage, asym: *asym, slots: *slots, pqc };
        Ok(Ask::plain(cx.write(&request, &Sizes::default())?))
    }

    fn take(&mut self, cx: &mut Context, _: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let request = Code::SET_KEY_PAIR_INFO;
        let (SetKeyPairInfoAck, len) = cx.read_response(request, response, &Sizes::default())?;
        Ok(Taken::plain(len, Some(())))
    }
}
