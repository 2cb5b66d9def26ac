//! The measurement extension log.

use crate::provisioning::pair;
use grille_spdm_codec::Version;
use grille_spdm_codec::algorithms::MelSpecification;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::error::{Error, Usage, Violation};
use grille_spdm_engine::operation::Step;
use grille_spdm_engine::operations::FetchLog;

#[test]
fn reads_long_logs_in_portions_or_chunks() {
    for chunks in [true, false] {
        let (mut requester, mut wire, _) = pair(Version::V1_3, |config| {
            if !chunks {
                config.limits.flags.0 &= !Caps::CHUNK.0;
            }
        });
        assert_eq!(requester.run(FetchLog::default(), &mut wire).unwrap().len(), 40_000);
    }
}

#[test]
fn logs_need_a_negotiated_specification() {
    for specification in [MelSpecification::DMTF, MelSpecification::NONE] {
        let (mut requester, mut wire, _) =
            pair(Version::V1_3, |config| config.mel_specification = specification);
        let fetched = requester.run(FetchLog::default(), &mut wire);
        let portion = wire.plain(&[0x13, 0xEF, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0]);
        if specification == MelSpecification::DMTF {
            assert_eq!((fetched.unwrap().len(), portion.len()), (40_000, 12 + 16));
        } else {
            assert!(matches!(fetched, Err(Error::Usage(Usage::NoCapability { .. }))), "{fetched:?}");
            assert_eq!(portion, [0x13, 0x7F, ErrorCode::UNEXPECTED_REQUEST.0, 0]);
        }
    }
}

#[test]
fn rejects_log_that_changes_between_portions() {
    let (mut requester, mut wire, _) = pair(Version::V1_3, |config| config.limits.flags.0 &= !Caps::CHUNK.0);
    let (mut active, first) = requester.start(FetchLog::default()).unwrap();
    let answer = wire.responder.receive(&first);
    let Step::Send(second) = requester.receive(&mut active, answer).unwrap() else { panic!("short") };
    let Packet::Message(mut answer) = wire.responder.receive(&second) else { panic!("a record") };
    // RemainderLength
    answer[8] = answer[8].wrapping_add(1);
    let refused = requester.receive(&mut active, Packet::Message(answer));
    let portion = Violation::Portion;
    assert!(matches!(refused, Err(Error::Violation { violation, .. }) if violation == portion));
}
