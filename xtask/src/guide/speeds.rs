//! Tables and plots from the measurements in `bench/results/`.

use super::plot::{Group, Plot, Scale, number};
use super::tables::Table;
use crate::outcome::Failure;
use crate::tree;
use serde::Deserialize;

/// The measurements of one file of `bench/results/`.
#[derive(Default, Deserialize)]
struct Results {
    results: Vec<OperationResult>,
}

/// One operation of one algorithm. In measurements of handshakes, the algorithm is the group, and the operation is the
/// server's certificate.
#[derive(Deserialize)]
struct OperationResult {
    algorithm: String,
    operation: String,
    figures: Vec<Figure>,
}

/// The time of one library in nanoseconds.
#[derive(Deserialize)]
struct Figure {
    peer: String,
    time: f64,
}

/// All measurements that the guide uses.
#[derive(Default)]
pub(super) struct Measurements {
    avx512: Results,
    avx2: Results,
    tls: Results,
}

impl Measurements {
    pub(super) fn read() -> Result<Self, Failure> {
        let read = |name: &str| -> Result<Results, Failure> {
            Ok(serde_json::from_str(&tree::read(&format!("bench/results/{name}.json"))?)?)
        };
        Ok(Self { avx512: read("avx512")?, avx2: read("avx2")?, tls: read("tls")? })
    }
}

impl Results {
    /// Returns grille's time of an operation in microseconds.
    fn micros(&self, algorithm: &str, operation: &str) -> Option<f64> {
        let is_it =
            |result: &&OperationResult| result.algorithm == algorithm && result.operation == operation;
        let figures = &self.results.iter().find(is_it)?.figures;
        Some(figures.iter().find(|figure| figure.peer == "grille")?.time / 1000.0)
    }

    /// Returns grille's times of three operations in microseconds, if all were measured.
    fn three_times(&self, algorithm: &str, operations: [&str; 3]) -> Option<Vec<f64>> {
        operations.iter().map(|operation| self.micros(algorithm, operation)).collect()
    }
}

const KEMS: [&str; 6] =
    ["ML-KEM-512", "ML-KEM-768", "ML-KEM-1024", "X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024"];
const KEM_OPERATIONS: [&str; 3] = ["keygen", "encaps", "decaps"];

const SIGNATURES: [&str; 11] = [
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "SLH-DSA-SHA2-128s",
    "SLH-DSA-SHA2-128f",
    "SLH-DSA-SHA2-192s",
    "SLH-DSA-SHA2-192f",
    "SLH-DSA-SHA2-256s",
    "SLH-DSA-SHA2-256f",
    "Falcon-512",
    "Falcon-1024",
];
const SIGNATURE_OPERATIONS: [&str; 3] = ["keygen", "sign", "verify"];

/// Returns the times of KEMs in microseconds, with AVX-512 and with AVX2.
pub(super) fn kems(measurements: &Measurements) -> Table {
    let heads = [
        "algorithm",
        ">key generation, AVX-512",
        ">encapsulation, AVX-512",
        ">decapsulation, AVX-512",
        ">key generation, AVX2",
        ">encapsulation, AVX2",
        ">decapsulation, AVX2",
    ];
    Table::new(&heads, rows(measurements, &KEMS, KEM_OPERATIONS))
}

/// Returns the times of signatures in microseconds, with AVX-512 and with AVX2.
pub(super) fn signatures(measurements: &Measurements) -> Table {
    let heads = [
        "algorithm",
        ">key generation, AVX-512",
        ">signing, AVX-512",
        ">verification, AVX-512",
        ">key generation, AVX2",
        ">signing, AVX2",
        ">verification, AVX2",
    ];
    Table::new(&heads, rows(measurements, &SIGNATURES, SIGNATURE_OPERATIONS))
}

fn rows(measurements: &Measurements, algorithms: &[&str], operations: [&str; 3]) -> Vec<Vec<String>> {
    let row = |algorithm: &&str| {
        let first = measurements.avx512.three_times(algorithm, operations)?;
        let second = measurements.avx2.three_times(algorithm, operations)?;
        let numbers = first.iter().chain(&second).map(|micros| number(*micros));
        Some(std::iter::once((*algorithm).to_owned()).chain(numbers).collect())
    };
    algorithms.iter().filter_map(row).collect()
}

/// Returns the number of full handshakes that one core runs per second, by group and certificate.
pub(super) fn handshakes(measurements: &Measurements) -> Table {
    let certificates = ["ECDSA-P256-SHA256", "RSA-2048", "ML-DSA-44", "ML-DSA-65", "ML-DSA-87"];
    let groups = ["X25519", "X25519MLKEM768", "SecP256r1MLKEM768", "SecP384r1MLKEM1024", "ML-KEM-1024"];
    let heads = [
        "handshakes per second",
        ">ECDSA-P256-SHA256",
        ">RSA-2048",
        ">ML-DSA-44",
        ">ML-DSA-65",
        ">ML-DSA-87",
    ];
    let per_second = |group: &str, certificate: &str| {
        let micros = measurements.tls.micros(group, certificate);
        micros.map_or_else(|| "–".to_owned(), |micros| number(1_000_000.0 / micros))
    };
    let row = |group: &&str| {
        let cells = certificates.iter().map(|certificate| per_second(group, certificate));
        std::iter::once((*group).to_owned()).chain(cells).collect()
    };
    Table::new(&heads, groups.iter().map(row).collect())
}

pub(super) fn kem_plot(measurements: &Measurements) -> String {
    let legend = &["key generation", "encapsulation", "decapsulation"];
    plot(measurements, legend, Scale::Linear, &KEMS, KEM_OPERATIONS)
}

pub(super) fn signature_plot(measurements: &Measurements) -> String {
    let legend = &["key generation", "signing", "verification"];
    plot(measurements, legend, Scale::Logarithmic, &SIGNATURES, SIGNATURE_OPERATIONS)
}

fn plot(
    measurements: &Measurements,
    legend: &'static [&'static str],
    scale: Scale,
    algorithms: &[&str],
    operations: [&str; 3],
) -> String {
    let group = |algorithm: &&str| {
        let values = measurements.avx512.three_times(algorithm, operations)?;
        Some(Group { label: (*algorithm).to_owned(), values })
    };
    Plot { legend, unit: "µs", scale, groups: algorithms.iter().filter_map(group).collect() }.svg()
}

#[cfg(test)]
mod tests {
    use super::super::pages::Language;
    use super::*;

    fn measurements() -> Measurements {
        let results = |rows: &[(&str, &str, f64)]| {
            let rows: Vec<_> = rows
                .iter()
                .map(|(algorithm, operation, time)| {
                    serde_json::json!({ "algorithm": algorithm, "operation": operation,
                        "figures": [{ "peer": "liboqs", "time": 1.0 }, { "peer": "grille", "time": time }] })
                })
                .collect();
            serde_json::from_value(serde_json::json!({ "results": rows })).unwrap()
        };
        let level = || {
            let keygen = ("ML-KEM-768", "keygen", 4000.0);
            results(&[keygen, ("ML-KEM-768", "encaps", 3500.0), ("ML-KEM-768", "decaps", 3000.0)])
        };
        Measurements { avx512: level(), avx2: level(), tls: results(&[("X25519", "RSA-2048", 500_000.0)]) }
    }

    #[test]
    fn lists_measured_algorithms_in_microseconds() {
        let table = kems(&measurements()).markdown(Language::English);
        assert!(table.ends_with("|\n| ML-KEM-768 | 4.00 | 3.50 | 3.00 | 4.00 | 3.50 | 3.00 |\n"), "{table}");
        assert_eq!(signatures(&measurements()).markdown(Language::English).lines().count(), 2);
    }

    #[test]
    fn converts_times_to_handshakes_per_second() {
        let table = handshakes(&measurements()).markdown(Language::English);
        assert!(table.contains("| X25519 | – | 2,000 | – | – | – |\n"), "{table}");
    }

    #[test]
    fn reads_the_recorded_measurements() {
        let measurements = Measurements::read().unwrap();
        assert_eq!(rows(&measurements, &KEMS, KEM_OPERATIONS).len(), KEMS.len());
        assert_eq!(rows(&measurements, &SIGNATURES, SIGNATURE_OPERATIONS).len(), SIGNATURES.len());
        assert!(
            kem_plot(&measurements).contains("ML-KEM-768")
                && signature_plot(&measurements).contains("Falcon-512")
        );
    }
}
