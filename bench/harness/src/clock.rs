//! CPU time of this thread on one core, and the rate of cycles.

use rustix::thread::{CpuSet, sched_getcpu, sched_setaffinity};
use rustix::time::{ClockId, clock_gettime};
use std::hint::black_box;
use std::time::Instant;

/// Pins this thread to its current core, so that no measurement includes a migration. If the system refuses, the
/// figures are a little noisier.
pub fn pin_to_one_core() {
    let mut set = CpuSet::new();
    set.set(sched_getcpu());
    _ = sched_setaffinity(None, &set);
}

/// Returns the CPU time of this thread in nanoseconds, without the time of other programs.
pub fn thread_nanoseconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e9 + time.tv_nsec as f64
}

/// Measures the current number of core cycles per nanosecond; `None` if unsupported.
///
/// The time stamp counter has a fixed rate, so a chain of multiplications measures the core's rate. Each multiplication
/// waits three cycles for the previous one, on every x86-64 processor of the last fifteen years.
pub fn cycles_per_nanosecond() -> Option<f64> {
    cfg!(target_arch = "x86_64").then(|| (0..3).map(|_| chain()).fold(0.0, f64::max))
}

fn chain() -> f64 {
    const LINKS: u32 = 4000;
    const CYCLES_PER_LINK: u32 = 3;
    let mut x = black_box(3u64);
    let start = Instant::now();
    // Squares, because the compiler would merge multiplications by constants.
    for _ in 0..LINKS {
        x = x.wrapping_mul(x);
    }
    black_box(x);
    f64::from(LINKS * CYCLES_PER_LINK) / start.elapsed().as_nanos() as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn measures_a_rate_between_half_and_eight_gigahertz() {
        if let Some(rate) = cycles_per_nanosecond() {
            assert!((0.5..8.0).contains(&rate), "{rate}");
        }
    }

    #[test]
    fn counts_computing_but_not_sleeping() {
        let start = thread_nanoseconds();
        std::thread::sleep(std::time::Duration::from_millis(50));
        let slept = thread_nanoseconds();
        assert!(slept - start < 20e6, "{}", slept - start);
        (0..20_000).for_each(|_| _ = chain());
        assert!(thread_nanoseconds() - slept > 1e6);
    }
}
