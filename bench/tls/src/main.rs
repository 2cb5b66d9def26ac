//! Measures full TLS 1.3 handshakes of grille and its peers alternately, in memory, on one core; bench/README.md
//! describes the measurements.
#![forbid(unsafe_code)]

mod party;
mod peers;
mod pipe;
mod table;

use clap::Parser;
use grille_bench_harness::cases::{Case, Contender};
use grille_bench_harness::options::{Options, progress};
use grille_bench_harness::report::Report;
use grille_bench_harness::{clock, measure};
use party::Party;
use peers::Peer;
use std::error::Error;
use std::fs;
use std::path::PathBuf;

/// Measure handshakes of grille and its peers alternately. `cargo xtask bench tls` passes the folder.
#[derive(Parser)]
#[command(name = "cargo xtask bench tls")]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Print the numbers as JSON instead of a table
    #[arg(long)]
    json: bool,
    /// Run only the handshakes of LIBRARY, TIMES times, for a profiler
    #[arg(long, value_names = ["LIBRARY", "TIMES"], num_args = 2)]
    only: Option<Vec<String>>,
    /// Write results to this folder; results of a part of the bench go to its subfolder `partial`
    #[arg(long, hide = true)]
    results: Option<PathBuf>,
}

/// The groups that more than one library has.
const GROUPS: [&str; 11] = [
    "X25519MLKEM768",
    "SecP256r1MLKEM768",
    "SecP384r1MLKEM1024",
    "p256_mlkem512",
    "p384_mlkem768",
    "p521_mlkem1024",
    "ML-KEM-512",
    "ML-KEM-768",
    "ML-KEM-1024",
    "X25519",
    "secp256r1",
];

/// The signature algorithms of certificates and handshakes.
const SIGNATURES: [&str; 8] = [
    "ECDSA-P256-SHA256",
    "ECDSA-P384-SHA384",
    "ECDSA-P521-SHA512",
    "Ed25519",
    "RSA-2048",
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
];

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let peers = peers::all();
    if let Some(only) = &arguments.only {
        return run_only(&peers, &arguments.options, &only[0], only[1].parse()?);
    }
    let report = measure_all(&peers, &arguments.options)?;
    let text = table::markdown(&report);
    match arguments.json {
        true => println!("{}", serde_json::to_string_pretty(&report)?),
        false => print!("{text}"),
    }
    if let Some(folder) = arguments.results {
        let folder = if arguments.options.is_complete() { folder } else { folder.join("partial") };
        fs::create_dir_all(&folder)?;
        fs::write(folder.join("tls.json"), serde_json::to_string_pretty(&report)? + "\n")?;
        fs::write(folder.join("tls.md"), text)?;
    }
    Ok(())
}

/// Measures every selected combination of group and signature algorithm, one after the other.
fn measure_all(peers: &[Peer], options: &Options) -> Result<Report, Box<dyn Error>> {
    let mut report = Report::with_libraries(peers.iter().map(Peer::library).collect());
    clock::pin_to_one_core();
    let combinations = combinations(options);
    let bar = progress(combinations.len());
    for (signature, group) in combinations {
        bar.set_message(format!("{group} with {signature}"));
        let contenders = contenders(peers, group, &Party::new(signature)?);
        // without a peer there is no comparison
        if contenders.len() > 1 {
            // the number of signing attempts of ML-DSA depends on chance
            let mean = signature.starts_with("ML-DSA");
            let case =
                Case { algorithm: group.to_owned(), operation: signature.to_owned(), mean, contenders };
            report.results.push(measure::run(case, options.effort().undisturbed()));
        }
        bar.inc(1);
    }
    bar.finish_and_clear();
    Ok(report.end())
}

fn combinations(options: &Options) -> Vec<(&'static str, &'static str)> {
    let all = SIGNATURES.iter().flat_map(|signature| GROUPS.iter().map(move |group| (*signature, *group)));
    all.filter(|(signature, group)| options.wants(group, signature)).collect()
}

/// Returns the libraries that have the group and the party's signature algorithm, grille first.
fn contenders(peers: &[Peer], group: &str, party: &Party) -> Vec<Contender> {
    let contender = |peer: &Peer| {
        let run = (peer.handshakes)(group, party)?;
        Some(Contender { peer: peer.name, count: 1, run })
    };
    peers.iter().filter_map(contender).collect()
}

fn run_only(peers: &[Peer], options: &Options, name: &str, times: u32) -> Result<(), Box<dyn Error>> {
    let known = peers.iter().find(|peer| peer.name == name);
    let peer = known.ok_or_else(|| format!("unknown library {name}"))?;
    for (signature, group) in combinations(options) {
        let Some(mut run) = (peer.handshakes)(group, &Party::new(signature)?) else { continue };
        let start = clock::thread_nanoseconds();
        (0..times).for_each(|_| run());
        let each = (clock::thread_nanoseconds() - start) / f64::from(times) / 1e3;
        println!("{name}, {group} with {signature}: {each:.1} µs");
    }
    Ok(())
}
