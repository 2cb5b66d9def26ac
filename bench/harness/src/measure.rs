//! Interleaved timing: every round runs one batch of each contender, so that noise falls on all alike.
//!
//! A processor that meets 512-bit arithmetic runs it at a fraction of its speed for about a millisecond, until it has
//! lowered its frequency; and it raises it again about a millisecond after the last. Each contender therefore runs a
//! while before it is measured, or it would pay for what the one before it did.

use crate::cases::{Case, Contender};
use crate::clock::{cycles_per_nanosecond, thread_nanoseconds};
use crate::report::{Figure, Outcome};

/// How much is measured.
#[derive(Clone, Copy, Debug)]
pub struct Effort {
    /// How long a contender runs before a batch of its own, about, in nanoseconds.
    settle: f64,
    /// How long one batch lasts, about, in nanoseconds.
    batch: f64,
    /// How many batches each contender runs at most.
    rounds: usize,
    /// How long a case may take, about, in nanoseconds: slow operations run fewer batches, but [`Effort::LEAST`].
    whole: f64,
    /// Which share of a contender's batches are faster than its figure: one half is the median.
    share: f64,
}

impl Effort {
    /// For figures to be quoted.
    pub const FULL: Self = Self { settle: 2e6, batch: 1e6, rounds: 101, whole: 1e9, share: 0.5 };
    /// For a first look.
    pub const QUICK: Self = Self { settle: 1.5e6, batch: 0.5e6, rounds: 21, whole: 2e8, share: 0.5 };
    /// Batches that each contender runs at least.
    const LEAST: usize = 5;

    /// The same on a core that others slow down for a while: the fastest tenth counts, where the time does not depend
    /// on luck. Who has the core's other half takes a third of its speed, and the clock of a thread does not see it.
    #[must_use]
    pub const fn undisturbed(self) -> Self {
        Self { share: 0.1, ..self }
    }

    /// How many batches there is time for, when one of each contender takes so many nanoseconds.
    fn rounds(&self, nanoseconds: f64) -> usize {
        ((self.whole / nanoseconds) as usize).clamp(Self::LEAST, self.rounds)
    }
}

/// What one batch of one contender took.
struct Sample {
    /// Nanoseconds an operation.
    time: f64,
    /// Cycles a nanosecond just before, where that can be told.
    rate: Option<f64>,
}

/// Measures all contenders of a case.
#[must_use]
pub fn run(mut case: Case, effort: Effort) -> Outcome {
    // Where the time depends on luck, the mean counts, and more of it is needed.
    let batch = if case.mean { 4.0 * effort.batch } else { effort.batch };
    let sizes: Vec<Sizes> =
        case.contenders.iter_mut().map(|contender| sizes(contender, batch, effort.settle)).collect();
    let mut samples: Vec<Vec<Sample>> = case.contenders.iter().map(|_| Vec::new()).collect();
    for _ in 0..effort.rounds(sizes.iter().map(|sizes| sizes.nanoseconds).sum()) {
        for (i, contender) in case.contenders.iter_mut().enumerate() {
            time_batch(contender, sizes[i].settle);
            let rate = cycles_per_nanosecond();
            samples[i].push(Sample { time: time_batch(contender, sizes[i].batch), rate });
        }
    }
    let statistic = |values| if case.mean { mean(values) } else { quantile(values, effort.share) };
    let own = statistic(samples[0].iter().map(|sample| sample.time).collect()).0;
    let figures = case.contenders.iter().zip(&samples).map(|(contender, samples)| {
        let (time, spread) = statistic(samples.iter().map(|sample| sample.time).collect());
        let cycles: Option<Vec<f64>> =
            samples.iter().map(|sample| sample.rate.map(|rate| sample.time * rate)).collect();
        let cycles = cycles.map(|cycles| statistic(cycles).0);
        Figure { peer: contender.peer.to_owned(), time, spread, cycles, ratio: time / own, interleaved: true }
    });
    let figures = figures.collect();
    Outcome { algorithm: case.algorithm, operation: case.operation, mean: case.mean, figures }
}

/// How many runs a contender makes in a round.
struct Sizes {
    settle: u32,
    batch: u32,
    /// How long all of them take, about.
    nanoseconds: f64,
}

/// How many runs fill a batch and the time before it, in nanoseconds; warms the code up on the way.
fn sizes(contender: &mut Contender, batch: f64, settle: f64) -> Sizes {
    let mut size = 1;
    loop {
        let mut once = || time_batch(contender, size) * f64::from(contender.count);
        let mut one = once();
        if one * f64::from(size) >= batch / 2.0 {
            // an interruption makes a short operation long, and then a batch of few would measure it cold
            one = one.min(once());
        }
        if one * f64::from(size) >= batch / 2.0 {
            // what takes longer than settling settles itself
            let [batch, settle] = [(batch / one).ceil() as u32, (settle / one) as u32];
            return Sizes { settle, batch, nanoseconds: f64::from(settle + batch) * one };
        }
        size *= 2;
    }
}

/// The mean of `size` runs, in nanoseconds an operation.
fn time_batch(contender: &mut Contender, size: u32) -> f64 {
    let start = thread_nanoseconds();
    (0..size).for_each(|_| (contender.run)());
    (thread_nanoseconds() - start) / f64::from(size * contender.count)
}

/// The median, and half the distance between the quartiles.
///
/// # Panics
/// If there are no values.
#[must_use]
pub fn median(values: Vec<f64>) -> (f64, f64) {
    quantile(values, 0.5)
}

/// The value that this share of them are less than, and half the distance between the quartiles.
fn quantile(mut values: Vec<f64>, share: f64) -> (f64, f64) {
    values.sort_by(f64::total_cmp);
    let at = |share: f64| values[(share * (values.len() - 1) as f64) as usize];
    (at(share), (at(0.75) - at(0.25)) / 2.0)
}

/// The mean, and its standard error.
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
    fn slow_operations_run_fewer_batches_but_some() {
        assert_eq!(Effort::FULL.rounds(9e6), 101);
        assert_eq!(Effort::FULL.rounds(5e7), 20);
        assert_eq!(Effort::FULL.rounds(1e12), Effort::LEAST);
    }

    #[test]
    fn an_interruption_of_the_first_run_does_not_make_batches_of_one() {
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
    fn an_outlier_moves_the_mean_and_not_the_median() {
        let values = vec![1.0, 2.0, 3.0, 4.0, 90.0];
        assert_eq!(median(values.clone()), (3.0, 1.0));
        assert_eq!(quantile(values.clone(), 0.1), (1.0, 1.0));
        assert_eq!(mean(values).0, 20.0);
        assert_eq!(mean(vec![5.0; 4]), (5.0, 0.0));
    }

    #[test]
    fn a_slower_contender_has_a_greater_ratio_and_batches_are_divided() {
        let work = |times: u64| move || (0..times).for_each(|i| _ = std::hint::black_box(i));
        let contender = |peer, times, count| Contender { peer, count, run: Box::new(work(times)) };
        let contenders = vec![contender("a", 1000, 1), contender("b", 4000, 1), contender("c", 4000, 4)];
        let case = Case { algorithm: "x".into(), operation: "y".into(), mean: false, contenders };
        let outcome = run(case, Effort::QUICK);
        let ratios: Vec<f64> = outcome.figures.iter().map(|figure| figure.ratio).collect();
        assert_eq!(ratios[0], 1.0);
        assert!((2.5..6.0).contains(&ratios[1]) && (0.6..1.6).contains(&ratios[2]), "{ratios:?}");
    }
}
