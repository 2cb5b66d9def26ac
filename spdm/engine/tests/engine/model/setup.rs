//! The start of a conversation: a responder and a model with the same settings. Seeds vary mutual authentication, events and
//! multi-key connections.

use crate::common::{self, classical, credential, delayable, measurements};
use crate::model::device::{DeviceLog, Sample};
use crate::model::identity::{Host, Settings, Slot};
use crate::model::rules::{BLOCKS, DATA_TRANSFER_SIZE, HEARTBEAT, HINT, MAX_MESSAGE_SIZE, SESSIONS, SLOTS};
use crate::model::state::{DeviceState, Model};
use grille_core::{SecretBytes, SystemRng};
use grille_spdm_codec::capabilities::{CapabilityFlags as Caps, ExtCapabilityFlags};
use grille_spdm_engine::algorithms::dhe;
use grille_spdm_engine::config::{Config, MutualAuthentication};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::identity::{self, Identity, PROVISIONED};
use grille_spdm_engine::responder::Responder;
use grille_spdm_engine::trust::Roots;
use std::rc::Rc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

const PSK: &[u8] = &[0x5A; 32];

/// The capabilities of every responder in this test.
const RESPONDER: Caps = Caps(
    common::ALL.0
        | Caps::PSK_WITH_CONTEXT.0
        | Caps::ENCAP.0
        | Caps::HANDSHAKE_IN_THE_CLEAR.0
        | Caps::MUT_AUTH.0
        | Caps::EP_INFO_SIG.0
        | Caps::CSR.0
        | Caps::SET_CERT.0
        | Caps::MEL.0
        | Caps::GET_KEY_PAIR_INFO.0
        | Caps::SET_KEY_PAIR_INFO.0,
);

/// The modes of mutual authentication in sessions.
const MODES: [MutualAuthentication; 5] = [
    MutualAuthentication::No,
    MutualAuthentication::Encapsulated,
    MutualAuthentication::Digests,
    MutualAuthentication::Slot(0),
    MutualAuthentication::Slot(PROVISIONED),
];

/// A responder with its model, the flag that delays its signer, and the data that its device received.
pub(crate) struct Setup {
    pub(crate) responder: Responder,
    pub(crate) model: Model,
    pub(crate) slow: Arc<AtomicBool>,
    pub(crate) device_log: Arc<Mutex<DeviceLog>>,
    /// The refusal with which the device answers requests; `None` if it does not refuse them.
    pub(crate) device_refusal: Arc<Mutex<Option<Refusal>>>,
}

/// Creates the conversation of this seed. Ten consecutive seeds cover every kind.
pub(crate) fn begin(seed: u64) -> Setup {
    let [first, second, host] = [(); 3].map(|()| credential(classical("P256")));
    let slow = Arc::new(AtomicBool::new(false));
    let mut identity = Identity::default().with_psk(HINT, SecretBytes::from(PSK));
    for (number, one) in SLOTS.into_iter().zip([&first, &second]) {
        let later = slow.clone();
        let signer = delayable(&one.signer, move || Ok(!later.load(Ordering::Relaxed)));
        identity = identity.with(identity::Slot::new(number, one.chain.clone(), signer));
    }
    let kind = (seed % 10) as usize;
    let (basic, provisioned) = (kind != 1, !kind.is_multiple_of(3));
    let events = if kind < 8 { Caps::EVENT } else { Caps::NONE };
    let several = if kind % 4 == 2 { Caps::MULTI_KEY_CONN_SEL } else { Caps::NONE };
    let flags = RESPONDER | events | several;
    let mut config = Config { mutual: MODES[kind % 5], basic_mutual: basic, ..Config::with(flags) };
    (config.heartbeat, config.max_sessions) = (HEARTBEAT, SESSIONS);
    (config.algorithms.hash, config.algorithms.dhe, config.algorithms.kem) = (3, 1 << 3, 0);
    (config.algorithms.req_asym, config.algorithms.req_pqc_asym) = (1 << 4, 0);
    (config.limits.data_transfer_size, config.limits.max_message_size) =
        (DATA_TRANSFER_SIZE as u32, MAX_MESSAGE_SIZE as u32);
    config.limits.ext_flags = ExtCapabilityFlags::SLOT_MGMT;
    let settings = Settings {
        asym: classical("P256"),
        psk: PSK.to_vec(),
        ephemeral: dhe(3).unwrap().kem().generate(&mut SystemRng),
        flags,
        mutual: config.mutual,
        basic,
        host: Host::new(&host),
        provisioned,
    };
    assert_eq!(measurements().iter().map(|one| one.index).collect::<Vec<_>>(), BLOCKS);
    let device = Sample::default();
    let (device_log, device_refusal) = (device.device_log.clone(), device.device_refusal.clone());
    let responder = Responder::new(config, identity, Box::new(device));
    let mut responder = responder.with_chain_verifier(Box::new(Roots::new(vec![host.root.clone()])));
    if provisioned {
        responder.provision(settings.host.key.clone());
    }
    let slots = SLOTS.into_iter().zip([&first, &second]).map(|(number, one)| Slot::new(number, one));
    let device_state = DeviceState { slots: slots.collect(), ..DeviceState::default() };
    Setup { responder, model: Model::new(Rc::new(settings), device_state), slow, device_log, device_refusal }
}
