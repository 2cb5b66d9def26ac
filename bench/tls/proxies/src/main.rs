//! Compares `grille proxy` with nginx and stunnel in one run: classical handshakes and bulk transfer. bench/README.md
//! describes the method.
#![forbid(unsafe_code)]

mod load;
mod proxies;
mod service;
mod table;

use clap::Parser;
use grille_bench_harness::measure::median;
use grille_bench_harness::report::Report;
use load::{Load, Work};
use proxies::Proxy;
use service::Service;
use std::error::Error;
use std::fs;
use std::path::PathBuf;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

/// Measure proxies alternately. `cargo xtask bench proxies` passes the program and the folder.
#[derive(Parser)]
#[command(name = "cargo xtask bench proxies")]
struct Arguments {
    /// Give each proxy this number of turns with each kind of work
    #[arg(long, default_value_t = 15)]
    rounds: u32,
    /// Duration of a turn in seconds
    #[arg(long, default_value_t = 1.0)]
    seconds: f64,
    /// Measure this grille program
    #[arg(long, hide = true)]
    grille: PathBuf,
    /// Write results to this folder
    #[arg(long, hide = true)]
    results: PathBuf,
}

/// The results of a proxy, in units of the work.
pub struct Measured {
    pub proxy: &'static str,
    /// Work per second of elapsed time: median, and half the distance between the quartiles.
    pub per_second: (f64, f64),
    /// Work per second of the proxy's CPU time: median, and half the distance between the quartiles.
    pub per_cpu_second: (f64, f64),
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    let folder = tempfile::tempdir()?;
    let chain = folder.path().join("chain");
    let mut made = Command::new(&arguments.grille);
    made.args(["cert", "chain", "--alg", "ECDSA-P256-SHA256", "--out"]).arg(&chain);
    if !made.output()?.status.success() {
        return Err("grille cert chain failed".into());
    }
    let machine = Report::with_libraries(Vec::new());
    // clients and service run on a different core from the proxies
    let cores = proxies::cores()?;
    proxies::pin(cores[0])?;
    let service = Service::start()?;
    let last = cores[cores.len() - 1];
    let proxies = proxies::start(&arguments.grille, folder.path(), &chain, service.port, last)?;
    let load = Load::new(&fs::read(chain.join("root_cert.pem"))?)?;
    let mut results = Vec::new();
    for work in Work::ALL {
        results.push((work, measure(&load, work, &proxies, &arguments)?));
    }
    let text = table::markdown(&machine.end(), &proxies, &results, arguments.rounds);
    print!("{text}");
    fs::create_dir_all(&arguments.results)?;
    fs::write(arguments.results.join("proxies.md"), text)?;
    Ok(())
}

/// Measures all proxies alternately with the same work.
fn measure(
    load: &Load,
    work: Work,
    proxies: &[Proxy],
    arguments: &Arguments,
) -> Result<Vec<Measured>, Box<dyn Error>> {
    let mut samples = vec![(Vec::new(), Vec::new()); proxies.len()];
    for round in 0..=arguments.rounds {
        for (proxy, (by_clock, by_cpu)) in proxies.iter().zip(&mut samples) {
            let (start, cpu) = (Instant::now(), proxy.cpu_seconds()?);
            let done = load.run(work, proxy.port, Duration::from_secs_f64(arguments.seconds))?;
            // Wait, so that the connections are closed within the measured turn.
            thread::sleep(Duration::from_millis(20));
            let (time, cpu) = (start.elapsed().as_secs_f64(), proxy.cpu_seconds()? - cpu);
            // the first round is a warm-up
            if round > 0 {
                by_clock.push(done / time);
                by_cpu.push(done / cpu);
            }
        }
    }
    let measured = |(proxy, (by_clock, by_cpu)): (&Proxy, (Vec<f64>, Vec<f64>))| Measured {
        proxy: proxy.name,
        per_second: median(by_clock),
        per_cpu_second: median(by_cpu),
    };
    Ok(proxies.iter().zip(samples).map(measured).collect())
}
