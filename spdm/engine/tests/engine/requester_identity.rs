//! The authenticated identity of a session's requester.

use crate::common::{classical, credential};
use crate::mutual::pair;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::config::MutualAuthentication;
use grille_spdm_engine::operations::{End, OpenSession};
use grille_spdm_engine::requester_identity::RequesterIdentity;

#[test]
fn responder_knows_the_authenticated_identity_of_each_session() {
    let (device, host) = (credential(classical("P256")), credential(classical("P256")));
    let who = |mutual| {
        let (mut requester, mut wire) = pair(Version::V1_4, mutual, Caps::NONE, [&device, &host]);
        let session = requester.run(OpenSession::new(0), &mut wire).unwrap();
        let slot = match wire.responder.authenticated(session).unwrap() {
            RequesterIdentity::Key { slot, key } => {
                assert_eq!(
                    key.to_spki_der().unwrap(),
                    host.chain[1].public_key().unwrap().to_spki_der().unwrap()
                );
                Some(slot)
            }
            RequesterIdentity::Anonymous => None,
            RequesterIdentity::Psk { .. } => panic!("a pre-shared key"),
            RequesterIdentity::Kem { .. } => panic!("a KEM key"),
        };
        assert_eq!(requester.authenticated_with(session), slot);
        requester.run(End(session), &mut wire).unwrap();
        assert!(wire.responder.authenticated(session).is_none());
        slot
    };
    assert_eq!(who(MutualAuthentication::No), None);
    assert_eq!(who(MutualAuthentication::Encapsulated), Some(0));
}
