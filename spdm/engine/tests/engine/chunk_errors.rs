//! Responders that are busy during a chunked transfer, or acknowledge chunks incorrectly.

use crate::common::{self, Wire, classical, config, credential, pair_with};
use crate::hostile_responses::AlteringWire;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Violation};
use grille_spdm_engine::operation::Operation;
use grille_spdm_engine::operations::{ChallengeResponder, Connect, FetchCertificate, OpenSession};
use grille_spdm_engine::requester::Requester;
use std::time::Duration;

/// Connects two sides with a transfer size of 100 bytes, so that CHALLENGE_AUTH and KEY_EXCHANGE are chunked. The requester's
/// patience is 100 milliseconds.
fn connected() -> (Requester, Wire) {
    let [mut ours, mut theirs] = [common::REQUESTER, common::ALL].map(|flags| config(Version::V1_2, flags));
    (ours.limits.data_transfer_size, theirs.limits.data_transfer_size) = (100, 100);
    ours.patience = Duration::from_millis(100);
    let (mut requester, mut wire) = pair_with(ours, theirs, &credential(classical("P256")));
    requester.run(Connect::new(), &mut wire).unwrap();
    requester.run(FetchCertificate::new(0), &mut wire).unwrap();
    wire.log.clear();
    (requester, wire)
}

/// Runs an operation. Calls `alter` with every response of this code and with the response's number, from 0. Returns
/// the result, and up to five bytes of each request, after SPDMVersion.
fn run_altered<O: Operation>(
    operation: O,
    code: Code,
    alter: impl Fn(usize, &mut Vec<u8>),
) -> (Result<O::Output, Error>, Vec<Vec<u8>>) {
    let (mut requester, wire) = connected();
    let mut number = 0;
    let alter = |message: &mut Vec<u8>| {
        if message[1] == code.0 {
            alter(number, message);
            number += 1;
        }
    };
    let mut altering_wire = AlteringWire { wire, alter, packets: 0 };
    let result = requester.run(operation, &mut altering_wire);
    let asked = altering_wire.wire.log.into_iter().map(|(request, _)| match request {
        Packet::Message(request) => request[1..].iter().copied().take(5).collect(),
        Packet::Secured(_) => Vec::new(),
    });
    (result, asked.collect())
}

/// Returns a function that replaces the responses with these numbers by Busy.
fn busy(which: &[usize]) -> impl Fn(usize, &mut Vec<u8>) {
    move |number, message| {
        if which.contains(&number) {
            *message = vec![message[0], Code::ERROR.0, ErrorCode::BUSY.0, 0];
        }
    }
}

#[test]
fn refetches_only_the_chunk_after_busy() {
    for (which, fetched) in
        [(&[][..], &[0, 1][..]), (&[0], &[0, 0, 1]), (&[1], &[0, 1, 1]), (&[0, 1, 3, 4], &[0, 0, 0, 1, 1, 1])]
    {
        let (proof, asked) = run_altered(ChallengeResponder::new(0, 0), Code::CHUNK_RESPONSE, busy(which));
        proof.unwrap();
        let (challenge, rest) = asked.split_first().unwrap();
        assert_eq!(challenge[0], Code::CHALLENGE.0);
        let handle = rest[0][2];
        let gets: Vec<Vec<u8>> =
            fetched.iter().map(|sequence| vec![Code::CHUNK_GET.0, 0, handle, *sequence, 0]).collect();
        assert_eq!(rest, gets, "{which:?}");
    }
    // The requester waits 10, 10, 20 and 40 ms of at most 100 ms.
    let (given_up, asked) =
        run_altered(ChallengeResponder::new(0, 0), Code::CHUNK_RESPONSE, busy(&[1, 2, 3, 4, 5]));
    assert!(matches!(given_up, Err(Error::NotReady { .. })), "{given_up:?}");
    assert_eq!(asked.len(), 1 + 1 + 5);
}

#[test]
fn resends_chunked_request_after_busy() {
    for (which, sent) in [
        (&[][..], &[(1, 0), (1, 1), (1, 2)][..]),
        (&[0], &[(1, 0), (2, 0), (2, 1), (2, 2)]),
        (&[1], &[(1, 0), (1, 1), (2, 0), (2, 1), (2, 2)]),
        // Busy replaces the last acknowledgement, so the session that the responder has opened is never used
        (&[2], &[(1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2)]),
        (&[0, 1], &[(1, 0), (2, 0), (3, 0), (3, 1), (3, 2)]),
    ] {
        let (session, asked) = run_altered(OpenSession::new(0), Code::CHUNK_SEND_ACK, busy(which));
        session.unwrap();
        let chunks: Vec<_> =
            asked.iter().filter(|asked| asked.first() == Some(&Code::CHUNK_SEND.0)).collect();
        let chunks: Vec<_> = chunks.iter().map(|chunk| (chunk[2], chunk[3])).collect();
        assert_eq!(chunks, sent, "{which:?}");
    }
}

/// In 1.2, CHUNK_SEND_ACK has six bytes before the response.
#[test]
fn rejects_invalid_chunk_acknowledgements() {
    type Alter = fn(&mut Vec<u8>);
    let acknowledged = |which: usize, alter: Alter| {
        let alter = move |number, message: &mut Vec<u8>| {
            if number == which {
                alter(message);
            }
        };
        let (result, asked) = run_altered(OpenSession::new(0), Code::CHUNK_SEND_ACK, alter);
        (result.unwrap_err(), asked.len())
    };
    let wrong: [Alter; 4] = [
        // EarlyErrorDetected without an error, or with another response
        |message| message[2] = 1,
        |message| {
            message[2] = 1;
            message.extend([0x12, Code::DIGESTS.0, 0, 0]);
        },
        // a premature error or response without EarlyErrorDetected
        |message| message.extend([0x12, Code::ERROR.0, ErrorCode::INVALID_REQUEST.0, 0]),
        |message| message.push(0),
    ];
    for (number, alter) in wrong.into_iter().enumerate() {
        let (error, asked) = acknowledged(0, alter);
        assert!(matches!(error, Error::Violation { violation: Violation::Chunk, .. }), "{number}: {error:?}");
        assert_eq!(asked, 1, "{number}");
    }
    let (error, asked) = acknowledged(0, |message| {
        message[2] = 1;
        message.extend([0x12, Code::ERROR.0, ErrorCode::UNSPECIFIED.0, 0]);
    });
    let refused = matches!(error, Error::Refused { code: ErrorCode::UNSPECIFIED, .. });
    assert!(refused && asked == 1, "{error:?} after {asked}");
    // The last acknowledgement contains no response.
    let (error, asked) = acknowledged(2, |message| message.truncate(6));
    assert!(matches!(error, Error::Malformed { .. }) && asked == 3, "{error:?} after {asked}");
}
