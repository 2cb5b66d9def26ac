//! Measures stack and heap of both sides, each in its own thread, from reading its keys to closing the connection.

use super::documented::DOCUMENTED;
use super::memory_use::MemoryUse;
use super::options::Args;
use crate::error::Error;
use crate::output::{DIM, Output, Report};
use crate::table::{self, Column};
use crate::tls::loopback::{WOLFSSL_MESSAGES, exchange, serve_one, wolfssl_preferences};
use crate::tls::test_identity::{NAME, TestIdentity};
use grille_meter::measure;
use grille_registry::{KemRow, Profile, Row, SignatureRow, kem_by_name, signature_by_name};
use grille_tls::{Client, Preferences, Server};
use serde::{Deserialize, Serialize};
use std::io::{self, Write};
use std::process::Command;
use std::sync::mpsc::{Sender, channel};
use std::thread;
use std::time::Instant;

/// A combination with the documented memory of its server and client.
struct Combination {
    signature: &'static SignatureRow,
    group: &'static KemRow,
    documented: Option<[MemoryUse; 2]>,
}

/// Measures the memory and prints it next to wolfSSL's documented numbers.
///
/// # Errors
/// Returns an error if a connection fails.
pub(super) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    let (combinations, missing) = combinations(args);
    let (mut rows, start) = (Vec::new(), Instant::now());
    for (n, one) in combinations.iter().enumerate() {
        let (signature, group) = (one.signature.name(), one.group.name());
        out.progress(start, format_args!("{} of {}: {signature}, {group}", n + 1, combinations.len()));
        let uses =
            if combinations.len() == 1 { in_this_process(one, args)? } else { in_new_process(one, args)? };
        rows.push(RowResult::new(one, uses));
    }
    out.end_progress();
    if !missing.is_empty() {
        out.warn(format_args!("not implemented: {}", missing.join(", ")));
    }
    out.print(&Memory { mutual: is_mutual(args), prepared_keys: args.prepared_keys, rows })
}

/// Returns whether clients show certificates. In wolfSSL's documents they do not.
fn is_mutual(args: &Args) -> bool {
    !args.sig.is_empty() && !args.anonymous
}

/// Returns the combinations, and the names in wolfSSL's documents that are not implemented.
fn combinations(args: &Args) -> (Vec<Combination>, Vec<&'static str>) {
    if !args.sig.is_empty() {
        let groups = |&signature| {
            args.groups.iter().map(move |&group| Combination { signature, group, documented: None })
        };
        return (args.sig.iter().flat_map(groups).collect(), Vec::new());
    }
    let (mut combinations, mut missing) = (Vec::new(), Vec::new());
    for row in DOCUMENTED {
        match (signature_by_name(row.signature), kem_by_name(row.group)) {
            (Ok(signature), Ok(group)) => {
                combinations.push(Combination {
                    signature,
                    group,
                    documented: Some([row.server, row.client]),
                });
            }
            (Err(_), _) => missing.push(row.signature),
            (_, Err(_)) => missing.push(row.group),
        }
    }
    missing.dedup();
    (combinations, missing)
}

/// Measures in a separate process, so that each combination includes one-time initialisation.
fn in_new_process(combination: &Combination, args: &Args) -> Result<[MemoryUse; 2], Error> {
    let (signature, group) = (combination.signature.name(), combination.group.name());
    let failed = |problem: &dyn std::fmt::Display| {
        Error::failure(format_args!("cannot measure: {problem}"))
            .with_place(format!("{signature} with {group}"))
    };
    let mut command = Command::new(std::env::current_exe().map_err(|e| failed(&e))?);
    command.args(["tls", "matrix", "--memory", "--json", "--quiet", "--sig", signature, "--groups", group]);
    command.args(["--profile", &profile_names(args)]);
    for (is_on, option) in [(!is_mutual(args), "--anonymous"), (args.prepared_keys, "--prepared-keys")] {
        command.args(is_on.then_some(option));
    }
    let done = command.output().map_err(|e| failed(&e))?;
    let answer: Result<Answer, _> = serde_json::from_slice(&done.stdout);
    match answer {
        Ok(Answer { rows: [Sides { server, client }] }) => Ok([server, client]),
        Err(_) => Err(failed(&String::from_utf8_lossy(&done.stderr).trim())),
    }
}

/// Formats the profiles for `--profile`.
fn profile_names(args: &Args) -> String {
    args.profile.profiles().map(Profile::name).collect::<Vec<_>>().join(",")
}

#[derive(Deserialize)]
struct Answer {
    rows: [Sides; 1],
}

#[derive(Deserialize)]
struct Sides {
    server: MemoryUse,
    client: MemoryUse,
}

/// Measures in this process; returns the memory of the server and of the client.
fn in_this_process(combination: &Combination, args: &Args) -> Result<[MemoryUse; 2], Error> {
    let party = TestIdentity::generate(combination.signature)?;
    let preferences = Preferences {
        low_memory: !args.prepared_keys,
        ..wolfssl_preferences(combination.group, args.profile)
    };
    let (party, preferences, mutual) = (&party, &preferences, is_mutual(args));
    let (sender, address) = channel();
    thread::scope(|scope| {
        let serving = scope.spawn(move || measure(|| serve(party, preferences, mutual, &sender)));
        let client = measure(move || {
            // without an address, the server has failed and returns its error
            let Ok(address) = address.recv() else { return Ok(()) };
            let client = Client::new(party.client_options(preferences.clone(), mutual)?)?;
            exchange(&client, &address, NAME, WOLFSSL_MESSAGES).map(|_| ())
        });
        let stopped = |e: io::Error| Error::failure(e);
        let server = serving.join().map_err(|_| Error::failure("the server stopped unexpectedly"))?;
        let ((server_result, server), (client_result, client)) =
            (server.map_err(stopped)?, client.map_err(stopped)?);
        server_result?;
        client_result?;
        Ok([server.into(), client.into()])
    })
}

fn serve(
    party: &TestIdentity,
    preferences: &Preferences,
    mutual: bool,
    address: &Sender<String>,
) -> Result<(), Error> {
    let options = party.server_options(preferences.clone(), mutual)?;
    let server = Server::bind(&format!("{NAME}:0"), options)?;
    // the client waits for the address
    let _ = address.send(server.local_addr()?.to_string());
    serve_one(&server, WOLFSSL_MESSAGES).map(|_| ())
}

#[derive(Serialize)]
struct Memory {
    mutual: bool,
    prepared_keys: bool,
    rows: Vec<RowResult>,
}

#[derive(Serialize)]
struct RowResult {
    authentication: &'static str,
    key_establishment: &'static str,
    server: MemoryUse,
    client: MemoryUse,
    /// The memory in wolfSSL's documents.
    #[serde(skip_serializing_if = "Option::is_none")]
    documented: Option<Documented>,
}

#[derive(Serialize)]
struct Documented {
    server: MemoryUse,
    client: MemoryUse,
    /// Whether the stack and the heap peak of each side are at most those in wolfSSL's documents.
    kept: bool,
}

impl RowResult {
    fn new(combination: &Combination, [server, client]: [MemoryUse; 2]) -> Self {
        let no_more = |own: MemoryUse, theirs: MemoryUse| {
            own.stack <= theirs.stack && own.heap_peak <= theirs.heap_peak
        };
        Self {
            authentication: combination.signature.name(),
            key_establishment: combination.group.name(),
            server,
            client,
            documented: combination.documented.map(|[theirs_server, theirs_client]| Documented {
                server: theirs_server,
                client: theirs_client,
                kept: no_more(server, theirs_server) && no_more(client, theirs_client),
            }),
        }
    }
}

impl Memory {
    /// Returns the number of sides whose memory is at most the documented one.
    fn count_sides_at_most(&self, figure: fn(&MemoryUse) -> u64) -> usize {
        let sides = self.rows.iter().filter_map(|row| Some((row, row.documented.as_ref()?)));
        let pairs = sides
            .flat_map(|(row, documented)| [(row.server, documented.server), (row.client, documented.client)]);
        pairs.filter(|(own, theirs)| figure(own) <= figure(theirs)).count()
    }
}

const COLUMNS: [Column; 7] = [
    Column::text("AUTHENTICATION", 0),
    Column::text("KEY ESTABLISHMENT", 0),
    Column::text("SIDE", 0),
    Column::number("STACK USED", 0),
    Column::number("ALLOCATIONS", 2),
    Column::number("HEAP TOTAL", 1),
    Column::number("HEAP PEAK", 0),
];

impl Report for Memory {
    fn write_text(&self, out: &mut Output) -> io::Result<()> {
        let mut cells = Vec::new();
        for row in &self.rows {
            let documented = row.documented.as_ref();
            for (side, own, theirs) in [
                ("server", row.server, documented.map(|documented| documented.server)),
                ("client", row.client, documented.map(|documented| documented.client)),
            ] {
                let cell = |own: u64, theirs: Option<u64>| {
                    theirs.map_or_else(|| own.to_string(), |theirs| format!("{own} / {theirs}"))
                };
                cells.push(vec![
                    row.authentication.to_owned(),
                    row.key_establishment.to_owned(),
                    side.to_owned(),
                    cell(own.stack, theirs.map(|theirs| theirs.stack)),
                    cell(own.allocations, theirs.map(|theirs| theirs.allocations)),
                    cell(own.heap_total, theirs.map(|theirs| theirs.heap_total)),
                    cell(own.heap_peak, theirs.map(|theirs| theirs.heap_peak)),
                ]);
            }
        }
        table::print(out, &COLUMNS, &cells)?;
        let known: Vec<&Documented> = self.rows.iter().filter_map(|row| row.documented.as_ref()).collect();
        if !known.is_empty() {
            let kept = known.iter().filter(|documented| documented.kept).count();
            let heap = self.count_sides_at_most(|side| side.heap_peak);
            let (stack, sides) = (self.count_sides_at_most(|side| side.stack), 2 * known.len());
            writeln!(
                out,
                "{DIM}grille / wolfSSL's documents. grille uses no more than documented: heap peak on {heap} of {sides} \
                 sides, stack on {stack}, and both values on both sides in {kept} of {} rows.{DIM:#}",
                known.len()
            )?;
        }
        let keys = if self.prepared_keys { "prepared" } else { "not prepared (--little-memory)" };
        writeln!(
            out,
            "{DIM}Bytes from reading the keys to closing the connection. Private keys are {keys}; there are no tickets and \
             no stored sessions.\nAllocations by the C code of aws-lc are not counted.{DIM:#}"
        )
    }
}
