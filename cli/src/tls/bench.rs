//! `grille tls bench`: measures handshakes and throughput for groups and certificates.

mod load;
mod result;
mod serve;
mod show;
mod svg;

use super::options::{BENCH_PORT, List, MAKE_CHAIN, identity, list_ciphers, roots, suites};
use super::test_identity::{NAME, TIMEOUT, TestIdentity};
use super::wolfssl_output::{self, wolfssl_name};
use crate::algorithm::{parse_usable_kem, warn_in_one_line};
use crate::arguments::{host, host_and_address, host_with_port};
use crate::era::profiles;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, SCHEMA, format_count};
use grille_pki::Certificate;
use grille_registry::{KemRow, Numbers, Row, SignatureRow, Status, signature_by_name};
use grille_tls::codepoints::suite_name;
use grille_tls::{Client, ClientOptions, Preferences, Report, Server, ServerOptions, groups};
use load::{Load, Side};
use result::{CombinationResult, SideResults};
use rustls::SupportedCipherSuite;
use serde::Serialize;
use std::io::Write;
use std::path::PathBuf;
use std::thread;
use std::time::{Duration, Instant};

/// Measure TLS handshakes and throughput for groups and certificates.
///
/// Client and server run in this process, over the loopback, or with -m in memory. Each connection is a full handshake
/// followed by a transfer in both directions. The options are those of wolfSSL's tls_bench; its -c and -s with -h HOST
/// -P PORT mean --connect HOST:PORT and --serve --listen.
///
/// Use `grille tls bench` for the speed of TLS connections, and `grille tls matrix` for their bytes and memory, also in
/// comparison with wolfSSL's documents. Use `grille bench` or `grille speed` for single algorithms without TLS.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille tls bench              the default groups
  grille tls bench -g -t 2 -m   every group, two seconds each, in memory
  grille tls bench --groups X25519MLKEM768 --sig ML-DSA-44,ML-DSA-65 --json \\
      | jq .results")]
pub(crate) struct Args {
    /// Measure every quantum-safe group that is not broken, and the classical groups.
    #[arg(short = 'g', long, conflicts_with = "groups")]
    all_groups: bool,
    /// Measure these groups [default: the groups that are offered by default].
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = parse_usable_kem)]
    groups: Vec<&'static KemRow>,
    /// Use certificates with these signature algorithms.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = signature_by_name, default_value = "ECDSA-P256")]
    sig: Vec<&'static SignatureRow>,
    /// Measure each of these cipher suites.
    #[arg(short = 'l', long, value_name = "LIST", value_parser = suites, default_value = "TLS_AES_256_GCM_SHA384")]
    ciphers: List<SupportedCipherSuite>,
    /// Measure each combination for this many seconds, from 0 to 3600.
    #[arg(short = 't', long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "1", value_parser = crate::bench::seconds)]
    seconds: Duration,
    /// Send this many bytes at a time.
    #[arg(short = 'p', long, value_name = "BYTES", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(1..=16384))]
    packet: u32,
    /// Transfer this many bytes each way on a connection; 0 measures only handshakes [default: 131072, or 0 with
    /// --connect].
    #[arg(short = 'S', long, value_name = "BYTES")]
    size: Option<u32>,
    /// Run this many client-server pairs in parallel threads.
    #[arg(short = 'T', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// Use memory instead of sockets: each thread carries the bytes between its client and its server.
    #[arg(short = 'm', long)]
    memory: bool,
    /// Authenticate clients with certificates, too.
    #[arg(long)]
    mutual: bool,
    /// Print a block for each side in the format of tls_bench instead of the table.
    #[arg(short, long)]
    verbose: bool,
    /// Print the server's certificate and the negotiated parameters before each measurement, in the format of wolfSSL's
    /// examples.
    #[arg(short = 'i', long, conflicts_with = "serve")]
    show_peer: bool,
    /// Run only the client, against this server [default port: 11112]. With --size, the server must be
    /// `grille tls bench --serve`.
    #[arg(long, value_name = "HOST[:PORT]", value_parser = host, requires = "ca", conflicts_with_all = ["sig", "memory", "mutual"])]
    connect: Option<String>,
    /// Run only the server: send back everything that clients send, until no client has come for --seconds after the
    /// last one. Clients choose among --groups and --ciphers.
    #[arg(short = 's', long, requires_all = ["cert", "key"], conflicts_with_all = ["sig", "memory", "mutual", "size", "connect", "packet"])]
    serve: bool,
    /// With --serve: use the certificate chain in this file (PEM).
    #[arg(long, value_name = "FILE", requires = "serve")]
    cert: Option<PathBuf>,
    /// With --serve: read the private key of --cert (PEM or DER) from this file.
    #[arg(long, value_name = "FILE", requires = "serve")]
    key: Option<PathBuf>,
    /// With --serve: listen on this address and port.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = host_with_port, default_value = "127.0.0.1:11112", requires = "serve")]
    listen: String,
    /// Print the names of the cipher suites, and exit.
    #[arg(short = 'e', long)]
    list_ciphers: bool,
    /// With --connect: trust the roots in this file (PEM); may be repeated.
    #[arg(long, value_name = "FILE", requires = "connect")]
    ca: Vec<PathBuf>,
    /// Also draw the mean handshake times to this SVG file; `-` is standard output.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace an existing SVG file.
    #[arg(long, requires = "svg")]
    force: bool,
    /// Interpret codepoints and object identifiers as in these profiles, such as wolfssl-5.3.
    #[arg(long, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    profile: Numbers,
}

/// Measures each combination and prints the results.
///
/// # Errors
/// Returns an error if a connection fails, or an output cannot be written.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.list_ciphers {
        return list_ciphers(out);
    }
    let form = Form::new(args, out)?;
    if let Some(path) = &args.svg {
        files::refuse_existing(path, args.force)?;
    }
    let groups = chosen_groups(args).into_iter().map(|group| group as &dyn Row);
    warn_in_one_line("", groups.chain(args.sig.iter().map(|row| *row as &dyn Row)), out);
    let mut results = Vec::new();
    match &args.connect {
        Some(server) => measure_all(args, form, &Peer::remote(server, args)?, &mut results, out)?,
        None if args.serve => serve_all(args, form, &mut results, out)?,
        None => args.sig.iter().try_for_each(|row| {
            measure_all(args, form, &Peer::Local(Box::new(TestIdentity::generate(row)?)), &mut results, out)
        })?,
    }
    match form {
        Form::Document => out.print_json(&Results { schema: SCHEMA, results: &results })?,
        Form::Table => show::write_table(&results, out)?,
        Form::Blocks | Form::Nothing => (),
    }
    out.flush()?;
    match &args.svg {
        Some(path) => {
            files::write(&[NewFile::public(path, svg::draw_chart(&results).as_bytes())], args.force)
        }
        None => Ok(()),
    }
}

/// The form of the results on standard output.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Document,
    /// Blocks as in tls_bench, each printed as soon as it is measured.
    Blocks,
    Table,
    /// No results, because the drawing goes to standard output.
    Nothing,
}

impl Form {
    fn new(args: &Args, out: &Output) -> Result<Self, Error> {
        Ok(match files::claims_stdout(args.svg.as_deref(), out.is_json())? {
            true => Self::Nothing,
            false if out.is_json() => Self::Document,
            false if args.verbose => Self::Blocks,
            false => Self::Table,
        })
    }
}

/// Measures each suite with each group.
fn measure_all(
    args: &Args,
    form: Form,
    peer: &Peer,
    results: &mut Vec<CombinationResult>,
    out: &mut Output,
) -> Result<(), Error> {
    let (groups, start) = (chosen_groups(args), Instant::now());
    let total = groups.len() * args.ciphers.0.len() * if args.connect.is_some() { 1 } else { args.sig.len() };
    for &suite in &args.ciphers.0 {
        for &group in &groups {
            let name = group.name();
            out.progress(start, format_args!("{} of {total}: {name}, {}", results.len() + 1, peer.name()));
            // errors of a connection already contain the address
            let place = match args.connect {
                Some(_) => name.to_owned(),
                None => format!("{name} with {}", peer.name()),
            };
            let result = measure(args, form, peer, (suite, group), out).map_err(|e| e.with_place(place))?;
            out.end_progress();
            if form == Form::Blocks {
                show::write_blocks(&result, out)?;
            }
            results.push(result);
        }
    }
    Ok(())
}

/// Runs only the server.
fn serve_all(
    args: &Args,
    form: Form,
    results: &mut Vec<CombinationResult>,
    out: &mut Output,
) -> Result<(), Error> {
    let (Some(cert), Some(key)) = (&args.cert, &args.key) else {
        return Err(Error::usage("--serve without --cert and --key").advise(MAKE_CHAIN));
    };
    let options = ServerOptions {
        preferences: Preferences {
            groups: chosen_groups(args),
            suites: args.ciphers.0.clone(),
            numbers: args.profile,
            ..Preferences::default()
        },
        tickets: false,
        timeout: Some(TIMEOUT),
        ..ServerOptions::new(identity(cert, key, args.profile)?)
    };
    let server = Server::bind(&args.listen, options)?;
    out.queue_warnings()?;
    out.print_listening(server.local_addr()?)?;
    let served = serve::serve(&server, args.threads.into(), args.seconds)?;
    if let Some(reason) = served.reason {
        out.warn(format_args!(
            "{} failed; the last one: {reason}",
            format_count(served.failed, "connection")
        ));
    }
    let place = position_in(args);
    let mut sides: Vec<_> = served.sides.into_iter().collect();
    sides.sort_by_key(|(choice, _)| place(*choice));
    for ((suite, group), side) in sides {
        let row = args.profile.kem_by_group(group);
        let result = CombinationResult {
            cipher_suite: suite_name(suite.into()),
            group: row.map_or("unknown", Row::name),
            wolfssl_group: row.map_or_else(|| "unknown".to_owned(), wolfssl_group),
            signature: None,
            peer: None,
            server: Some(side.into()),
            client: None,
        };
        if form == Form::Blocks {
            show::write_blocks(&result, out)?;
        }
        results.push(result);
    }
    Ok(())
}

/// Returns a function that maps a client's choice to its position in the order of the options.
fn position_in(args: &Args) -> impl Fn(serve::Choice) -> [Option<usize>; 2] {
    let groups = chosen_groups(args);
    move |(suite, group)| {
        let row = args.profile.kem_by_group(group).map(Row::name);
        let suite = args.ciphers.0.iter().position(|known| u16::from(known.suite()) == suite);
        [suite, groups.iter().position(|known| Some(known.name()) == row)]
    }
}

/// Returns tls_bench's name of a group, with its level or with `ECC_` for a classical group.
fn wolfssl_group(row: &KemRow) -> String {
    match row.category {
        0 => format!("ECC_{}", wolfssl_name(row)),
        _ => wolfssl_name(row),
    }
}

/// The server that clients connect to.
enum Peer {
    /// A server in this process.
    Local(Box<TestIdentity>),
    /// The server that `--connect` names.
    Remote { address: String, host: String, roots: Vec<Certificate> },
}

impl Peer {
    fn remote(server: &str, args: &Args) -> Result<Self, Error> {
        let (host, address) = host_and_address(server, BENCH_PORT);
        Ok(Self::Remote { address, host, roots: roots(&args.ca, args.profile)? })
    }

    /// Returns the algorithm of a local server's certificates, or a remote server's address.
    fn name(&self) -> &str {
        match self {
            Self::Local(party) => party.algorithm(),
            Self::Remote { address, .. } => address,
        }
    }

    /// Runs the load; returns the results of a local server and of the client.
    fn run_load(&self, args: &Args, preferences: Preferences) -> Result<(Option<Side>, Side), Error> {
        let load = load(args);
        match self {
            Self::Local(party) => {
                let (server, client) = party.server_and_client(preferences, args.mutual)?;
                let [server, client] = match args.memory {
                    true => load.in_memory(&client, &server)?,
                    false => load.over_sockets(&client, &server)?,
                };
                Ok((Some(server), client))
            }
            Self::Remote { address, host, roots } => {
                Ok((None, load.as_client(&remote_client(preferences, roots)?, address, host)?))
            }
        }
    }

    /// Returns a client's report of one handshake.
    fn report(&self, args: &Args, preferences: Preferences) -> Result<Report, Error> {
        match self {
            Self::Local(party) => {
                let (server, client) = party.server_and_client(preferences, args.mutual)?;
                let address = server.local_addr()?;
                thread::scope(|scope| {
                    // the server's errors are ignored: the client reports the failure, too
                    scope.spawn(|| server.accept().and_then(|(socket, peer)| server.handshake(socket, peer)));
                    let connection = client.connect(&address.to_string(), NAME);
                    if connection.is_err() {
                        load::wake(1, address);
                    }
                    Ok(connection?.report())
                })
            }
            Self::Remote { address, host, roots } => {
                Ok(remote_client(preferences, roots)?.connect(address, host)?.report())
            }
        }
    }
}

/// Makes a client for a remote server.
fn remote_client(preferences: Preferences, roots: &[Certificate]) -> Result<Client, Error> {
    Ok(Client::new(ClientOptions {
        preferences,
        roots: roots.to_vec(),
        resume: false,
        timeout: Some(TIMEOUT),
        ..ClientOptions::default()
    })?)
}

fn load(args: &Args) -> Load {
    Load {
        seconds: args.seconds,
        packet: args.packet as usize,
        size: args.size.unwrap_or(if args.connect.is_some() { 0 } else { 131_072 }) as usize,
        threads: args.threads.into(),
    }
}

/// Returns the groups in the order of measurement.
fn chosen_groups(args: &Args) -> Vec<&'static KemRow> {
    let usable =
        |row: &&'static KemRow| row.status != Status::Broken && groups::group(row, args.profile).is_some();
    match args.all_groups {
        true => args.profile.kems().into_iter().filter(usable).collect(),
        false if args.groups.is_empty() => groups::default_groups(args.profile),
        false => args.groups.clone(),
    }
}

fn measure(
    args: &Args,
    form: Form,
    peer: &Peer,
    (suite, group): (SupportedCipherSuite, &'static KemRow),
    out: &mut Output,
) -> Result<CombinationResult, Error> {
    let preferences = Preferences {
        groups: vec![group],
        suites: vec![suite],
        numbers: args.profile,
        ..Preferences::default()
    };
    if args.show_peer && matches!(form, Form::Blocks | Form::Table) {
        wolfssl_output::write_connected(&peer.report(args, preferences.clone())?, out)?;
    }
    let (server, client) = peer.run_load(args, preferences)?;
    Ok(CombinationResult {
        cipher_suite: suite_name(suite.suite()),
        group: group.name(),
        wolfssl_group: wolfssl_group(group),
        signature: if let Peer::Local(party) = peer { Some(party.algorithm()) } else { None },
        peer: if let Peer::Remote { address, .. } = peer { Some(address.clone()) } else { None },
        server: server.map(SideResults::from),
        client: Some(client.into()),
    })
}

#[derive(Serialize)]
struct Results<'a> {
    schema: u32,
    results: &'a [CombinationResult],
}
