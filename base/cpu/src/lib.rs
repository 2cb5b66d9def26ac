//! Tokens that prove features of this processor. Only detection can create a token.
//!
//! A value of [`Avx2`] proves that AVX2 code may run on this machine. A backend takes the token, so each call
//! into vector code needs exactly one `unsafe` block, which the token justifies. A public operation calls
//! [`Level::detect`] once and runs the copy of itself that was compiled for that level.
//!
//! ```
//! use grille_cpu::{Avx2, Level};
//!
//! /// Adds words with AVX2 instructions.
//! #[cfg(target_arch = "x86_64")]
//! fn sum_avx2(_proof: Avx2, words: &[u32]) -> u32 {
//!     #[target_feature(enable = "avx2")]
//!     fn sum(words: &[u32]) -> u32 {
//!         words.iter().sum()
//!     }
//!     // SAFETY: `Avx2` proves that the processor supports AVX2
//!     unsafe { sum(words) }
//! }
//!
//! fn sum(level: Level, words: &[u32]) -> u32 {
//!     match level.avx2() {
//!         #[cfg(target_arch = "x86_64")]
//!         Some(avx2) => sum_avx2(avx2, words),
//!         _ => words.iter().sum(),
//!     }
//! }
//!
//! assert!(Level::all().all(|level| sum(level, &[1, 2, 3]) == 6));
//! println!("{}", Level::detect().name());
//! ```
//!
//! # Features
//! `std` (default): reads the environment variable `GRILLE_CPU_DISABLE` in debug builds.
//!
//! `env-override`: reads it also in release builds, for benchmarks of lower levels. Enables `std`.
//!
//! `GRILLE_CPU_DISABLE` hides levels, so that tests reach all of them on one machine. It holds a comma-separated
//! list of `avx2`, `avx512`, `neon`, `neon-sha3` and `simd128`.
//!
//! # Without the standard library
//! The crate is `no_std` and needs no allocator. Without `std`, no level can be hidden. On x86-64, detection uses
//! the instruction CPUID and needs no operating system.
//!
//! # Security
//! The crate forbids `unsafe`. Its tokens cannot be created by other means than detection, so a wrong token would
//! be a defect of this crate.
#![no_std]
#![forbid(unsafe_code)]

#[cfg(feature = "std")]
extern crate std;

/// Proof that the processor and the operating system support AVX2, BMI1, BMI2, POPCNT and PCLMULQDQ.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(());

/// Proof of AVX-512 F, BW, DQ, VL, VBMI, VBMI2 and IFMA (Ice Lake, Zen 4 and later), and of [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Avx512(Avx2);

impl Avx512 {
    /// Returns the token for AVX2, which AVX-512 includes.
    #[must_use]
    pub const fn avx2(self) -> Avx2 {
        self.0
    }
}

impl Avx512 {
    /// Checks whether the processor can start four vector logic instructions per cycle, including 512-bit ones, with a
    /// latency of two or three cycles. Zen 5 does. On such processors, the order of instructions matters more than
    /// their number.
    #[must_use]
    pub fn has_four_ports(self) -> bool {
        has_four_ports::get()
    }
}

/// Proof of AES instructions on 512-bit vectors, VAES (Ice Lake, Zen 4 and later), and of [`Avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Vaes(());

impl Avx512 {
    /// Returns the token for VAES, if the processor has it.
    #[must_use]
    pub fn vaes(self) -> Option<Vaes> {
        has_vaes::get().then_some(Vaes(()))
    }
}

/// Proof of the instructions for dot products of 16-bit and 8-bit integers, AVX-512 VNNI (Ice Lake, Zen 4 and
/// later), and of [`Avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Vnni(Avx512);

impl Avx512 {
    /// Returns the token for VNNI, if the processor has it.
    #[must_use]
    pub fn vnni(self) -> Option<Vnni> {
        has_vnni::get().then_some(Vnni(self))
    }
}

impl Vnni {
    /// Returns the token for AVX-512, which VNNI includes.
    #[must_use]
    pub const fn avx512(self) -> Avx512 {
        self.0
    }
}

/// Proof of the instructions for carry-less multiplication of 512-bit vectors, VPCLMULQDQ (Ice Lake, Zen 4
/// and later), and of [`Avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Vpclmulqdq(());

/// Proof of the instructions for arithmetic in GF(2⁸) on 512-bit vectors, GFNI (Ice Lake, Zen 4 and later),
/// and of [`Avx512`].
#[derive(Clone, Copy, Debug)]
pub struct Gfni(());

impl Avx512 {
    /// Returns the token for VPCLMULQDQ, if the processor has it.
    #[must_use]
    pub fn vpclmulqdq(self) -> Option<Vpclmulqdq> {
        has_vpclmulqdq::get().then_some(Vpclmulqdq(()))
    }

    /// Returns the token for GFNI, if the processor has it.
    #[must_use]
    pub fn gfni(self) -> Option<Gfni> {
        has_gfni::get().then_some(Gfni(()))
    }
}

/// Proof of the SHA extensions for SHA-256, and of [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct ShaNi(());

/// Proof of AES-NI (AES instructions on 128-bit vectors) and of [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct AesNi(());

/// Proof of AES instructions on 256-bit vectors, VAES (Alder Lake, Zen 3 and later), and of [`AesNi`] and [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Vaes256(());

/// Proof of carry-less multiplication of 256-bit vectors, VPCLMULQDQ (Alder Lake, Zen 3 and later), and of [`Avx2`].
#[derive(Clone, Copy, Debug)]
pub struct Vpclmulqdq256(());

impl Avx2 {
    /// Returns the token for VPCLMULQDQ without AVX-512, if the processor has it.
    #[must_use]
    pub fn vpclmulqdq256(self) -> Option<Vpclmulqdq256> {
        has_vpclmulqdq::get().then_some(Vpclmulqdq256(()))
    }

    /// Returns the token for VAES without AVX-512, if the processor has it.
    #[must_use]
    pub fn vaes256(self) -> Option<Vaes256> {
        has_vaes::get().then_some(Vaes256(()))
    }

    /// Returns the token for the SHA extensions, if the processor has them.
    #[must_use]
    pub fn sha_ni(self) -> Option<ShaNi> {
        has_sha_ni::get().then_some(ShaNi(()))
    }

    /// Returns the token for AES-NI, if the processor has it.
    #[must_use]
    pub fn aes_ni(self) -> Option<AesNi> {
        has_aes_ni::get().then_some(AesNi(()))
    }
}

/// Proof of Advanced SIMD, the vector instructions of AArch64. Every AArch64 processor has them.
#[derive(Clone, Copy, Debug)]
pub struct Neon {
    sha3: Option<NeonSha3>,
}

impl Neon {
    /// Returns the token for the SHA-3 instructions, if they may be used.
    #[must_use]
    pub const fn sha3(self) -> Option<NeonSha3> {
        self.sha3
    }
}

/// Proof of FEAT_SHA3 on AArch64: three-operand logic and rotations on vectors.
#[derive(Clone, Copy, Debug)]
pub struct NeonSha3(());

/// Proof of the 128-bit vectors of WebAssembly, `simd128`. A module that contains such instructions runs only in engines
/// that have them, so the target features of the build decide, and nothing is detected at run time.
#[derive(Clone, Copy, Debug)]
pub struct Simd128(());

/// The best usable set of vector instructions.
#[derive(Clone, Copy, Debug)]
pub enum Level {
    /// Portable code in Rust without vector instructions.
    Portable,
    /// Code for the 128-bit vectors of AArch64.
    Neon(Neon),
    /// Code for the 128-bit vectors of WebAssembly.
    Simd128(Simd128),
    /// Code for 256-bit vectors.
    Avx2(Avx2),
    /// Code for 512-bit vectors.
    Avx512(Avx512),
}

impl Level {
    /// Detects the level of this machine. After the first call, this costs a few loads.
    #[must_use]
    pub fn detect() -> Self {
        Self::all().last().unwrap_or(Self::Portable)
    }

    /// Returns every level that this machine can run, lowest first, for differential tests.
    pub fn all() -> impl Iterator<Item = Self> {
        let neon = Neon::detect();
        let plain = neon.map(|_| Self::Neon(Neon { sha3: None }));
        let with_sha3 = neon.filter(|neon| neon.sha3.is_some()).map(Self::Neon);
        let simd128 = Simd128::detect().map(Self::Simd128);
        let avx2 = Avx2::detect().map(Self::Avx2);
        let avx512 = Avx512::detect().map(Self::Avx512);
        core::iter::once(Self::Portable)
            .chain(plain)
            .chain(with_sha3)
            .chain(simd128)
            .chain(avx2)
            .chain(avx512)
    }

    /// Returns the token for AVX2, if the level includes it.
    #[must_use]
    pub const fn avx2(self) -> Option<Avx2> {
        match self {
            Self::Portable | Self::Neon(_) | Self::Simd128(_) => None,
            Self::Avx2(avx2) => Some(avx2),
            Self::Avx512(avx512) => Some(avx512.avx2()),
        }
    }

    /// Returns the level's name: `portable`, `neon`, `neon-sha3`, `simd128`, `avx2` or `avx512`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Portable => "portable",
            Self::Neon(Neon { sha3: None }) => "neon",
            Self::Neon(Neon { sha3: Some(_) }) => "neon-sha3",
            Self::Simd128(_) => "simd128",
            Self::Avx2(_) => "avx2",
            Self::Avx512(_) => "avx512",
        }
    }
}

#[cfg(target_arch = "x86_64")]
cpufeatures::new!(has_avx2, "avx2", "bmi1", "bmi2", "popcnt", "pclmulqdq");
#[cfg(target_arch = "x86_64")]
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
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(has_vaes, "aes", "vaes");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(has_sha_ni, "avx2", "sha");
#[cfg(target_arch = "x86_64")]
cpufeatures::new!(has_aes_ni, "aes");
#[cfg(target_arch = "aarch64")]
cpufeatures::new!(has_sha3, "sha3");

/// Defines detection of features that `cpufeatures` does not support. The result is cached, as in that crate.
#[cfg(target_arch = "x86_64")]
macro_rules! detected {
    ($($(#[$doc:meta])* $module:ident: $ask:expr;)*) => {$(
        $(#[$doc])*
        mod $module {
            use core::arch::x86_64::{__cpuid, __cpuid_count};
            use core::sync::atomic::{AtomicU8, Ordering::Relaxed};

            /// The cached result of the detection: 0 before the first query, then 1 if the feature is absent,
            /// or 2 if it is present.
            static DETECTED: AtomicU8 = AtomicU8::new(0);

            pub(super) fn get() -> bool {
                if DETECTED.load(Relaxed) == 0 {
                    let ask: fn(fn(u32, u32) -> [u32; 4]) -> bool = $ask;
                    let has = ask(|leaf, subleaf| {
                        let known = leaf <= __cpuid(0).eax;
                        let answer = __cpuid_count(leaf, subleaf);
                        if known { [answer.eax, answer.ebx, answer.ecx, answer.edx] } else { [0; 4] }
                    });
                    DETECTED.store(1 + u8::from(has), Relaxed);
                }
                DETECTED.load(Relaxed) == 2
            }
        }
    )*};
}

#[cfg(target_arch = "x86_64")]
detected! {
    /// Detects AVX-512 VNNI. Must be called only if AVX-512 F is known to be usable.
    has_vnni: |cpuid| cpuid(7, 0)[2] >> 11 & 1 == 1;
    /// Detects VPCLMULQDQ. Must be called only if AVX2 is known to be usable, and AVX-512 F for 512-bit vectors.
    has_vpclmulqdq: |cpuid| cpuid(7, 0)[2] >> 10 & 1 == 1;
    /// Detects GFNI. Must be called only if AVX-512 F is known to be usable.
    has_gfni: |cpuid| cpuid(7, 0)[2] >> 8 & 1 == 1;
    /// Detects AMD processors of family 0x1A (Zen 5) or later. The base family is 0xF; the rest is in the
    /// extended family field.
    has_four_ports: |cpuid| {
        let vendor = *b"Auth" == cpuid(0, 0)[1].to_le_bytes();
        vendor && 0xF + (cpuid(1, 0)[0] >> 20 & 0xFF) >= 0x1A
    };
}

/// Defines the features of another architecture as absent.
macro_rules! absent {
    ($($module:ident)*) => {$(
        mod $module {
            pub(super) const fn get() -> bool {
                false
            }
        }
    )*};
}

#[cfg(not(target_arch = "x86_64"))]
absent!(has_avx2 has_avx512 has_four_ports has_vaes has_vnni has_vpclmulqdq has_gfni has_sha_ni has_aes_ni);
#[cfg(not(target_arch = "aarch64"))]
absent!(has_sha3);

impl Avx2 {
    /// Returns the token, if the processor supports the feature and `GRILLE_CPU_DISABLE` does not hide it.
    #[must_use]
    pub fn detect() -> Option<Self> {
        (has_avx2::get() && !is_hidden("avx2")).then_some(Self(()))
    }
}

impl Avx512 {
    /// Returns the token, if the processor supports the feature and `GRILLE_CPU_DISABLE` does not hide it.
    #[must_use]
    pub fn detect() -> Option<Self> {
        let avx2 = Avx2::detect()?;
        (has_avx512::get() && !is_hidden("avx512")).then_some(Self(avx2))
    }
}

impl Neon {
    /// Returns the token on AArch64, unless `GRILLE_CPU_DISABLE` hides it.
    #[must_use]
    pub fn detect() -> Option<Self> {
        let sha3 = (has_sha3::get() && !is_hidden("neon-sha3")).then_some(NeonSha3(()));
        (cfg!(target_arch = "aarch64") && !is_hidden("neon")).then_some(Self { sha3 })
    }
}

impl Simd128 {
    /// Returns the token in WebAssembly that is built with `simd128`, unless `GRILLE_CPU_DISABLE` hides it.
    #[must_use]
    pub fn detect() -> Option<Self> {
        let is_built_in = cfg!(all(target_arch = "wasm32", target_feature = "simd128"));
        (is_built_in && !is_hidden("simd128")).then_some(Self(()))
    }
}

#[cfg(all(feature = "std", any(debug_assertions, feature = "env-override")))]
use environment::is_hidden;

#[cfg(all(feature = "std", any(debug_assertions, feature = "env-override")))]
mod environment {
    use std::sync::OnceLock;

    const KNOWN: [&str; 5] = ["avx2", "avx512", "neon", "neon-sha3", "simd128"];

    /// Checks whether `GRILLE_CPU_DISABLE` names this feature. The variable is read once.
    ///
    /// # Panics
    /// Panics if the variable contains an unknown name, because a test that should hide a level must not run
    /// without hiding it.
    #[inline]
    pub(super) fn is_hidden(feature: &str) -> bool {
        static HIDDEN: OnceLock<[bool; KNOWN.len()]> = OnceLock::new();
        let hidden = HIDDEN.get_or_init(|| {
            let list = std::env::var("GRILLE_CPU_DISABLE").unwrap_or_default();
            let names = || list.split(',').map(str::trim).filter(|name| !name.is_empty());
            let unknown = names().find(|name| !KNOWN.contains(name));
            assert!(
                unknown.is_none(),
                "GRILLE_CPU_DISABLE={list}: unknown feature {unknown:?}, expected {KNOWN:?}"
            );
            KNOWN.map(|known| names().any(|name| name == known))
        });
        KNOWN.iter().zip(hidden).any(|(known, hidden)| *hidden && *known == feature)
    }
}

#[cfg(not(all(feature = "std", any(debug_assertions, feature = "env-override"))))]
const fn is_hidden(_feature: &str) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detected_level_is_the_last_of_all() {
        let last = Level::all().last().map(Level::name);
        assert_eq!(last, Some(Level::detect().name()));
    }

    #[test]
    #[cfg(all(feature = "std", debug_assertions))]
    fn hidden_features_are_not_detected() {
        let list = std::env::var("GRILLE_CPU_DISABLE").unwrap_or_default();
        assert!(!list.contains("avx2") || Avx2::detect().is_none());
        assert!(!list.contains("avx512") || Avx512::detect().is_none());
        assert!(!list.contains("neon") || !Level::detect().name().ends_with("neon-sha3"));
    }

    #[test]
    fn hiding_avx2_hides_avx512_too() {
        if Avx2::detect().is_none() {
            assert!(Avx512::detect().is_none());
        }
    }
}
