//! The devices that `grille spdm responder` emulates: one for all addresses, or one per address.

use super::device::Authority;
use super::fault::Faults;
use super::local_identity::{ProvidedIdentity, new_keys};
use super::provisioning::Keys;
use crate::error::Error;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::identity::Identity;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// One emulated device.
pub(super) struct EmulatedDevice {
    /// The identity, with all changes by SET_CERTIFICATE; later connections see these changes.
    identity: Mutex<Arc<Identity>>,
    pub(super) keys: Keys,
}

impl EmulatedDevice {
    /// Creates a device. The first `slots` slots hold a chain for each key. New keys may use `algorithms`.
    pub(super) fn new(provided: ProvidedIdentity, slots: u8, algorithms: Arc<[Asym]>) -> Self {
        let ProvidedIdentity { identity, keys, .. } = provided;
        Self { identity: Mutex::new(Arc::new(identity)), keys: Keys::new(keys, slots, algorithms) }
    }

    /// Locks the device's identity.
    pub(super) fn identity(&self) -> MutexGuard<'_, Arc<Identity>> {
        self.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All emulated devices.
pub(super) enum EmulatedDevices {
    /// One device for all addresses.
    One(Arc<EmulatedDevice>),
    /// One device per address.
    Many(Box<DevicePool>),
}

impl EmulatedDevices {
    /// Returns the device at a local address.
    ///
    /// # Errors
    /// Returns an error if there is no such device, or the system provides no randomness for its keys.
    pub(super) fn at(&self, address: IpAddr) -> Result<Arc<EmulatedDevice>, Error> {
        match self {
            Self::One(device) => Ok(device.clone()),
            Self::Many(pool) => pool.at(address.to_canonical()),
        }
    }
}

/// Devices that are created on the first connection to their address.
pub(super) struct DevicePool {
    /// The maximum number of devices.
    max_devices: usize,
    /// The authorities that certify the devices.
    authorities: Vec<Authority>,
    /// The initial identity of each device.
    identity: Identity,
    slots: u8,
    algorithms: Arc<[Asym]>,
    faults: Faults,
    devices: Mutex<HashMap<IpAddr, Pending>>,
}

/// A device that is ready or being created.
type Pending = Arc<OnceLock<Result<Arc<EmulatedDevice>, Error>>>;

impl DevicePool {
    /// Creates a pool of at most `most` devices, which `authorities` certify. `identity` is the initial identity of
    /// each. The first `slots` slots hold a chain for each key. New keys may use `algorithms`.
    pub(super) fn new(
        most: usize,
        authorities: Vec<Authority>,
        identity: Identity,
        slots: u8,
        algorithms: Arc<[Asym]>,
    ) -> Self {
        let (faults, devices) = (Faults::default(), Mutex::default());
        Self { max_devices: most, authorities, identity, slots, algorithms, faults, devices }
    }

    /// Gives every device these faults.
    pub(super) fn with_faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    fn at(&self, address: IpAddr) -> Result<Arc<EmulatedDevice>, Error> {
        self.entry(address)?.get_or_init(|| self.make(address)).clone()
    }

    /// Returns the entry for an address. Keys are generated outside the lock, as some take long.
    fn entry(&self, address: IpAddr) -> Result<Pending, Error> {
        let mut devices = self.devices.lock().unwrap_or_else(PoisonError::into_inner);
        if devices.len() >= self.max_devices && !devices.contains_key(&address) {
            let problem =
                format!("no device at {address}: all {} devices use other addresses", self.max_devices);
            return Err(Error::failure(problem).advise("allow more devices with --devices"));
        }
        Ok(devices.entry(address).or_default().clone())
    }

    fn make(&self, address: IpAddr) -> Result<Arc<EmulatedDevice>, Error> {
        let keys = new_keys(&self.authorities, &format!("CN=emulated device at {address}"), &self.faults)?;
        let mut provided = ProvidedIdentity::with_slots(self.identity.clone(), self.slots, keys);
        provided.identity = self.faults.apply_to_signers(provided.identity);
        Ok(Arc::new(EmulatedDevice::new(provided, self.slots, self.algorithms.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::super::algorithms::{Choice, signers};
    use super::super::events::Events;
    use super::super::provisioning::Provisioned;
    use super::*;
    use grille_registry::Numbers;
    use grille_spdm_engine::device::Device as _;

    #[test]
    fn creates_one_device_per_address_up_to_the_limit() {
        let algorithms = signers(&Choice::CLASSICAL.bits().unwrap());
        let authority = Authority::new(algorithms[0], Numbers::default()).unwrap();
        let pool = DevicePool::new(2, vec![authority], Identity::default(), 1, algorithms.into());
        let devices = EmulatedDevices::Many(Box::new(pool));
        let at = |address: &str| devices.at(address.parse().unwrap());
        let key = |device: &EmulatedDevice| {
            let keys = device.keys.clone();
            let mut provisioned = Provisioned::new(keys, Events::default());
            provisioned.key(1).unwrap().0.to_spki_der().unwrap()
        };
        let [one, other] = ["127.0.0.1", "127.0.0.2"].map(|address| at(address).unwrap());
        assert_ne!(key(&one), key(&other));
        assert!(
            Arc::ptr_eq(&one, &at("127.0.0.1").unwrap())
                && Arc::ptr_eq(&other, &at("::ffff:127.0.0.2").unwrap())
        );
        let none = at("127.0.0.3").map(|_| ()).unwrap_err().to_string();
        assert!(none.starts_with("no device at 127.0.0.3: all 2 devices"), "{none}");
    }
}
