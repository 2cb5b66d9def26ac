//! Negotiations in which the two sides have no algorithm of a kind in common.

use crate::common::{self, classical, config, credential};
use grille_core::SecretBytes;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::{Code, Version};
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage};
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::operations::{
    ChallengeResponder, Connect, FetchCertificate, FetchDigests, Measure, OpenPskSession, OpenSession,
};
use grille_spdm_engine::refused_request::Reason;
use grille_spdm_engine::requester::Requester;
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::Roots;
use std::ops::Range;

/// The kind of algorithm that the two sides do not have in common.
#[derive(Clone, Copy, Debug, PartialEq)]
enum MissingKind {
    Hash,
    Asym,
    KeyExchange,
    Aead,
    KeySchedule,
}

impl MissingKind {
    const ALL: [Self; 5] = [Self::Hash, Self::Asym, Self::KeyExchange, Self::Aead, Self::KeySchedule];

    /// Creates a P-256 responder and a requester without this kind in common. Both offer other algorithms of the kind, so that
    /// neither table is empty.
    fn pair(self, version: Version) -> (Requester, common::Wire) {
        let mut ours = config(version, common::ALL | Caps::PSK_WITH_CONTEXT);
        let mut theirs = config(version, common::REQUESTER | Caps::PSK);
        let (ours_only, theirs_only) = (&mut ours.algorithms, &mut theirs.algorithms);
        match self {
            Self::Hash => (ours_only.hash, theirs_only.hash) = (1, 2),
            Self::Asym => {
                // the responder has only a P-256 key
                (theirs_only.asym, theirs_only.pqc_asym) = (1 << 7, 0);
            }
            Self::KeyExchange => {
                (ours_only.dhe, ours_only.kem) = (1 << 4, 1);
                (theirs_only.dhe, theirs_only.kem) = (1 << 3, 2);
            }
            Self::Aead => (ours_only.aead, theirs_only.aead) = (1, 2),
            Self::KeySchedule => theirs_only.key_schedule = 0,
        }
        let device = credential(classical("P256"));
        let with_psk = |identity: Identity| identity.with_psk(b"hint", SecretBytes::from(&[7; 32][..]));
        let judge = Box::new(Roots::new(vec![device.root.clone()]));
        let requester = Requester::new(theirs, with_psk(Identity::default()), judge);
        let responder = Responder::new(ours, with_psk(device.identity()), Box::new(common::Sample));
        (requester, common::Wire::new(responder))
    }

    /// Returns whether ALGORITHMS selects no algorithm of this kind, and one of every other kind.
    fn is_zero_in(self, version: Version, algorithms: &[u8]) -> bool {
        let zero = |range: Range<usize>| algorithms[range].iter().all(|byte| *byte == 0);
        let tables = |kinds: &[u8]| {
            let mut found = algorithms[36..].chunks(4).filter(|table| kinds.contains(&table[0]));
            found.all(|table| table[2..] == [0, 0])
        };
        let session = version >= Version::V1_1;
        let found = [
            zero(16..20),
            zero(12..16) && zero(20..24),
            session && tables(&[2, 7]),
            session && tables(&[3]),
            session && tables(&[5]),
        ];
        found == Self::ALL.map(|kind| kind == self)
    }

    /// Returns whether a request of this code needs the kind.
    fn is_needed_by(self, code: Code) -> bool {
        match code {
            Code::GET_DIGESTS | Code::CHALLENGE => self == Self::Asym,
            Code::KEY_EXCHANGE => true,
            Code::PSK_EXCHANGE => matches!(self, Self::Aead | Self::KeySchedule),
            _ => false,
        }
    }
}

/// DSP0274 "ALGORITHMS": if the two sides have no algorithm of a kind in common, its selection is zero, which is not an
/// error. Requests that do not need that kind still work. The responder answers requests that need it with
/// RequestResynch, and the requester does not send such requests.
#[test]
fn missing_common_algorithm_gets_zero_selection() {
    for version in Version::ALL {
        for kind in MissingKind::ALL {
            if version == Version::V1_0 && !matches!(kind, MissingKind::Hash | MissingKind::Asym) {
                continue;
            }
            let (mut requester, mut wire) = kind.pair(version);
            let connected = requester.run(Connect::new(), &mut wire);
            let Packet::Message(algorithms) = &wire.log.last().unwrap().1 else {
                panic!("no session is open")
            };
            assert_eq!(algorithms[1], Code::ALGORITHMS.0, "{version:?} {kind:?}");
            assert!(kind.is_zero_in(version, algorithms), "{version:?} {kind:?}: {algorithms:02x?}");
            if kind == MissingKind::Hash {
                assert!(
                    matches!(connected, Err(Error::NothingInCommon { kind: "hash algorithm" })),
                    "{connected:?}"
                );
                let (_, reason) = wire.last_refusal();
                assert_eq!(reason, Reason::NoAlgorithm("hash algorithm"));
                for _ in 0..2 {
                    let answer = wire.plain(&[version.byte(), Code::GET_DIGESTS.0, 0, 0]);
                    assert_eq!(answer[1..3], [Code::ERROR.0, ErrorCode::REQUEST_RESYNCH.0], "{version:?}");
                }
                assert_eq!(wire.plain(&[0x10, Code::GET_VERSION.0, 0, 0])[1], Code::VERSION.0);
                continue;
            }
            connected.unwrap();
            check_remaining_requests(version, kind, &mut requester, &mut wire);
        }
    }
}

/// Checks that unsigned measurements still work, and that the requester sends exactly the requests that the selection
/// permits.
fn check_remaining_requests(
    version: Version,
    kind: MissingKind,
    requester: &mut Requester,
    wire: &mut common::Wire,
) {
    requester.run(Measure::new(0xFF), wire).unwrap();
    let stopped = |result: Result<(), Error>, code: Code| {
        let stopped =
            matches!(result, Err(Error::Usage(Usage::NothingInCommon { request, .. })) if request == code);
        assert_eq!(stopped, kind.is_needed_by(code), "{version:?} {kind:?} {code}: {result:?}");
    };
    stopped(requester.run(FetchDigests, wire).map(|_| ()), Code::GET_DIGESTS);
    if kind != MissingKind::Asym {
        requester.run(FetchCertificate::new(0), wire).unwrap();
        requester.run(Measure::new(0xFF).signed(0), wire).unwrap();
    }
    stopped(requester.run(ChallengeResponder::new(0, 0), wire).map(|_| ()), Code::CHALLENGE);
    if version >= Version::V1_1 {
        stopped(requester.run(OpenSession::new(0), wire).map(|_| ()), Code::KEY_EXCHANGE);
        stopped(requester.run(OpenPskSession::new(b"hint"), wire).map(|_| ()), Code::PSK_EXCHANGE);
    }
    // a request whose algorithm was not selected requires a new connection
    let code = if kind == MissingKind::Asym { Code::GET_DIGESTS } else { Code::KEY_EXCHANGE };
    let answer = wire.plain(&[version.byte(), code.0, 0, 0]);
    assert_eq!(answer[1..3], [Code::ERROR.0, ErrorCode::REQUEST_RESYNCH.0], "{version:?} {kind:?}");
    assert!(matches!(wire.last_refusal().1, Reason::NoAlgorithm(_)));
    let again = wire.plain(&[version.byte(), Code::GET_MEASUREMENTS.0, 0, 0]);
    assert_eq!(again[1..3], [Code::ERROR.0, ErrorCode::REQUEST_RESYNCH.0]);
    requester.run(Connect::new(), wire).unwrap();
}

/// ALGORITHMS with its tables is longer than the requester's transfer size of 42 bytes.
#[test]
fn zero_selection_can_be_chunked() {
    let (mut requester, mut wire) = MissingKind::Hash.pair(Version::V1_4);
    requester.run(Connect::new(), &mut wire).unwrap_err();
    let [version, mut capabilities, negotiate] = [0, 1, 2].map(|at: usize| match &wire.log[at].0 {
        Packet::Message(request) => request.clone(),
        Packet::Secured(_) => panic!("no session is open"),
    });
    capabilities[12..16].copy_from_slice(&42_u32.to_le_bytes());
    wire.plain(&version);
    let _ = wire.plain(&capabilities);
    let large = wire.plain(&negotiate);
    assert_eq!(large[1..3], [Code::ERROR.0, ErrorCode::LARGE_RESPONSE.0]);
    for sequence in 0..2 {
        let chunk = wire.plain(&[0x14, Code::CHUNK_GET.0, 0, large[4], sequence, 0, 0, 0]);
        assert_eq!(chunk[1], Code::CHUNK_RESPONSE.0, "{chunk:02x?}");
    }
    let answer = wire.plain(&negotiate);
    assert_eq!(answer[1..3], [Code::ERROR.0, ErrorCode::REQUEST_RESYNCH.0]);
}
