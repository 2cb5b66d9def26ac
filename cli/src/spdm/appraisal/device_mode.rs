//! The device mode measurement (DSP0274 "Device mode field of a measurement block").

use serde::Serialize;
use std::fmt;

/// DMTFSpecMeasurementValueType of a device mode.
pub(in crate::spdm) const DEVICE_MODE: u8 = 5;

/// The operational mode of a device, and its debugging state.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub(in crate::spdm) struct DeviceMode {
    /// The operational modes that the device is in.
    operational: Vec<&'static str>,
    /// The reported debugging states.
    debugging: Vec<&'static str>,
    /// Names of the modes that a policy refuses by default.
    concerns: Vec<&'static str>,
    #[serde(skip)]
    modes: Modes,
}

/// Length in bytes of OperationalModeCapabilities, OperationalModeState, DeviceModeCapabilities and DeviceModeState;
/// u32 each.
const LEN: usize = 16;

/// Bits of OperationalModeState: the name of each, and its mode in a policy.
const OPERATIONAL: [(&str, Modes); 6] = [
    ("manufacturing", Modes::MANUFACTURING),
    ("validation", Modes::VALIDATION),
    ("normal", Modes::NONE),
    ("recovery", Modes::RECOVERY),
    ("return merchandise authorization", Modes::RMA),
    ("decommissioned", Modes::DECOMMISSIONED),
];

/// Bits of DeviceModeState: the name of each, and its mode in a policy.
const DEBUGGING: [(&str, Modes); 5] = [
    ("non-invasive debugging is active", Modes::DEBUG),
    ("invasive debugging is active", Modes::DEBUG),
    ("non-invasive debugging was active at some time since the last reset", Modes::DEBUG),
    ("invasive debugging was active at some time since the last reset", Modes::DEBUG),
    ("invasive debugging was active at some time since manufacturing", Modes::PAST_DEBUG),
];

/// The number of the bit of normal operation in OperationalModeState.
const NORMAL: usize = 2;

/// OperationalModeCapabilities with every mode of the standard.
const ALL_OPERATIONAL: u32 = (1 << OPERATIONAL.len()) - 1;
/// DeviceModeCapabilities with every debugging state of the standard.
const ALL_DEBUGGING: u32 = (1 << DEBUGGING.len()) - 1;

impl DeviceMode {
    /// Decodes the raw value of a measurement; `None` if its length differs from the standard. A device that states no
    /// operational mode is in the mode `unknown`, because normal operation has a bit of its own.
    pub(in crate::spdm) fn decode(value: &[u8]) -> Option<Self> {
        let words: &[u8; LEN] = value.try_into().ok()?;
        let word = |at: usize| words[4 * at..].first_chunk().map_or(0, |word| u32::from_le_bytes(*word));
        let (operational, mode) = decode_modes(word(1), &OPERATIONAL);
        let (debugging, debugged) = decode_modes(word(3), &DEBUGGING);
        let unstated = if operational.is_empty() { Modes::UNKNOWN } else { Modes::NONE };
        let modes = Modes(mode.0 | debugged.0 | unstated.0);
        Some(Self { operational, debugging, concerns: modes.names().collect(), modes })
    }

    /// Encodes the raw value of a device in these modes. The default operational mode is normal.
    pub(in crate::spdm) fn encode(modes: Modes) -> [u8; LEN] {
        let bits = |rows: &[(&str, Modes)]| {
            let set = |(_, mode): &&(&str, Modes)| modes.0 & mode.0 != 0;
            let bit = |(at, _): (usize, _)| 1_u32 << at;
            let rows = rows.iter().enumerate().filter(|(_, row)| set(row));
            rows.map(bit).fold(0, |bits, bit| bits | bit)
        };
        let operational = match bits(&OPERATIONAL) {
            0 => 1 << NORMAL,
            bits => bits,
        };
        let debugging = bits(&DEBUGGING);
        let words = [ALL_OPERATIONAL, operational, ALL_DEBUGGING, debugging];
        let mut value = [0; LEN];
        value.as_chunks_mut().0.iter_mut().zip(words).for_each(|(to, word)| *to = word.to_le_bytes());
        value
    }

    /// Returns the modes that a policy may refuse.
    pub(in crate::spdm) const fn modes(&self) -> Modes {
        self.modes
    }
}

/// Returns the names of the set bits, and their modes. A reserved bit is the mode `unknown`.
fn decode_modes(bits: u32, rows: &[(&'static str, Modes)]) -> (Vec<&'static str>, Modes) {
    let set = |at: &usize| bits >> at & 1 == 1;
    let mut names: Vec<_> = (0..rows.len()).filter(set).map(|at| rows[at].0).collect();
    let mut modes = (0..rows.len()).filter(set).fold(0, |modes, at| modes | rows[at].1.0);
    if bits >> rows.len() != 0 {
        names.push("a reserved bit is set");
        modes |= Modes::UNKNOWN.0;
    }
    (names, Modes(modes))
}

impl fmt::Display for DeviceMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let or = |names: &[&str], none: &str| match names {
            [] => none.to_owned(),
            names => names.join(", "),
        };
        let (operational, debugging) =
            (or(&self.operational, "unknown, because none is stated"), or(&self.debugging, "no debugging"));
        write!(f, "operational mode: {operational}; {debugging}")
    }
}

/// A set of modes other than normal operation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in crate::spdm) struct Modes(u8);

impl Modes {
    pub(in crate::spdm) const NONE: Self = Self(0);
    const MANUFACTURING: Self = Self(1);
    const VALIDATION: Self = Self(1 << 1);
    const RECOVERY: Self = Self(1 << 2);
    const RMA: Self = Self(1 << 3);
    const DECOMMISSIONED: Self = Self(1 << 4);
    const DEBUG: Self = Self(1 << 5);
    const PAST_DEBUG: Self = Self(1 << 6);
    /// A reserved mode, no operational mode, or a value that cannot be decoded.
    pub(in crate::spdm) const UNKNOWN: Self = Self(1 << 7);

    /// All modes with their names.
    pub(in crate::spdm) const NAMES: [(&str, Self); 8] = [
        ("manufacturing", Self::MANUFACTURING),
        ("validation", Self::VALIDATION),
        ("recovery", Self::RECOVERY),
        ("rma", Self::RMA),
        ("decommissioned", Self::DECOMMISSIONED),
        ("debug", Self::DEBUG),
        ("past-debug", Self::PAST_DEBUG),
        ("unknown", Self::UNKNOWN),
    ];

    /// Returns the names of these modes.
    pub(in crate::spdm) fn names(self) -> impl Iterator<Item = &'static str> {
        let in_set = move |(_, mode): &(&str, Self)| self.0 & mode.0 != 0;
        Self::NAMES.into_iter().filter(in_set).map(|(name, _)| name)
    }

    /// Returns the modes with these names; unknown names are ignored.
    pub(in crate::spdm) fn by_names<'a>(names: impl Iterator<Item = &'a str>) -> Self {
        let of = |name| Self::NAMES.iter().find(|(known, _)| *known == name).map_or(0, |(_, mode)| mode.0);
        Self(names.map(of).fold(0, |modes, mode| modes | mode))
    }

    /// Returns the modes that are not in `allowed`.
    pub(in crate::spdm) const fn without(self, allowed: Self) -> Self {
        Self(self.0 & !allowed.0)
    }

    pub(in crate::spdm) const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mode(state: u32, debugging: u32) -> DeviceMode {
        let value: Vec<u8> =
            [0x3F, state, 0x1F, debugging].iter().flat_map(|word| word.to_le_bytes()).collect();
        DeviceMode::decode(&value).unwrap()
    }

    fn names(state: u32, debugging: u32) -> Vec<&'static str> {
        mode(state, debugging).modes().names().collect()
    }

    #[test]
    fn decodes_every_bit() {
        assert!(mode(1 << 2, 0).modes().is_empty());
        assert_eq!(mode(1 << 2, 0).to_string(), "operational mode: normal; no debugging");
        for (bit, name) in
            [(0, "manufacturing"), (1, "validation"), (3, "recovery"), (4, "rma"), (5, "decommissioned")]
        {
            assert_eq!(names(1 << bit, 0), [name]);
        }
        for bit in 0..4 {
            assert_eq!(names(1 << 2, 1 << bit), ["debug"]);
        }
        assert_eq!(names(1 << 2, 1 << 4), ["past-debug"]);
        for bit in 6..32 {
            assert_eq!(names(1 << bit, 0), ["unknown"]);
        }
        for bit in 5..32 {
            assert_eq!(names(0, 1 << bit), ["unknown"]);
        }
        assert_eq!(mode(1 << 3, 2).to_string(), "operational mode: recovery; invasive debugging is active");
    }

    #[test]
    fn mode_is_unknown_without_operational_state() {
        let zeros = DeviceMode::decode(&[0; LEN]).unwrap();
        assert_eq!(zeros.modes().names().collect::<Vec<_>>(), ["unknown"]);
        let shown = "operational mode: unknown, because none is stated; no debugging";
        assert_eq!(zeros.to_string(), shown);
        assert_eq!(names(0, 1), ["debug", "unknown"]);
    }

    #[test]
    fn encoded_modes_are_decoded() {
        assert_eq!(DeviceMode::decode(&DeviceMode::encode(Modes::NONE)), Some(mode(1 << NORMAL, 0)));
        for (name, modes) in Modes::NAMES.into_iter().filter(|(name, _)| *name != "unknown") {
            let decoded = DeviceMode::decode(&DeviceMode::encode(modes)).unwrap();
            assert_eq!(decoded.modes().names().collect::<Vec<_>>(), [name]);
        }
    }

    #[test]
    fn rejects_wrong_length() {
        for len in [0, 4, 15, 17] {
            assert_eq!(DeviceMode::decode(&vec![0; len]), None);
        }
    }

    #[test]
    fn allowed_modes_are_no_concern() {
        let concern = mode(1 << 3, 1 << 4).modes();
        let left =
            |names: &str| concern.without(Modes::by_names(names.split(','))).names().collect::<Vec<_>>();
        assert_eq!(left(""), ["recovery", "past-debug"]);
        assert_eq!(left("recovery"), ["past-debug"]);
        assert!(concern.without(Modes::by_names("past-debug,recovery".split(','))).is_empty());
    }
}
