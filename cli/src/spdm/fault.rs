//! Intentional faults of an emulated device (`--fault`), to rehearse failing attestations.

use clap::ValueEnum;
use grille_core::CryptoRng;
use grille_pki::issue::Template;
use grille_spdm_codec::Code;
use grille_spdm_codec::error::ErrorCode;
use grille_spdm_codec::measurements::Block;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::config::Packet;
use grille_spdm_engine::device::{MeasuredValue, Measurement};
use grille_spdm_engine::error::Refusal;
use grille_spdm_engine::identity::Identity;
use grille_spdm_engine::signatures::{Signer, ToBeSigned};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, SystemTime};

/// An intentional fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum Fault {
    /// Change the firmware measurement (index 2)
    Measurement,
    /// Omit the firmware measurement (index 2)
    Missing,
    /// Report security version 6 instead of 7 (index 16)
    Rollback,
    /// Report active invasive debugging in the device mode (index 254)
    Debug,
    /// Report recovery mode in the device mode (index 254)
    Recovery,
    /// Flip one bit of every signature
    Signature,
    /// Announce a digest in DIGESTS that does not match the chain
    Digest,
    /// Use a device certificate that expired yesterday; needs new keys
    Expired,
    /// Use a root other than the one saved by --root; needs new keys
    Root,
    /// Delay every response by ten seconds
    Slow,
    /// Do not answer any message
    Silent,
    /// Close the connection on CHALLENGE
    Close,
    /// Refuse measurements with Busy, at every attempt
    Busy,
    /// Refuse measurements with Unspecified
    Refuse,
}

/// The faults of a device; empty for a device without faults.
#[derive(Clone, Debug, Default)]
pub(super) struct Faults(Vec<Fault>);

/// The handling of a response.
pub(crate) enum Answer {
    /// Send this packet.
    Send(Packet),
    /// Send nothing.
    Withhold,
    /// Close the connection.
    Close,
}

/// The extra response time of a slow device.
const DELAY: Duration = Duration::from_secs(10);

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

impl Faults {
    pub(super) fn new(faults: &[Fault]) -> Self {
        Self(faults.to_vec())
    }

    fn has(&self, fault: Fault) -> bool {
        self.0.contains(&fault)
    }

    /// Returns the first fault that needs new certificates, if there is one.
    pub(super) fn certificate_fault(&self) -> Option<&'static str> {
        let first = self.0.iter().find(|fault| matches!(fault, Fault::Expired | Fault::Root));
        first.map(|fault| if *fault == Fault::Root { "root" } else { "expired" })
    }

    /// Returns whether the device has a root other than the saved one.
    pub(super) fn replaces_root(&self) -> bool {
        self.has(Fault::Root)
    }

    /// Applies the faults to the device certificate.
    pub(super) fn apply_to_certificate(&self, template: Template) -> Template {
        if !self.has(Fault::Expired) {
            return template;
        }
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        template.valid(now.saturating_sub(30 * DAY), now.saturating_sub(DAY))
    }

    /// Applies the faults to the device's signers.
    pub(super) fn apply_to_signers(&self, identity: Identity) -> Identity {
        if !self.has(Fault::Signature) {
            return identity;
        }
        identity.with_signers(|signer| Arc::new(FlippingSigner(signer)))
    }

    /// Applies the faults to the device's measurements.
    ///
    /// # Errors
    /// Returns an error if a fault refuses measurements.
    pub(super) fn apply_to_measurements(
        &self,
        mut contents: Vec<Measurement>,
    ) -> Result<Vec<Measurement>, Refusal> {
        for fault in &self.0 {
            match fault {
                Fault::Busy => return Err(Refusal::new(ErrorCode::BUSY)),
                Fault::Refuse => return Err(Refusal::new(ErrorCode::UNSPECIFIED)),
                Fault::Missing => contents.retain(|one| one.index != FIRMWARE),
                Fault::Measurement => {
                    replace(&mut contents, FIRMWARE, MeasuredValue::Hashed(b"other firmware".to_vec()));
                }
                Fault::Rollback => {
                    replace(
                        &mut contents,
                        SECURITY_VERSION,
                        MeasuredValue::Raw(6_u64.to_le_bytes().to_vec()),
                    );
                }
                _ => {}
            }
        }
        if let Some(mode) = self.device_mode() {
            // A faulty device mode replaces the regular one.
            contents.retain(|one| one.index != mode.index);
            contents.push(mode);
        }
        Ok(contents)
    }

    /// Returns the device mode that the faults cause, if they cause one.
    fn device_mode(&self) -> Option<Measurement> {
        let (is_debugged, recovers) = (self.has(Fault::Debug), self.has(Fault::Recovery));
        let operational = if recovers { RECOVERY } else { NORMAL };
        let debugging = if is_debugged { DEBUGGED } else { 0 };
        (is_debugged || recovers).then(|| device_mode(operational, debugging))
    }

    /// Applies the faults to the answer to a request: withholds, alters or delays it, or closes the connection.
    pub(super) fn answer(&self, request: &Packet, mut answer: Packet) -> Answer {
        let is_request =
            |code: Code| matches!(request, Packet::Message(bytes) if bytes.get(1) == Some(&code.0));
        if self.has(Fault::Silent) {
            return Answer::Withhold;
        }
        if self.has(Fault::Close) && is_request(Code::CHALLENGE) {
            return Answer::Close;
        }
        if self.has(Fault::Digest)
            && let Packet::Message(bytes) = &mut answer
            && bytes.get(1) == Some(&Code::DIGESTS.0)
        {
            // The first byte of the first digest.
            bytes.get_mut(4).into_iter().for_each(|byte| *byte ^= 1);
        }
        if self.has(Fault::Slow) {
            thread::sleep(DELAY);
        }
        Answer::Send(answer)
    }
}

/// DMTFSpecMeasurementValueType of the device mode.
const DEVICE_MODE: u8 = 5;

/// Index of the emulated device's firmware measurement.
const FIRMWARE: u8 = 2;
/// Index of the emulated device's security version.
const SECURITY_VERSION: u8 = 0x10;

/// Replaces the value of a measurement.
fn replace(contents: &mut [Measurement], index: u8, value: MeasuredValue) {
    if let Some(one) = contents.iter_mut().find(|one| one.index == index) {
        one.value = value;
    }
}

/// Bit of normal operation in OperationalModeState and OperationalModeCapabilities (DSP0274 "Device mode field of a
/// measurement block").
const NORMAL: u32 = 1 << 2;
/// Bit of recovery mode in OperationalModeState and OperationalModeCapabilities.
const RECOVERY: u32 = 1 << 3;
/// Bits of DeviceModeState: invasive debugging is active, was active at some time since the last reset, and at some
/// time since manufacturing.
const DEBUGGED: u32 = 1 << 1 | 1 << 3 | 1 << 4;

/// Returns a device mode measurement with the capabilities of the emulated device, and with these states of the
/// operational mode and of the device mode.
fn device_mode(operational: u32, device: u32) -> Measurement {
    let fields = [NORMAL | RECOVERY, operational, DEBUGGED, device].map(u32::to_le_bytes);
    let value = MeasuredValue::Raw(fields.concat());
    Measurement { index: Block::DEVICE_MODE, kind: DEVICE_MODE, value, tcb: false }
}

/// A signer that flips one bit in the middle of each signature.
struct FlippingSigner(Arc<dyn Signer>);

impl Signer for FlippingSigner {
    fn algorithm(&self) -> Asym {
        self.0.algorithm()
    }

    fn sign(
        &self,
        message: &ToBeSigned,
        rng: &mut dyn CryptoRng,
    ) -> Result<Option<Vec<u8>>, grille_core::Error> {
        let signature = self.0.sign(message, rng)?;
        Ok(signature.map(|mut signature| {
            let middle = signature.len() / 2;
            signature.get_mut(middle).into_iter().for_each(|byte| *byte ^= 1);
            signature
        }))
    }

    fn ready_exponent(&self) -> u8 {
        self.0.ready_exponent()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the device modes measured by a device with these faults and a regular device mode.
    fn modes(faults: &[Fault]) -> Vec<Measurement> {
        let contents = vec![device_mode(NORMAL, 0)];
        let measured = Faults::new(faults).apply_to_measurements(contents).unwrap();
        measured.into_iter().filter(|one| one.index == Block::DEVICE_MODE).collect()
    }

    #[test]
    fn faults_replace_the_device_mode() {
        for (faults, operational, debugging) in [
            (&[][..], NORMAL, 0),
            (&[Fault::Debug], NORMAL, DEBUGGED),
            (&[Fault::Recovery], RECOVERY, 0),
            (&[Fault::Debug, Fault::Recovery], RECOVERY, DEBUGGED),
        ] {
            let expected = device_mode(operational, debugging).value;
            let [measured] = modes(faults).try_into().unwrap_or_else(|all| panic!("{faults:?}: {all:?}"));
            assert_eq!(measured.value, expected, "{faults:?}");
        }
    }
}
