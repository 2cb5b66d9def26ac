//! What this processor can do, as tokens that only detection can make.
//!
//! A value of [`Avx2`] is the proof that AVX2 code may run here; a backend takes it, so each entry into
//! vector code has exactly one `unsafe` with one and the same reason. A public operation asks [`Level::detect`]
//! once and runs the copy of itself that was compiled for that level.
//!
//! In debug builds (and with the feature `env-override`) the environment variable `GRILLE_CPU_DISABLE`, a
//! comma-separated list of `avx2` and `avx512`, hides levels, so that tests reach all of them on one machine.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

/// Proof that the processor and the operating system support AVX2, BMI1, BMI2 and POPCNT.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Proof of AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and IFMA (Ice Lake, Zen 4 and later), and of [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// AVX-512 includes AVX2.
    #[must_use]
    pub const fn avx2(self) -> Avx2 {
        self.0
    }
}

/// The best set of vector instructions that may be used.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// Plain Rust.
    Portable,
    /// 256-bit vectors.
    Avx2(Avx2),
    /// 512-bit vectors.
    Avx512(Avx512),
}

impl Level {
    /// What this machine has; costs a few loads after the first call.
    #[must_use]
    pub fn detect() -> Self {
        match (Avx512::detect(), Avx2::detect()) {
            (Some(avx512), _) => Self::Avx512(avx512),
            (None, Some(avx2)) => Self::Avx2(avx2),
            (None, None) => Self::Portable,
        }
    }

    /// Every level this machine can run, lowest first: what differential tests loop over.
    pub fn all() -> impl Iterator<Item = Self> {
        let avx2 = Avx2::detect().map(Self::Avx2);
        let avx512 = Avx512::detect().map(Self::Avx512);
        core::iter::once(Self::Portable).chain(avx2).chain(avx512)
    }

    /// The token for AVX2, if the level includes it.
    #[must_use]
    pub const fn avx2(self) -> Option<Avx2> {
        match self {
            Self::Portable => None,
            Self::Avx2(avx2) => Some(avx2),
            Self::Avx512(avx512) => Some(avx512.avx2()),
        }
    }

    /// The level's name: `portable`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Avx2(_) => "avx2",
            Self::Avx512(_) => "avx512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86_64 {
    use super::{Avx2, Avx512};

    cpufeatures::new!(has_avx2, "avx2", "bmi1", "bmi2", "popcnt");
    cpufeatures::new!(
        has_avx512,
        "avx512f",
        "avx512bw",
        "avx512dq",
        "avx512vl",
        "avx512vbmi",
        "avx512vbmi2",
        "avx512ifma"
    );

    impl Avx2 {
        /// The token, if the processor supports it and the environment does not hide it.
        #[must_use]
        pub fn detect() -> Option<Self> {
            (has_avx2::get() && !super::hidden("avx2")).then_some(Self(()))
        }
    }

    impl Avx512 {
        /// The token, if the processor supports it and the environment does not hide it.
        #[must_use]
        pub fn detect() -> Option<Self> {
            let avx2 = Avx2::detect()?;
            (has_avx512::get() && !super::hidden("avx512")).then_some(Self(avx2))
        }
    }
}

#[cfg(not(target_arch = "x86_64"))]
mod other {
    use super::{Avx2, Avx512};

    impl Avx2 {
        /// Never, on this architecture.
        #[must_use]
        pub const fn detect() -> Option<Self> {
            None
        }
    }

    impl Avx512 {
        /// Never, on this architecture.
        #[must_use]
        pub const fn detect() -> Option<Self> {
            None
        }
    }
}

/// Whether `GRILLE_CPU_DISABLE` names this feature; read once.
#[cfg(all(feature = "std", any(debug_assertions, feature = "env-override")))]
fn hidden(feature: &str) -> bool {
    static LIST: std::sync::OnceLock<std::string::String> = std::sync::OnceLock::new();
    LIST.get_or_init(|| std::env::var("GRILLE_CPU_DISABLE").unwrap_or_default())
        .split(',')
        .any(|name| name.trim().eq_ignore_ascii_case(feature))
}

#[cfg(not(all(feature = "std", any(debug_assertions, feature = "env-override"))))]
const fn hidden(_feature: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_detected_level_is_the_last_of_all() {
        let last = Level::all().last().map(Level::name);
        assert_eq!(last, Some(Level::detect().name()));
    }

    #[test]
    #[cfg(all(feature = "std", debug_assertions))]
    fn what_the_environment_hides_is_not_detected() {
        let list = std::env::var("GRILLE_CPU_DISABLE").unwrap_or_default();
        assert!(!list.contains("avx2") || Avx2::detect().is_none());
        assert!(!list.contains("avx512") || Avx512::detect().is_none());
    }

    #[test]
    fn hiding_avx2_hides_avx512_too() {
        if Avx2::detect().is_none() {
            assert!(Avx512::detect().is_none());
        }
    }
}
