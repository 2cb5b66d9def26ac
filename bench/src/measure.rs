//! Interleaved timing: every round runs one batch of each contender, so that noise falls on all alike.

use std::time::{Duration, Instant};

/// How long one batch lasts, about.
const BATCH: Duration = Duration::from_millis(4);
/// How many batches each contender runs.
const ROUNDS: usize = 31;

/// One operation of one library.
pub struct Contender {
    /// The library.
    pub peer: &'static str,
    /// Runs the operation once.
    pub run: Box<dyn FnMut()>,
}

/// One operation of one algorithm, by every library that has it; grille comes first.
pub struct Case {
    /// The algorithm's canonical name.
    pub algorithm: String,
    /// The operation's name.
    pub operation: &'static str,
    /// Who runs it.
    pub contenders: Vec<Contender>,
}

/// What came out for one contender, in nanoseconds an operation.
pub struct Figure {
    /// The library.
    pub peer: &'static str,
    /// The median of the batches' means.
    pub median: f64,
    /// Half the distance between the quartiles.
    pub spread: f64,
}

/// What came out for one case.
pub struct Outcome {
    /// The algorithm's canonical name.
    pub algorithm: String,
    /// The operation's name.
    pub operation: &'static str,
    /// One figure a contender, grille's first.
    pub figures: Vec<Figure>,
}

/// Measures all contenders of a case.
pub fn run(mut case: Case) -> Outcome {
    let sizes: Vec<u32> = case.contenders.iter_mut().map(batch_size).collect();
    let mut samples = vec![Vec::with_capacity(ROUNDS); case.contenders.len()];
    for _ in 0..ROUNDS {
        for (i, contender) in case.contenders.iter_mut().enumerate() {
            samples[i].push(time_batch(contender, sizes[i]));
        }
    }
    let figures = case.contenders.iter().zip(samples).map(|(c, s)| figure(c.peer, s)).collect();
    Outcome { algorithm: case.algorithm, operation: case.operation, figures }
}

/// How many runs fill [`BATCH`]; warms the code up on the way.
fn batch_size(contender: &mut Contender) -> u32 {
    let mut size = 1;
    loop {
        let nanoseconds = time_batch(contender, size) * f64::from(size);
        if nanoseconds >= BATCH.as_nanos() as f64 / 2.0 {
            return (f64::from(size) * BATCH.as_nanos() as f64 / nanoseconds).ceil() as u32;
        }
        size *= 2;
    }
}

/// The mean of `size` runs, in nanoseconds.
fn time_batch(contender: &mut Contender, size: u32) -> f64 {
    let start = Instant::now();
    (0..size).for_each(|_| (contender.run)());
    start.elapsed().as_nanos() as f64 / f64::from(size)
}

fn figure(peer: &'static str, mut samples: Vec<f64>) -> Figure {
    samples.sort_by(f64::total_cmp);
    let at = |quarter: usize| samples[quarter * (samples.len() - 1) / 4];
    Figure { peer, median: at(2), spread: (at(3) - at(1)) / 2.0 }
}
