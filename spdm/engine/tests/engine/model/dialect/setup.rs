//! The start of a conversation: a responder and a model with the same settings.

use crate::common::{self, Sample, measurements};
use crate::model::dialect::keys::{KEMS, Keys, SIGNATURES};
use crate::model::dialect::mutual::Host;
use crate::model::dialect::rules::{BLOCKS, HEARTBEAT, SESSIONS};
use crate::model::dialect::tables::{P256, SECP256R1};
use crate::model::rules::HINT;
use grille_core::{DynDecapsKey, SecretBytes, SystemRng};
use grille_spdm_codec::capabilities::CapabilityFlags as Caps;
use grille_spdm_engine::algorithms::{Bits, dhe};
use grille_spdm_engine::config::{Config, MutualAuthentication};
use grille_spdm_engine::identity::{Identity, PROVISIONED};
use grille_spdm_engine::pqc2021::{Algorithms, Form, Options, PublicKeyMode, Set};
use grille_spdm_engine::responder::Responder;
use std::rc::Rc;

/// The capabilities of every responder in this test.
const RESPONDER: Caps = Caps(
    common::ALL.0 & !Caps::CHUNK.0 & !Caps::LARGE_RESP.0
        | Caps::HANDSHAKE_IN_THE_CLEAR.0
        | Caps::PSK_WITH_CONTEXT.0,
);

/// The pre-shared key, whose hint is [`HINT`].
pub(super) const PSK: &[u8] = &[0x5A; 32];

/// The settings of a conversation.
pub(super) struct Settings {
    pub(super) mode: PublicKeyMode,
    /// Whether transcripts contain the keys without certificates.
    pub(super) strict: bool,
    /// Whether the responder accepts nine tables.
    pub(super) nine: bool,
    /// Whether the responder supports a DHE group.
    pub(super) dhe: bool,
    pub(super) keys: Keys,
    /// The responder's capabilities.
    pub(super) flags: Caps,
    /// The requester's keys; `None` if the responder does not authenticate requesters.
    pub(super) host: Option<Host>,
    /// The requester's ephemeral keys of every KEY_EXCHANGE: of the DHE group, and of [`KEMS`].
    pub(super) group_key: Box<dyn DynDecapsKey>,
    pub(super) kem_keys: [Box<dyn DynDecapsKey>; 2],
}

/// The kinds of conversations: RAW mode, a classical key, KEM authentication, `strict`, nine tables, a DHE group, and
/// authentication of the requester.
const KINDS: [[bool; 7]; 10] = [
    [true, false, false, false, true, false, false],
    [true, true, false, false, true, true, true],
    [true, false, true, false, true, false, false],
    [true, true, true, false, true, true, true],
    [true, false, true, true, true, true, true],
    [true, true, false, true, false, true, true],
    [false, true, false, false, true, true, false],
    [false, false, true, false, true, false, false],
    [false, true, true, true, true, true, false],
    [false, true, false, true, false, true, false],
];

/// Creates the conversation of this seed. Ten consecutive seeds cover every kind.
pub(super) fn begin(seed: u64) -> (Responder, Rc<Settings>) {
    let [raw, asym, kem_auth, strict, nine, has_group, mutual] = KINDS[(seed % 10) as usize];
    let mode = if raw { PublicKeyMode::Raw } else { PublicKeyMode::Certificate };
    let (keys, identity) = Keys::generate(mode, asym, kem_auth);
    let identity = identity.with_psk(HINT, SecretBytes::from(PSK));
    let settings = Settings {
        mode,
        strict,
        nine,
        dhe: has_group,
        keys,
        flags: RESPONDER | if mutual { Caps::MUT_AUTH } else { Caps::NONE },
        host: mutual.then(Host::generate),
        group_key: dhe(3).unwrap().kem().generate(&mut SystemRng),
        kem_keys: KEMS.map(|kem| kem.row().kem.generate(&mut SystemRng)),
    };
    assert_eq!(measurements().iter().map(|one| one.index).collect::<Vec<_>>(), BLOCKS);
    let responder = responder(&settings, asym, kem_auth, identity);
    (responder, Rc::new(settings))
}

fn responder(settings: &Settings, asym: bool, kem_auth: bool, identity: Identity) -> Responder {
    let signature = SIGNATURES.iter().map(|one| Set::from_bit(one.bit)).collect();
    let kem: Set = KEMS.iter().map(|one| Set::from_bit(one.bit)).collect();
    let options = Options {
        algorithms: Algorithms {
            signature,
            kem,
            kem_auth: if kem_auth { kem } else { Set::NONE },
            req_signature: signature,
            req_kem_auth: kem,
        },
        public_keys: settings.mode,
        strict: settings.strict,
        form: if settings.nine { Form::KemAuthentication } else { Form::Plain },
        ..Options::default()
    };
    let algorithms = Bits {
        hash: 3,
        asym: if asym { P256 } else { 0 },
        req_asym: 0,
        dhe: if settings.dhe { SECP256R1 as u16 } else { 0 },
        pqc_asym: 0,
        req_pqc_asym: 0,
        kem: 0,
        ..Bits::all()
    };
    let config = Config {
        algorithms,
        pqc2021: Some(options),
        heartbeat: HEARTBEAT,
        max_sessions: SESSIONS,
        mutual: match settings.host {
            Some(_) => MutualAuthentication::Slot(PROVISIONED),
            None => MutualAuthentication::No,
        },
        ..Config::with(settings.flags)
    };
    let mut responder = Responder::new(config, identity, Box::new(Sample));
    settings.host.iter().for_each(|host| responder.provision_raw(host.known_keys()));
    responder
}
