//! Compares grille with its peers in one run; bench/README.md describes the measurements.

mod families;
mod floors;
mod go;
mod peers;
mod picture;
mod summary;
mod table;

use clap::Parser;
use floors::Floors;
use grille_bench_harness::options::Options;
use grille_bench_harness::report::Report;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Measure grille and its peers alternately. `cargo xtask bench` passes the programs and the folder.
#[derive(Parser)]
#[command(
    name = "cargo xtask bench",
    after_help = "--level avx512|avx2|portable limits grille and its peers to that level."
)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Print the numbers as JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Write tables and pictures from the results of earlier runs, without measuring
    #[arg(long)]
    again: bool,
    /// Replace the results of this part in the results of the full run
    #[arg(long, conflicts_with = "quick")]
    renew: bool,
    /// Write results to this folder; results of a part of the bench go to its subfolder `partial`
    #[arg(long, hide = true)]
    results: Option<PathBuf>,
    /// Also run this program, which measures a peer that cannot be linked into this one
    #[arg(long, hide = true)]
    beside: Vec<PathBuf>,
    /// Record this as the measured commit
    #[arg(long, hide = true, default_value = "")]
    tree: String,
    /// Also run this program, which measures Go's crypto/mlkem
    #[arg(long, hide = true)]
    go: Option<PathBuf>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    if let (true, Some(folder)) = (arguments.again, &arguments.results) {
        return again(folder);
    }
    let mut report = grille_bench_harness::run(&peers::all(), &arguments.options, true);
    report.tree.clone_from(&arguments.tree);
    for program in &arguments.beside {
        report.merge(run_program(program, &arguments.options)?);
    }
    if let Some(program) = &arguments.go {
        go::add(&mut report, program)?;
    }
    if let (true, Some(folder)) = (arguments.renew, &arguments.results) {
        report = replace_part(report, &arguments.options, folder)?;
    }
    let tables = table::markdown(&report, &Floors::load());
    if arguments.json {
        println!("{}", serde_json::to_string_pretty(&report)?);
    } else {
        print!("{tables}");
    }
    if let Some(folder) = &arguments.results {
        let whole = arguments.renew || arguments.options.is_complete();
        let folder = if whole { folder.clone() } else { folder.join("partial") };
        write(&report, &tables, &folder)?;
    }
    Ok(())
}

/// Writes tables and pictures from the existing results.
fn again(folder: &Path) -> Result<(), Box<dyn Error>> {
    for level in ["avx512", "avx2", "portable"] {
        if let Some(report) = read(&folder.join(format!("{level}.json"))) {
            write(&report, &table::markdown(&report, &Floors::load()), folder)?;
        }
    }
    Ok(())
}

/// Returns the existing results, with a part replaced by new measurements.
fn replace_part(part: Report, options: &Options, folder: &Path) -> Result<Report, Box<dyn Error>> {
    let file = folder.join(format!("{}.json", part.level));
    let mut whole =
        read(&file).ok_or_else(|| format!("cannot renew {}: there are no results", file.display()))?;
    whole.renew(part, options.filters.clone())?;
    Ok(whole)
}

/// Runs a program that measures further peers, and returns its report.
fn run_program(program: &Path, options: &Options) -> Result<Report, Box<dyn Error>> {
    let output = Command::new(program).args(options.arguments()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", program.display(), output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// Writes the numbers, the tables, and a picture of each family that a peer has.
fn write(report: &Report, tables: &str, folder: &Path) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let level = &report.level;
    fs::write(folder.join(format!("{level}.json")), serde_json::to_string_pretty(report)? + "\n")?;
    fs::write(folder.join(format!("{level}.md")), tables)?;
    for family in families::families(&report.results) {
        if family.libraries().len() > 1 {
            let file = folder.join(format!("{}-{level}.svg", family.file_name()));
            picture::draw(report, &family, &file)?;
            eprintln!("{}", file.display());
        }
    }
    let reports = summary::LEVELS.map(|level| read(&folder.join(format!("{level}.json"))));
    fs::write(folder.join("summary.md"), summary::markdown(&reports))?;
    Ok(())
}

/// Reads the results of an earlier run, if they exist and have the current format.
fn read(file: &Path) -> Option<Report> {
    serde_json::from_str(&fs::read_to_string(file).ok()?).ok()
}
