//! grille and its peers, side by side in one run; bench/README.md says what is measured.

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

/// Measures grille and its peers in turns. `cargo xtask bench` gives the programs and the folder.
#[derive(Parser)]
#[command(
    name = "cargo xtask bench",
    after_help = "--level avx512|avx2|portable holds grille and its peers to that level."
)]
struct Arguments {
    #[command(flatten)]
    options: Options,
    /// Prints the numbers as JSON instead of tables
    #[arg(long)]
    json: bool,
    /// Measures nothing: tables and pictures from the results of earlier runs
    #[arg(long)]
    again: bool,
    /// A part, measured with care, takes its places among the results of the whole
    #[arg(long, conflicts_with = "quick")]
    renew: bool,
    /// Where the results go; those of a part of the bench go to `partial` in it
    #[arg(long, hide = true)]
    results: Option<PathBuf>,
    /// A program that measures grille against a peer that cannot be linked into this one
    #[arg(long, hide = true)]
    beside: Vec<PathBuf>,
    /// The commit that is measured
    #[arg(long, hide = true, default_value = "")]
    tree: String,
    /// The program that measures Go's crypto/mlkem
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
        report.merge(beside(program, &arguments.options)?);
    }
    if let Some(program) = &arguments.go {
        go::add(&mut report, program)?;
    }
    if let (true, Some(folder)) = (arguments.renew, &arguments.results) {
        report = renewed(report, &arguments.options, folder)?;
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

/// Writes what can be made of the results that are there.
fn again(folder: &Path) -> Result<(), Box<dyn Error>> {
    for level in ["avx512", "avx2", "portable"] {
        if let Some(report) = read(&folder.join(format!("{level}.json"))) {
            write(&report, &table::markdown(&report, &Floors::load()), folder)?;
        }
    }
    Ok(())
}

/// The results that are there, with a part of them measured again.
fn renewed(part: Report, options: &Options, folder: &Path) -> Result<Report, Box<dyn Error>> {
    let file = folder.join(format!("{}.json", part.level));
    let mut whole =
        read(&file).ok_or_else(|| format!("{}: there are no results to renew", file.display()))?;
    whole.renew(part, options.filters.clone())?;
    Ok(whole)
}

/// What the other program measures.
fn beside(program: &Path, options: &Options) -> Result<Report, Box<dyn Error>> {
    let output = Command::new(program).args(options.arguments()).stderr(Stdio::inherit()).output()?;
    if !output.status.success() {
        return Err(format!("{} failed: {}", program.display(), output.status).into());
    }
    Ok(serde_json::from_slice(&output.stdout)?)
}

/// The numbers, the tables, and a picture of each family that a peer has.
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

/// The results of an earlier run, if they are there and in today's format.
fn read(file: &Path) -> Option<Report> {
    serde_json::from_str(&fs::read_to_string(file).ok()?).ok()
}
