//! Randomness. Every algorithm takes `&mut dyn CryptoRng`, so that known-answer tests can supply their own generator.

#[cfg(feature = "system-rng")]
mod system {
    use core::convert::Infallible;
    use rand_core::{TryCryptoRng, TryRng};

    /// The operating system's random generator.
    ///
    /// # Panics
    /// Every method panics if the operating system cannot supply randomness, because no secret can be created then.
    #[derive(Clone, Copy, Debug, Default)]
    pub struct SystemRng;

    impl TryRng for SystemRng {
        type Error = Infallible;

        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            Ok(getrandom::u32().expect("the operating system supplies randomness"))
        }

        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(getrandom::u64().expect("the operating system supplies randomness"))
        }

        fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), Infallible> {
            getrandom::fill(bytes).expect("the operating system supplies randomness");
            Ok(())
        }
    }

    impl TryCryptoRng for SystemRng {}
}

#[cfg(feature = "system-rng")]
pub use system::SystemRng;
