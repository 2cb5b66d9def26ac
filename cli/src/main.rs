//! grille, the command line: parses, calls the verb, turns an error into one line and an exit code.
//!
//! Each verb is a file with `Args` (what clap parses) and `run(&Args, &mut Output) -> Result<(), Error>`.
#![forbid(unsafe_code)]

mod algorithm;
mod arguments;
mod bench;
mod cert;
mod decap;
mod demo;
mod documents;
mod encap;
mod era;
mod error;
mod explain;
mod files;
mod hex;
mod kat;
mod key;
mod keygen;
mod keys;
mod lengths;
mod list;
mod message;
mod operations;
mod output;
mod passphrase;
mod private;
mod proxy;
mod sign;
mod spdm;
mod speed;
mod table;
mod temporary;
mod tls;
mod verify;
mod warnings;
#[cfg(windows)]
mod windows_acl;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Parser, Subcommand};
use error::{Error, Kind};
use output::{Output, SCHEMA};
use serde_json::json;
use std::process::ExitCode;

/// Counts where `grille tls matrix --memory` asks for it.
#[global_allocator]
static ALLOCATOR: grille_meter::Counting = grille_meter::Counting;

/// Quantum-safe cryptography on the command line: keys, files, certificates, TLS 1.3, SPDM.
///
/// Standard output has the answer, standard error the diagnostics; the exit code is 0, 1 for a failure or a
/// "no", 2 for a mistake in the command line. `-` instead of a file name is standard input or output.
#[derive(Parser)]
#[command(name = "grille", version, propagate_version = true, max_term_width = 100)]
struct Cli {
    /// Print JSON, one document per line, for machines.
    #[arg(long, global = true)]
    json: bool,
    /// Print no warnings and no progress.
    #[arg(long, global = true)]
    quiet: bool,
    /// Allow algorithms with a known attack, for study: SIKE and SIDH.
    #[arg(long, global = true)]
    #[allow(dead_code, reason = "it is read before the command line is parsed")]
    allow_broken: bool,
    #[command(flatten)]
    passphrases: passphrase::Sources,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    List(list::Args),
    Explain(explain::Args),
    Keygen(keygen::Args),
    Key(key::Args),
    Encap(encap::Args),
    Decap(decap::Args),
    Sign(sign::Args),
    Verify(verify::Args),
    Bench(bench::Args),
    Speed(speed::Args),
    Cert(cert::Args),
    Kat(kat::Args),
    Tls(tls::Args),
    Proxy(Box<proxy::Args>),
    Spdm(Box<spdm::Args>),
    Demo(demo::Args),
}

fn main() -> ExitCode {
    let words = match tls::wolfssl::translate(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(error) => return finish(Err(error), &mut Output::new(wants_json(), false)),
    };
    if words.iter().any(|word| word == "--allow-broken") {
        algorithm::allow_broken();
    }
    match Cli::try_parse_from(words) {
        Ok(cli) => {
            let mut out = Output::new(cli.json, cli.quiet);
            passphrase::set(cli.passphrases);
            if cli.quiet {
                documents::stop_notes();
            }
            let result = run(&cli.command, &mut out);
            finish(result, &mut out)
        }
        Err(error) => not_parsed(&error),
    }
}

/// Whether the command line asks for JSON, for when it cannot be parsed.
fn wants_json() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}

/// Help and version are answers; help because no command was given is a mistake, and so is everything else.
fn not_parsed(error: &clap::Error) -> ExitCode {
    let json = wants_json();
    let mut out = Output::new(json, false);
    let no_command = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() {
        let answer = match error.kind() {
            _ if !json => error.print().map_err(Error::from),
            ErrorKind::DisplayVersion => {
                out.document(&json!({ "schema": SCHEMA, "version": env!("CARGO_PKG_VERSION") }))
            }
            _ => out.document(&json!({ "schema": SCHEMA, "help": error.render().to_string() })),
        };
        return finish(answer, &mut out);
    }
    if no_command && !json {
        // Standard error may be closed; the exit code still tells.
        let _ = error.print();
        return ExitCode::from(2);
    }
    let error =
        if no_command { Error::usage("no command given").advise("--help lists them") } else { usage(error) };
    finish(Err(error), &mut out)
}

fn run(command: &Command, out: &mut Output) -> Result<(), Error> {
    match command {
        Command::List(args) => list::run(args, out),
        Command::Explain(args) => explain::run(args, out),
        Command::Keygen(args) => keygen::run(args, out),
        Command::Key(args) => key::run(args, out),
        Command::Encap(args) => encap::run(args, out),
        Command::Decap(args) => decap::run(args, out),
        Command::Sign(args) => sign::run(args, out),
        Command::Verify(args) => verify::run(args, out),
        Command::Bench(args) => bench::run(args, out),
        Command::Speed(args) => speed::run(args, out),
        Command::Cert(args) => cert::run(args, out),
        Command::Kat(args) => kat::run(args, out),
        Command::Tls(args) => tls::run(args, out),
        Command::Proxy(args) => proxy::run(args, out),
        Command::Spdm(args) => spdm::run(args, out),
        Command::Demo(args) => demo::run(args, out),
    }
}

fn finish(result: Result<(), Error>, out: &mut Output) -> ExitCode {
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            if error.kind() != Kind::ClosedPipe {
                out.fail(&error);
            }
            error.exit_code()
        }
    }
}

/// clap's message in one line.
fn usage(error: &clap::Error) -> Error {
    Error::usage(missing(error).unwrap_or_else(|| before_usage(error))).advise("--help explains")
}

/// What must be given and is not: of what stands for one another all that there is.
fn missing(error: &clap::Error) -> Option<String> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return None };
    let choice = |argument: &String| match argument.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'))
    {
        Some(several) if several.contains('|') => several.replace('|', " or "),
        _ => argument.clone(),
    };
    let missing = missing.iter().map(choice).collect::<Vec<_>>().join(", and ");
    (error.kind() == ErrorKind::MissingRequiredArgument).then(|| format!("missing: {missing}"))
}

/// All that stands before the usage.
fn before_usage(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let message = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    message.trim_start_matches("error: ").replace(" tip: ", "; ")
}
