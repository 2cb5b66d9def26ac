//! The columns of the performance tables, and the time that one run spent on each of them.

use grille_spdm_engine::meter::{Meter, MeteredOperation};
use serde::Serialize;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The number of measured operations, those of both sides together.
const OPERATIONS: usize = MeteredOperation::ALL.len();

/// The times of one run in microseconds, or the medians of many runs.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Times {
    pub(super) requester: Requester,
    pub(super) responder: Responder,
}

/// The requester's times in microseconds. They exclude the time that the responder spends on its responses.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Requester {
    pub(super) total: f64,
    pub(super) cert_verify: f64,
    pub(super) chal_verify: f64,
    pub(super) chal_kem_auth_encap: f64,
    pub(super) key_ex_kem_gen: f64,
    pub(super) key_ex_kem_decap: f64,
    pub(super) key_ex_verify: f64,
    pub(super) key_ex_kem_auth_encap: f64,
    pub(super) other: f64,
}

/// The responder's times in microseconds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(super) struct Responder {
    pub(super) total: f64,
    pub(super) chal_sign: f64,
    pub(super) chal_kem_auth_decap: f64,
    pub(super) key_ex_kem_encap: f64,
    pub(super) key_ex_sign: f64,
    pub(super) key_ex_kem_auth_decap: f64,
    pub(super) other: f64,
}

impl Times {
    /// The number of columns: nine of the requester and seven of the responder.
    pub(super) const COLUMNS: usize = 16;

    /// Returns the times of one run. `requester` and `responder` are the total times of the two sides.
    pub(super) fn new(stopwatch: &Stopwatch, requester: Duration, responder: Duration) -> Self {
        use MeteredOperation as Op;
        let of = |operation| microseconds(stopwatch.time(operation));
        let mut times = Self {
            requester: Requester {
                total: microseconds(requester),
                cert_verify: of(Op::CertVerify),
                chal_verify: of(Op::ChalVerify),
                chal_kem_auth_encap: of(Op::ChalKemAuthEncap),
                key_ex_kem_gen: of(Op::KeyExKemGen),
                key_ex_kem_decap: of(Op::KeyExKemDecap),
                key_ex_verify: of(Op::KeyExVerify),
                key_ex_kem_auth_encap: of(Op::KeyExKemAuthEncap),
                other: 0.0,
            },
            responder: Responder {
                total: microseconds(responder),
                chal_sign: of(Op::ChalSign),
                chal_kem_auth_decap: of(Op::ChalKemAuthDecap),
                key_ex_kem_encap: of(Op::KeyExKemEncap),
                key_ex_sign: of(Op::KeyExSign),
                key_ex_kem_auth_decap: of(Op::KeyExKemAuthDecap),
                other: 0.0,
            },
        };
        let values = times.values();
        times.requester.other = (values[0] - values[1..8].iter().sum::<f64>()).max(0.0);
        times.responder.other = (values[9] - values[10..15].iter().sum::<f64>()).max(0.0);
        times
    }

    /// Returns the median of each column over all runs. There must be at least one run.
    pub(super) fn median(runs: &[Self]) -> Self {
        let runs: Vec<[f64; Self::COLUMNS]> = runs.iter().map(Self::values).collect();
        Self::from_values(std::array::from_fn(|column| {
            let mut all: Vec<f64> = runs.iter().map(|run| run[column]).collect();
            all.sort_by(f64::total_cmp);
            all[all.len() / 2]
        }))
    }

    /// Returns all columns, in the order of the tables.
    pub(super) const fn values(&self) -> [f64; Self::COLUMNS] {
        let Self { requester: req, responder: rsp } = self;
        [
            req.total,
            req.cert_verify,
            req.chal_verify,
            req.chal_kem_auth_encap,
            req.key_ex_kem_gen,
            req.key_ex_kem_decap,
            req.key_ex_verify,
            req.key_ex_kem_auth_encap,
            req.other,
            rsp.total,
            rsp.chal_sign,
            rsp.chal_kem_auth_decap,
            rsp.key_ex_kem_encap,
            rsp.key_ex_sign,
            rsp.key_ex_kem_auth_decap,
            rsp.other,
        ]
    }

    /// Creates the times from the columns, which are in the order of the tables.
    const fn from_values(values: [f64; Self::COLUMNS]) -> Self {
        let [a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p] = values;
        Self {
            requester: Requester {
                total: a,
                cert_verify: b,
                chal_verify: c,
                chal_kem_auth_encap: d,
                key_ex_kem_gen: e,
                key_ex_kem_decap: f,
                key_ex_verify: g,
                key_ex_kem_auth_encap: h,
                other: i,
            },
            responder: Responder {
                total: j,
                chal_sign: k,
                chal_kem_auth_decap: l,
                key_ex_kem_encap: m,
                key_ex_sign: n,
                key_ex_kem_auth_decap: o,
                other: p,
            },
        }
    }
}

fn microseconds(time: Duration) -> f64 {
    time.as_secs_f64() * 1e6
}

/// Adds up the time of each operation in one run.
#[derive(Default)]
pub(super) struct Stopwatch(Mutex<State>);

#[derive(Default)]
struct State {
    started: [Option<Instant>; OPERATIONS],
    sums: [Duration; OPERATIONS],
}

impl Stopwatch {
    /// Returns the time of this operation so far.
    pub(super) fn time(&self, operation: MeteredOperation) -> Duration {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).sums[operation as usize]
    }
}

impl Meter for Stopwatch {
    fn started(&self, operation: MeteredOperation) {
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        state.started[operation as usize] = Some(Instant::now());
    }

    fn finished(&self, operation: MeteredOperation) {
        let now = Instant::now();
        let mut state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(start) = state.started[operation as usize].take() {
            state.sums[operation as usize] += now - start;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_are_those_of_each_column() {
        let run = |total, chal_sign| Times {
            requester: Requester { total, ..Requester::default() },
            responder: Responder { chal_sign, ..Responder::default() },
        };
        let median = Times::median(&[run(3.0, 10.0), run(1.0, 30.0), run(2.0, 20.0)]);
        assert_eq!(median, run(2.0, 20.0));
        let ascending: [f64; 16] = std::array::from_fn(|column| column as f64);
        assert_eq!(Times::from_values(ascending).values(), ascending);
    }

    #[test]
    fn other_is_the_rest_of_the_total() {
        let stopwatch = Stopwatch::default();
        stopwatch.started(MeteredOperation::KeyExSign);
        std::thread::sleep(Duration::from_millis(2));
        stopwatch.finished(MeteredOperation::KeyExSign);
        stopwatch.finished(MeteredOperation::ChalSign);
        let times = Times::new(&stopwatch, Duration::from_micros(7), Duration::from_secs(1));
        assert!(times.responder.key_ex_sign >= 2000.0 && times.responder.chal_sign == 0.0);
        assert!((times.responder.key_ex_sign + times.responder.other - 1e6).abs() < 1e-3);
        assert!((times.requester.other - 7.0).abs() < 1e-3);
    }
}
