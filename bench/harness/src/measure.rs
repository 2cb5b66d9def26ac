//! Interleaved timing: every round runs one batch of each contender, so that noise affects all equally.
//!
//! When a processor starts 512-bit arithmetic, it runs at a fraction of its speed for about a millisecond, until it has
//! lowered its frequency. It raises the frequency again about a millisecond after the last such instruction. Each
//! contender therefore runs for a while before it is measured, so that the previous contender does not affect it.

use crate::cases::{Case, Contender};
use crate::clock::{cycles_per_nanosecond, thread_nanoseconds};
use crate::report::{Figure, Outcome};
use std::time::Instant;

/// The durations and the number of batches in a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// Approximate time that a contender runs before its batch, in nanoseconds.
    settle: f64,
    /// Approximate duration of one batch in nanoseconds.
    batch: f64,
    /// Maximum number of batches of each contender.
    rounds: usize,
    /// Approximate duration of a case in nanoseconds. Slow operations run fewer batches, but at least
    /// [`Effort::MIN_BATCHES`].
    case_duration: f64,
    /// The quantile that is a contender's figure; one half is the median.
    quantile: f64,
}

impl Effort {
    /// Effort for published figures.
    pub const FULL: Self = Self { settle: 2e6, batch: 1e6, rounds: 101, case_duration: 1e9, quantile: 0.5 };
    /// Effort for a quick look.
    pub const QUICK: Self =
        Self { settle: 1.5e6, batch: 0.5e6, rounds: 21, case_duration: 2e8, quantile: 0.5 };
    /// Minimum number of batches of each contender.
    const MIN_BATCHES: usize = 5;

    /// Returns this effort with the tenth percentile as the figure, unless the time depends on chance. Use it on a
    /// shared core: a program on the core's other hardware thread takes a third of its speed, which a thread's CPU time
    /// does not show.
    #[must_use]
    pub const fn undisturbed(self) -> Self {
        Self { quantile: 0.1, ..self }
    }

    /// Returns the number of rounds. `nanoseconds`: the duration of one round, with one batch of each contender.
    fn rounds(&self, nanoseconds: f64) -> usize {
        ((self.case_duration / nanoseconds) as usize).clamp(Self::MIN_BATCHES, self.rounds)
    }
}

/// The result of one batch of one contender.
struct Sample {
    /// Nanoseconds per operation.
    time: f64,
    /// Cycles per nanosecond just before the batch, if known.
    rate: Option<f64>,
}

/// The largest number of measurements of a case that other programs disturb.
const ATTEMPTS: usize = 3;

/// Measures all contenders of a case. If other programs disturb the measurement, repeats it and returns the least
/// disturbed result.
#[must_use]
pub fn run(mut case: Case, effort: Effort) -> Outcome {
    let mut best = measure(&mut case, effort);
    for _ in 1..ATTEMPTS {
        if !best.is_disturbed() {
            break;
        }
        let again = measure(&mut case, effort);
        if again.cpu_share > best.cpu_share {
            best = again;
        }
    }
    best
}

fn measure(case: &mut Case, effort: Effort) -> Outcome {
    // If the time depends on chance, the figure is the mean, which needs longer batches.
    let batch = if case.mean { 4.0 * effort.batch } else { effort.batch };
    let sizes: Vec<Sizes> =
        case.contenders.iter_mut().map(|contender| sizes(contender, batch, effort.settle)).collect();
    let mut samples: Vec<Vec<Sample>> = case.contenders.iter().map(|_| Vec::new()).collect();
    let (start, thread_start) = (Instant::now(), thread_nanoseconds());
    for _ in 0..effort.rounds(sizes.iter().map(|sizes| sizes.nanoseconds).sum()) {
        for (i, contender) in case.contenders.iter_mut().enumerate() {
            time_batch(contender, sizes[i].settle);
            let rate = cycles_per_nanosecond();
            samples[i].push(Sample { time: time_batch(contender, sizes[i].batch), rate });
        }
    }
    let cpu_share = (thread_nanoseconds() - thread_start) / start.elapsed().as_nanos() as f64;
    let statistic = |values| if case.mean { mean(values) } else { quantile(values, effort.quantile) };
    let own = statistic(samples[0].iter().map(|sample| sample.time).collect()).0;
    let figures = case.contenders.iter().zip(&samples).map(|(contender, samples)| {
        let (time, spread) = statistic(samples.iter().map(|sample| sample.time).collect());
        let cycles: Option<Vec<f64>> =
            samples.iter().map(|sample| sample.rate.map(|rate| sample.time * rate)).collect();
        let cycles = cycles.map(|cycles| statistic(cycles).0);
        Figure { peer: contender.peer.to_owned(), time, spread, cycles, ratio: time / own, interleaved: true }
    });
    let figures = figures.collect();
    let (algorithm, operation) = (case.algorithm.clone(), case.operation.clone());
    Outcome { algorithm, operation, mean: case.mean, cpu_share, figures }
}

/// The numbers of runs of a contender in a round, before and within its batch.
struct Sizes {
    settle: u32,
    batch: u32,
    /// Approximate duration of all runs.
    nanoseconds: f64,
}

/// Computes the number of runs in a batch and before it. `batch`, `settle`: the durations of these runs in nanoseconds.
/// Also warms up the code.
fn sizes(contender: &mut Contender, batch: f64, settle: f64) -> Sizes {
    let mut size = 1;
    loop {
        let mut once = || time_batch(contender, size) * f64::from(contender.count);
        let mut one = once();
        if one * f64::from(size) >= batch / 2.0 {
            // repeats, because an interruption makes a short operation look long, and a small batch would measure cold
            // code
            one = one.min(once());
        }
        if one * f64::from(size) >= batch / 2.0 {
            // operations longer than the settling time need no warm-up
            let [batch, settle] = [(batch / one).ceil() as u32, (settle / one) as u32];
            return Sizes { settle, batch, nanoseconds: f64::from(settle + batch) * one };
        }
        size *= 2;
    }
}

/// Runs the contender `size` times and returns the mean time in nanoseconds per operation.
fn time_batch(contender: &mut Contender, size: u32) -> f64 {
    let start = thread_nanoseconds();
    (0..size).for_each(|_| (contender.run)());
    (thread_nanoseconds() - start) / f64::from(size * contender.count)
}

/// Returns the median, and half the distance between the quartiles.
///
/// # Panics
/// Panics if there are no values.
#[must_use]
pub fn median(values: Vec<f64>) -> (f64, f64) {
    quantile(values, 0.5)
}

/// Returns the quantile `fraction`, and half the distance between the quartiles.
fn quantile(mut values: Vec<f64>, fraction: f64) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |fraction: f64| values[(fraction * (values.len() - 1) as f64) as usize];
    (at(fraction), (at(0.75) - at(0.25)) / 2.0)
}

/// Returns the mean and its standard error.
fn mean(values: Vec<f64>) -> (f64, f64) {
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / count;
    (mean, (variance / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_fewer_batches_of_slow_operations() {
        assert_eq!(Effort::FULL.rounds(9e6), 101);
        assert_eq!(Effort::FULL.rounds(5e7), 20);
        assert_eq!(Effort::FULL.rounds(1e12), Effort::MIN_BATCHES);
    }

    #[test]
    fn sizes_batches_correctly_if_the_first_run_is_interrupted() {
        let mut interrupted = false;
        let run = move || {
            let start = thread_nanoseconds();
            while !interrupted && thread_nanoseconds() - start < 3e6 {}
            interrupted = true;
        };
        let sizes = |run| sizes(&mut Contender { peer: "a", count: 1, run }, 1e6, 1e6);
        assert!(sizes(Box::new(run)).batch > 100);
        let slow = || {
            let start = thread_nanoseconds();
            while thread_nanoseconds() - start < 3e6 {}
        };
        assert_eq!(sizes(Box::new(slow)).batch, 1);
    }

    #[test]
    fn keeps_the_median_despite_an_outlier() {
        let values = vec![1.0, 2.0, 3.0, 4.0, 90.0];
        assert_eq!(median(values.clone()), (3.0, 1.0));
        assert_eq!(quantile(values.clone(), 0.1), (1.0, 1.0));
        assert_eq!(mean(values).0, 20.0);
        assert_eq!(mean(vec![5.0; 4]), (5.0, 0.0));
    }

    #[test]
    fn computes_ratios_and_divides_batches() {
        let work = |times: u64| move || (0..times).for_each(|i| _ = std::hint::black_box(i));
        let contender = |peer, times, count| Contender { peer, count, run: Box::new(work(times)) };
        let contenders = vec![contender("a", 1000, 1), contender("b", 4000, 1), contender("c", 4000, 4)];
        let case = Case { algorithm: "x".into(), operation: "y".into(), mean: false, contenders };
        let outcome = run(case, Effort::QUICK);
        let ratios: Vec<f64> = outcome.figures.iter().map(|figure| figure.ratio).collect();
        assert_eq!(ratios[0], 1.0);
        assert!((2.5..6.0).contains(&ratios[1]) && (0.6..1.6).contains(&ratios[2]), "{ratios:?}");
        assert!(outcome.cpu_share > 0.0 && outcome.cpu_share < 1.01, "{}", outcome.cpu_share);
    }

    #[test]
    fn repeats_a_disturbed_measurement() {
        let sleep = || std::thread::sleep(std::time::Duration::from_micros(300));
        let compute = || {
            let start = thread_nanoseconds();
            while thread_nanoseconds() - start < 3e5 {}
        };
        let effort = Effort { settle: 0.0, batch: 3e5, rounds: 5, case_duration: 1e6, quantile: 0.5 };
        let runs = std::rc::Rc::new(std::cell::Cell::new(0));
        let counted = runs.clone();
        let run = move || {
            counted.set(counted.get() + 1);
            sleep();
            compute();
        };
        let contenders = vec![Contender { peer: "a", count: 1, run: Box::new(run) }];
        let outcome = super::run(
            Case { algorithm: "x".into(), operation: "y".into(), mean: false, contenders },
            effort,
        );
        assert!(outcome.is_disturbed(), "{}", outcome.cpu_share);
        assert!(runs.get() >= ATTEMPTS * Effort::MIN_BATCHES, "{}", runs.get());
    }
}
