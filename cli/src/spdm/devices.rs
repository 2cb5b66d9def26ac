//! The devices that `grille spdm responder` emulates: one, or many of which each is at an address of its own.

use super::device::Authority;
use super::fault::Faults;
use super::own::{Provided, made};
use super::provisioning::Keys;
use crate::error::Error;
use grille_spdm_engine::algorithms::Asym;
use grille_spdm_engine::identity::Identity;
use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// One of them.
pub(super) struct Unit {
    /// As requesters left it: what SET_CERTIFICATE put there is served to all who come later.
    identity: Mutex<Arc<Identity>>,
    pub(super) keys: Keys,
}

impl Unit {
    /// `slots`: so many have a chain for each key. `algorithms`: what new keys may be of.
    pub(super) fn new(provided: Provided, slots: u8, algorithms: Arc<[Asym]>) -> Self {
        let Provided { identity, keys, .. } = provided;
        Self { identity: Mutex::new(Arc::new(identity)), keys: Keys::new(keys, slots, algorithms) }
    }

    /// What it proves itself with.
    pub(super) fn identity(&self) -> MutexGuard<'_, Arc<Identity>> {
        self.identity.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// All of them.
pub(super) enum Units {
    /// Wherever requesters come.
    One(Arc<Unit>),
    /// Each at its address.
    Many(Box<Crowd>),
}

impl Units {
    /// The one at this address of this machine.
    ///
    /// # Errors
    /// If there is none, or the system gives no randomness for its keys.
    pub(super) fn at(&self, address: IpAddr) -> Result<Arc<Unit>, Error> {
        match self {
            Self::One(unit) => Ok(unit.clone()),
            Self::Many(crowd) => crowd.at(address.to_canonical()),
        }
    }
}

/// Devices of which each is made when somebody first comes to its address.
pub(super) struct Crowd {
    /// How many there may be.
    most: usize,
    /// Who certifies them.
    authorities: Vec<Authority>,
    /// What each begins with.
    identity: Identity,
    slots: u8,
    algorithms: Arc<[Asym]>,
    faults: Faults,
    units: Mutex<HashMap<IpAddr, Begun>>,
}

/// One that is there, or is being made.
type Begun = Arc<OnceLock<Result<Arc<Unit>, Error>>>;

impl Crowd {
    /// `identity`: what each begins with. The rest is as in [`Unit::new`].
    pub(super) fn new(
        most: usize,
        authorities: Vec<Authority>,
        identity: Identity,
        slots: u8,
        algorithms: Arc<[Asym]>,
    ) -> Self {
        let (faults, units) = (Faults::default(), Mutex::default());
        Self { most, authorities, identity, slots, algorithms, faults, units }
    }

    /// Each with these faults.
    pub(super) fn with_faults(self, faults: Faults) -> Self {
        Self { faults, ..self }
    }

    fn at(&self, address: IpAddr) -> Result<Arc<Unit>, Error> {
        self.begun(address)?.get_or_init(|| self.make(address)).clone()
    }

    /// Keys are made outside the lock: some take long.
    fn begun(&self, address: IpAddr) -> Result<Begun, Error> {
        let mut units = self.units.lock().unwrap_or_else(PoisonError::into_inner);
        if units.len() >= self.most && !units.contains_key(&address) {
            let what = format!("nobody is at {address}: all {} devices are at other addresses", self.most);
            return Err(Error::failure(what).advise("--devices has room for more"));
        }
        Ok(units.entry(address).or_default().clone())
    }

    fn make(&self, address: IpAddr) -> Result<Arc<Unit>, Error> {
        let keys = made(&self.authorities, &format!("CN=emulated device at {address}"), &self.faults)?;
        let mut provided = Provided::in_slots(self.identity.clone(), self.slots, keys);
        provided.identity = self.faults.signing(provided.identity);
        Ok(Arc::new(Unit::new(provided, self.slots, self.algorithms.clone())))
    }
}

#[cfg(test)]
mod tests {
    use super::super::algorithms::{Choice, signers};
    use super::super::events::Events;
    use super::super::provisioning::Provisioned;
    use super::*;
    use grille_spdm_engine::device::Device as _;

    #[test]
    fn each_address_has_a_device_of_its_own_until_there_are_enough() {
        let algorithms = signers(&Choice::CLASSICAL.bits().unwrap());
        let authority = Authority::new(algorithms[0]).unwrap();
        let crowd = Crowd::new(2, vec![authority], Identity::default(), 1, algorithms.into());
        let units = Units::Many(Box::new(crowd));
        let at = |address: &str| units.at(address.parse().unwrap());
        let key = |unit: &Unit| {
            let keys = unit.keys.clone();
            let mut device = Provisioned::new(keys, Events::default());
            device.key(1).unwrap().0.to_spki_der().unwrap()
        };
        let [one, other] = ["127.0.0.1", "127.0.0.2"].map(|address| at(address).unwrap());
        assert_ne!(key(&one), key(&other));
        assert!(
            Arc::ptr_eq(&one, &at("127.0.0.1").unwrap())
                && Arc::ptr_eq(&other, &at("::ffff:127.0.0.2").unwrap())
        );
        let none = at("127.0.0.3").map(|_| ()).unwrap_err().to_string();
        assert!(none.starts_with("nobody is at 127.0.0.3: all 2 devices"), "{none}");
    }
}
