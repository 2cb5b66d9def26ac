//! The `grille` program: parses the command line, runs a subcommand, and turns an error into one line and an exit code.
//!
//! Each subcommand is a file with `Args` (parsed by clap) and `run(&Args, &mut Output) -> Result<(), Error>`.
#![forbid(unsafe_code)]

mod algorithm;
mod arguments;
mod bench;
mod cert;
mod completions;
mod decap;
mod demo;
mod documents;
mod drawing;
mod encap;
mod era;
mod error;
mod explain;
mod files;
mod hex;
mod input_checks;
mod kat;
mod key;
mod keygen;
mod keys;
mod lengths;
mod list;
mod man;
mod message;
mod operations;
mod output;
mod passphrase;
mod private;
mod proxy;
mod sign;
mod spdm;
mod speed;
mod style;
mod table;
mod temporary;
mod tls;
mod topics;
mod verify;
mod warnings;
#[cfg(windows)]
mod windows_acl;

use arguments::GLOBAL_HEADING;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser, Subcommand};
use error::{Error, Kind};
use output::{Output, SCHEMA};
use serde_json::json;
use std::ffi::OsString;
use std::process::ExitCode;

/// The system allocator with counters, which `grille tls matrix --memory` reads.
#[cfg(feature = "measure-memory")]
#[global_allocator]
static ALLOCATOR: grille_meter::CountingAllocator = grille_meter::CountingAllocator;

/// Use quantum-safe cryptography: keys, files, certificates, TLS 1.3 and SPDM.
///
/// Answers go to standard output, and errors, warnings and progress to standard error. The exit code is 0 for
/// success, 1 for a failure or a negative answer, and 2 for a mistake in the command line. The file name `-` means
/// standard input or standard output.
#[derive(Parser)]
#[command(name = "grille", version, propagate_version = true, max_term_width = 100)]
#[command(after_help = "\
Examples:
  grille demo                       compare quantum-safe connections with classical ones
  grille list                       list the algorithms
  grille keygen --alg ML-DSA-65 --out my.key --pub my.pub
  grille tls scan example.org       check whether a server is quantum-safe
  grille help topics                list the topics of the guide")]
struct Cli {
    /// Print JSON for programs, one document per line.
    #[arg(long, global = true, help_heading = GLOBAL_HEADING)]
    json: bool,
    /// Suppress warnings and progress.
    #[arg(long, global = true, help_heading = GLOBAL_HEADING)]
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
    Completions(completions::Args),
    Man(man::Args),
}

fn main() -> ExitCode {
    let words = match tls::wolfssl::translate(std::env::args_os().collect()) {
        Ok(words) => words,
        Err(error) => return finish(Err(error), &mut Output::new(wants_json(), false)),
    };
    if words.iter().any(|word| word == "--allow-broken") {
        algorithm::allow_broken();
    }
    if let Some(topic) = topic(&words) {
        let mut out = Output::new(wants_json(), false);
        if let Some(result) = topics::print(topic, &mut out) {
            return finish(result, &mut out);
        }
    }
    match Cli::try_parse_from(words) {
        Ok(cli) => {
            let mut out = Output::new(cli.json, cli.quiet);
            passphrase::set(cli.passphrases);
            if cli.quiet {
                documents::suppress_notes();
            }
            let result = run(&cli.command, &mut out);
            finish(result, &mut out)
        }
        Err(error) => print_parse_failure(&error),
    }
}

/// Returns the word after `grille help` if it is the last one; `--json` may stand anywhere.
fn topic(words: &[OsString]) -> Option<&str> {
    let mut words = words.iter().skip(1).filter_map(|word| word.to_str()).filter(|word| *word != "--json");
    match (words.next(), words.next(), words.next()) {
        (Some("help"), Some(topic), None) => Some(topic),
        _ => None,
    }
}

/// Returns whether the command line requests JSON, even if clap cannot parse it.
fn wants_json() -> bool {
    std::env::args_os().any(|argument| argument == "--json")
}

/// Prints help or the version if clap stopped for them; reports any other parse failure as a usage error.
fn print_parse_failure(error: &clap::Error) -> ExitCode {
    let json = wants_json();
    let mut out = Output::new(json, false);
    let no_command = error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    if !error.use_stderr() {
        let answer = match error.kind() {
            _ if !json => error.print().map_err(Error::from),
            ErrorKind::DisplayVersion => {
                out.print_json(&json!({ "schema": SCHEMA, "version": env!("CARGO_PKG_VERSION") }))
            }
            _ => out.print_json(&json!({ "schema": SCHEMA, "help": error.render().to_string() })),
        };
        return finish(answer, &mut out);
    }
    if no_command && !json {
        // standard error may be closed; the exit code still reports the mistake
        let _ = error.print();
        return ExitCode::from(2);
    }
    let error = if no_command {
        Error::usage("no command given").advise("run with --help to list them")
    } else {
        usage(error)
    };
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
        Command::Completions(args) => completions::run(args, Cli::command(), out),
        Command::Man(args) => man::run(args, Cli::command(), out),
    }
}

/// Reports an error and returns the exit code, unless a signal is ending the program.
fn finish(result: Result<(), Error>, out: &mut Output) -> ExitCode {
    // a signal handler removes temporary files that may be in use; errors that result from this must not be reported
    temporary::stop_if_interrupted();
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

/// Turns clap's message into one line with advice.
fn usage(error: &clap::Error) -> Error {
    match missing_arguments(error) {
        Some(missing) => {
            let words: Vec<String> = std::env::args().skip(1).collect();
            let advice = creation_advice(&words, &missing);
            Error::usage(format_args!("missing: {}", missing.join(", and "))).advise(advice)
        }
        None => Error::usage(text_before_usage(error)).advise(SEE_HELP),
    }
}

const SEE_HELP: &str = "run with --help for usage";

/// Lists missing required arguments, each with every alternative; `None` if the mistake is another one.
fn missing_arguments(error: &clap::Error) -> Option<Vec<String>> {
    let Some(ContextValue::Strings(missing)) = error.get(ContextKind::InvalidArg) else { return None };
    let choice = |argument: &String| match argument.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'))
    {
        Some(several) if several.contains('|') => several.replace('|', " or "),
        _ => argument.clone(),
    };
    (error.kind() == ErrorKind::MissingRequiredArgument).then(|| missing.iter().map(choice).collect())
}

/// Each row has an option, the subcommand that the row applies to (empty for any), and the command that makes a file
/// for the option.
const CREATION_COMMANDS: [(&str, &str, &str); 10] = [
    ("--key", "decap", "grille keygen --alg ML-KEM-768 --out my.key --pub my.pub"),
    ("--pub", "encap", "grille keygen --alg ML-KEM-768 --out my.key --pub my.pub"),
    ("--ct", "decap", "grille encap --pub my.pub --ct my.ct --secret my.secret"),
    ("--sig", "verify", "grille sign --key my.key --in FILE --out FILE.sig"),
    ("--ca-key", "", "grille keygen --alg ML-DSA-65 --out root.key"),
    ("--ca", "cert", "grille cert root --key root.key --out root.crt"),
    ("--ca", "tls", "grille cert chain --alg ML-DSA-65 --out certs"),
    ("--cert", "", "grille cert chain --alg ML-DSA-65 --out certs"),
    ("--key", "", "grille keygen --alg ML-DSA-65 --out my.key --pub my.pub"),
    ("--pub", "verify", "grille keygen --alg ML-DSA-65 --out my.key --pub my.pub"),
];

/// Returns advice for missing arguments: the command that makes the first missing file, or a pointer to the help.
///
/// `words` is the command line without the program. The SPDM subcommands have their own advice.
fn creation_advice(words: &[String], missing: &[String]) -> String {
    let has = |subcommand: &str| subcommand.is_empty() || words.iter().any(|word| word == subcommand);
    let maker = |argument: &String| {
        let option = argument.split(' ').next()?;
        CREATION_COMMANDS.iter().find(|(known, subcommand, _)| *known == option && has(subcommand))
    };
    match missing.iter().find_map(maker).filter(|_| words.iter().all(|word| word != "spdm")) {
        Some((option, _, command)) => format!("make a file for {option} with `{command}`"),
        None => SEE_HELP.to_owned(),
    }
}

/// Returns clap's message up to the usage.
fn text_before_usage(error: &clap::Error) -> String {
    let text = error.render().to_string();
    let lines = text
        .lines()
        .map(str::trim)
        .take_while(|line| !line.starts_with("Usage:") && !line.starts_with("For more information"));
    let message = lines.filter(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    message.trim_start_matches("error: ").replace(" tip: ", "; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_topic_is_a_chapter_and_no_command() {
        let topics: Vec<_> = topics::all().collect();
        assert_eq!(topics.len(), topics::TEXT.lines().filter(|line| line.starts_with("# ")).count());
        for topic in topics {
            let chapter = format!("{}/../docs/guide/src/{}", env!("CARGO_MANIFEST_DIR"), topic.chapter);
            assert!(std::path::Path::new(&chapter).is_file(), "{}", topic.chapter);
            assert!(Cli::command().find_subcommand(topic.name).is_none(), "{} is a command", topic.name);
            assert!(topic.text.lines().count() <= 20, "{} is long", topic.name);
        }
    }

    #[test]
    fn every_command_line_of_a_topic_is_accepted() {
        let lines = topics::TEXT.lines().filter_map(|line| line.strip_prefix("    grille "));
        // `main` applies this option before clap parses the line, and to the whole process
        let parsed = lines.filter(|line| !line.contains("--allow-broken"));
        let mut count = 0;
        for line in parsed {
            let words = ["grille"].into_iter().chain(line.split_whitespace()).map(OsString::from);
            let words = tls::wolfssl::translate(words.collect()).expect(line);
            let refused = Cli::try_parse_from(words).err();
            assert!(refused.is_none(), "{line}: {}", refused.unwrap());
            count += 1;
        }
        assert!(count > 25, "{count}");
    }
}
