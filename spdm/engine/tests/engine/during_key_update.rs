//! Requests that carry or continue other requests, between UpdateKey or UpdateAllKeys and VerifyNewKey.

use crate::common::Wire;
use crate::scripted_responder::{Keys, REQUESTER, RESPONDER, in_session};
use grille_spdm_codec::chunk::{Chunk, ChunkGet, ChunkSend};
use grille_spdm_codec::encapsulated::DeliverEncapsulatedResponse;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::key_update::KeyOperation;
use grille_spdm_codec::respond_if_ready::RespondIfReady;
use grille_spdm_codec::{Code, Message, Sizes, Version};

fn encoded<'a>(message: &impl Message<'a>) -> Vec<u8> {
    let mut bytes = vec![0; 128];
    let len = message.encode(Version::V1_2, &Sizes::default(), &mut bytes).unwrap();
    bytes.truncate(len);
    bytes
}

/// Returns the code of the response, and its ErrorCode if it is ERROR.
fn answer(keys: &mut Keys, wire: &mut Wire, request: &[u8]) -> (Code, u8) {
    let request = keys.seal(REQUESTER, request);
    let answer = keys.open(RESPONDER, wire.responder.receive(&request));
    (Code(answer[1]), answer[2])
}

#[test]
fn refuses_carrier_requests_until_the_new_key_is_verified() {
    let first = Chunk { handle: 1, large_size: 80, data: &[0x12; 40], ..Chunk::default() };
    let send = encoded(&ChunkSend { chunk: first });
    let rest = Chunk { last: true, sequence: 1, large_size: 80, data: &[0; 40], ..first };
    let requests = [
        encoded(&ChunkGet { handle: 1, sequence: 0 }),
        encoded(&RespondIfReady { request: Code::GET_MEASUREMENTS, token: 1 }),
        encoded(&DeliverEncapsulatedResponse { request_id: 0, response: &[0x12, Code::ERROR.0, 1, 0] }),
        encoded(&ChunkSend { chunk: rest }),
        send.clone(),
    ];
    let unexpected = (Code::ERROR, ErrorCode::UNEXPECTED_REQUEST.0);
    for operation in [KeyOperation::UPDATE_KEY, KeyOperation::UPDATE_ALL_KEYS] {
        let (_requester, mut wire, mut keys) = in_session(Version::V1_2);
        assert_eq!(answer(&mut keys, &mut wire, &send), (Code::CHUNK_SEND_ACK, 0));
        let update = keys.seal(REQUESTER, &[0x12, Code::KEY_UPDATE.0, operation.0, 7]);
        let acknowledged = wire.responder.receive(&update);
        if operation == KeyOperation::UPDATE_ALL_KEYS {
            keys.update(RESPONDER);
        }
        assert_eq!(keys.open(RESPONDER, acknowledged)[1], Code::KEY_UPDATE_ACK.0);
        // The next request uses the old key, which the responder still accepts, or the new key.
        for new in [false, true] {
            if new {
                keys.update(REQUESTER);
            }
            // a chunked request outside sessions continues
            assert_eq!(wire.plain(&send)[1..3], [Code::CHUNK_SEND_ACK.0, 0]);
            for request in &requests {
                assert_eq!(answer(&mut keys, &mut wire, request), unexpected, "{request:02x?}");
                if request[1] != Code::CHUNK_SEND.0 {
                    wire.plain(&send);
                }
            }
            let whole = wire.plain(&encoded(&ChunkSend { chunk: rest }));
            assert_eq!(whole[1..3], [Code::CHUNK_SEND_ACK.0, 0]);
        }
        let verify = [0x12, Code::KEY_UPDATE.0, KeyOperation::VERIFY_NEW_KEY.0, 8];
        assert_eq!(answer(&mut keys, &mut wire, &verify).0, Code::KEY_UPDATE_ACK);
        assert_eq!(answer(&mut keys, &mut wire, &send), (Code::CHUNK_SEND_ACK, 0));
    }
}
