//! `grille tls bench`: handshakes and throughput, group by group and certificate by certificate.

mod load;
mod serve;
mod show;
mod svg;

use super::lines::{self, wolfssl_name};
use super::options::{BENCH_PORT, List, identity, list_ciphers, roots, suites};
use super::party::{NAME, PATIENCE, Party};
use crate::algorithm::{usable_kem, warn_at_once};
use crate::arguments::{host, host_and_address, with_port};
use crate::era::profiles;
use crate::error::Error;
use crate::files::{self, NewFile};
use crate::output::{Output, SCHEMA, counted};
use grille_pki::Certificate;
use grille_registry::{KemRow, Numbers, Row, SignatureRow, Status, signature_by_name};
use grille_tls::codepoints::suite_name;
use grille_tls::{Client, ClientOptions, Preferences, Report, Server, ServerOptions, groups};
use load::{Load, Side};
use rustls::SupportedCipherSuite;
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

/// Measure handshakes and throughput for groups and certificates.
///
/// Client and server run in this process, over the loopback or with -m in memory. Each connection is a full handshake, and
/// then so many bytes there and back. The options are those of wolfSSL's tls_bench, its -c and -s with -h HOST -P PORT among
/// them, which are --connect HOST:PORT and --serve --listen.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille tls bench              the default groups
  grille tls bench -g -t 2 -m   every group, two seconds each, in memory
  grille tls bench --groups KYBER_LEVEL1 --sig DILITHIUM_LEVEL2 -v
  grille tls bench -g -m --svg groups.svg
  grille tls bench --connect host:4433 --ca root.crt \\
      --groups X25519MLKEM768,X25519
  grille tls bench --serve --cert entity_cert.pem --key entity_key.pem
  grille tls bench --groups X25519MLKEM768 --sig ML-DSA-44,ML-DSA-65 --json \\
      | jq .results")]
pub(crate) struct Args {
    /// Every quantum-safe group that is not broken, and the classical ones.
    #[arg(short = 'g', long, conflicts_with = "groups")]
    all_groups: bool,
    /// These groups; by default those that are offered by default.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = usable_kem)]
    groups: Vec<&'static KemRow>,
    /// The signature algorithms of the certificates.
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = signature_by_name, default_value = "ECDSA-P256")]
    sig: Vec<&'static SignatureRow>,
    /// Cipher suites, each of which is measured.
    #[arg(short = 'l', long, value_name = "LIST", value_parser = suites, default_value = "TLS_AES_256_GCM_SHA384")]
    ciphers: List<SupportedCipherSuite>,
    /// How many seconds each measurement takes.
    #[arg(short = 't', long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "1", value_parser = crate::bench::seconds)]
    seconds: Duration,
    /// How many bytes are sent at a time.
    #[arg(short = 'p', long, value_name = "BYTES", default_value_t = 16384, value_parser = clap::value_parser!(u32).range(1..=16384))]
    packet: u32,
    /// How many bytes go each way on one connection; 0 for handshakes alone [default: 131072, with --connect 0].
    #[arg(short = 'S', long, value_name = "BYTES")]
    size: Option<u32>,
    /// How many pairs of threads work at once.
    #[arg(short = 'T', long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    threads: u16,
    /// No sockets: each thread carries the bytes of its client and its server by itself.
    #[arg(short = 'm', long)]
    memory: bool,
    /// Clients show a certificate, too.
    #[arg(long)]
    mutual: bool,
    /// A block for each side in the words of tls_bench, in place of the table.
    #[arg(short, long)]
    verbose: bool,
    /// Before each measurement: the server's certificate, and what is negotiated, in the words of wolfSSL's examples.
    #[arg(short = 'i', long, conflicts_with = "serve")]
    show_peer: bool,
    /// The client's side alone: handshakes with this server, such as `grille tls server`; with --size it must be
    /// `grille tls bench --serve`. Port 11112 if none is given.
    #[arg(long, value_name = "HOST[:PORT]", value_parser = host, requires = "ca", conflicts_with_all = ["sig", "memory", "mutual"])]
    connect: Option<String>,
    /// The server's side alone: sends back what clients send, whatever group and suite of these they choose, until none
    /// has come for so many --seconds after the last.
    #[arg(short = 's', long, requires_all = ["cert", "key"], conflicts_with_all = ["sig", "memory", "mutual", "size", "connect", "packet"])]
    serve: bool,
    /// With --serve: the certificate chain (PEM).
    #[arg(long, value_name = "FILE", requires = "serve")]
    cert: Option<PathBuf>,
    /// With --serve: its private key (PEM or DER).
    #[arg(long, value_name = "FILE", requires = "serve")]
    key: Option<PathBuf>,
    /// With --serve: the address and port to listen on.
    #[arg(long, value_name = "ADDRESS:PORT", value_parser = with_port, default_value = "127.0.0.1:11112", requires = "serve")]
    listen: String,
    /// Print the names of the cipher suites, and do no more.
    #[arg(short = 'e', long)]
    list_ciphers: bool,
    /// With --connect: roots to trust (PEM); may be given several times.
    #[arg(long, value_name = "FILE", requires = "connect")]
    ca: Vec<PathBuf>,
    /// Draw the mean times of handshakes into this file, too.
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Replace that file if it is there.
    #[arg(long, requires = "svg")]
    force: bool,
    /// What numbers mean: an era such as wolfssl-5.3.
    #[arg(long, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    profile: Numbers,
}

/// Measures each combination, and prints.
///
/// # Errors
/// Whatever fails in a connection.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.list_ciphers {
        return list_ciphers(out);
    }
    let form = Form::of(args, out)?;
    if let Some(path) = &args.svg {
        refuse_taken(path, args.force)?;
    }
    let groups = chosen(args).into_iter().map(|group| group as &dyn Row);
    warn_at_once("", groups.chain(args.sig.iter().map(|row| *row as &dyn Row)), out);
    let mut results = Vec::new();
    match &args.connect {
        Some(server) => measure_all(args, form, &Peer::at(server, args)?, &mut results, out)?,
        None if args.serve => serve_all(args, form, &mut results, out)?,
        None => args.sig.iter().try_for_each(|row| {
            measure_all(args, form, &Peer::Here(Box::new(Party::generate(row)?)), &mut results, out)
        })?,
    }
    match form {
        Form::Document => out.document(&Results { schema: SCHEMA, results: &results })?,
        Form::Table => show::table(&results, out)?,
        Form::Blocks | Form::Nothing => (),
    }
    out.flush()?;
    match &args.svg {
        Some(path) => files::write(&[NewFile::public(path, svg::drawing(&results).as_bytes())], args.force),
        None => Ok(()),
    }
}

/// What standard output gets of the results.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Document,
    /// Those of tls_bench, each as soon as it is measured.
    Blocks,
    Table,
    /// The drawing goes there.
    Nothing,
}

impl Form {
    fn of(args: &Args, out: &Output) -> Result<Self, Error> {
        Ok(match files::claims_stdout(args.svg.as_deref(), out.is_json())? {
            true => Self::Nothing,
            false if out.is_json() => Self::Document,
            false if args.verbose => Self::Blocks,
            false => Self::Table,
        })
    }
}

/// Says before anything is measured what writing the file would say after it.
fn refuse_taken(path: &Path, force: bool) -> Result<(), Error> {
    if path.is_dir() || (path.is_file() && !force) {
        return files::write(&[NewFile::public(path, &[])], false);
    }
    Ok(())
}

/// Each suite with each group.
fn measure_all(
    args: &Args,
    form: Form,
    peer: &Peer,
    results: &mut Vec<Measured>,
    out: &mut Output,
) -> Result<(), Error> {
    let (groups, start) = (chosen(args), Instant::now());
    let total = groups.len() * args.ciphers.0.len() * if args.connect.is_some() { 1 } else { args.sig.len() };
    for &suite in &args.ciphers.0 {
        for &group in &groups {
            let name = group.name();
            out.progress(start, format_args!("{} of {total}: {name}, {}", results.len() + 1, peer.name()));
            // errors of a connection name the address themselves
            let place = match args.connect {
                Some(_) => name.to_owned(),
                None => format!("{name} with {}", peer.name()),
            };
            let result = measure(args, form, peer, (suite, group), out).map_err(|e| e.at_place(place))?;
            out.end_progress();
            if form == Form::Blocks {
                show::blocks(&result, out)?;
            }
            results.push(result);
        }
    }
    Ok(())
}

/// The server's side alone.
fn serve_all(args: &Args, form: Form, results: &mut Vec<Measured>, out: &mut Output) -> Result<(), Error> {
    let (Some(cert), Some(key)) = (&args.cert, &args.key) else {
        return Err(Error::usage("--serve needs --cert and --key"));
    };
    let options = ServerOptions {
        preferences: Preferences {
            groups: chosen(args),
            suites: args.ciphers.0.clone(),
            numbers: args.profile,
            ..Preferences::default()
        },
        tickets: false,
        timeout: Some(PATIENCE),
        ..ServerOptions::new(identity(cert, key, args.profile)?)
    };
    let server = Server::bind(&args.listen, options)?;
    out.serve()?;
    out.listening(server.local_addr()?)?;
    let served = serve::serve(&server, args.threads.into(), args.seconds)?;
    if let Some(reason) = served.reason {
        out.warn(format_args!("{} failed, the last one so: {reason}", counted(served.failed, "connection")));
    }
    let place = place_in(args);
    let mut sides: Vec<_> = served.sides.into_iter().collect();
    sides.sort_by_key(|(choice, _)| place(*choice));
    for ((suite, group), side) in sides {
        let row = args.profile.kem_by_group(group);
        let result = Measured {
            cipher_suite: suite_name(suite.into()),
            group: row.map_or("unknown", Row::name),
            wolfssl_group: row.map_or_else(|| "unknown".to_owned(), wolfssl_group),
            signature: None,
            peer: None,
            server: Some(side.into()),
            client: None,
        };
        if form == Form::Blocks {
            show::blocks(&result, out)?;
        }
        results.push(result);
    }
    Ok(())
}

/// Where a choice stands among those that the options allow.
fn place_in(args: &Args) -> impl Fn(serve::Choice) -> [Option<usize>; 2] {
    let groups = chosen(args);
    move |(suite, group)| {
        let row = args.profile.kem_by_group(group).map(Row::name);
        let suite = args.ciphers.0.iter().position(|known| u16::from(known.suite()) == suite);
        [suite, groups.iter().position(|known| Some(known.name()) == row)]
    }
}

/// tls_bench's name: it says the level, or that the group is classical.
fn wolfssl_group(row: &KemRow) -> String {
    match row.category {
        0 => format!("ECC_{}", wolfssl_name(row)),
        _ => wolfssl_name(row),
    }
}

/// Whom the client meets.
enum Peer {
    /// A server of this process.
    Here(Box<Party>),
    /// Another one.
    There { address: String, host: String, roots: Vec<Certificate> },
}

impl Peer {
    fn at(server: &str, args: &Args) -> Result<Self, Error> {
        let (host, address) = host_and_address(server, BENCH_PORT);
        Ok(Self::There { address, host, roots: roots(&args.ca, args.profile)? })
    }

    /// The algorithm of its certificates, or where it is.
    fn name(&self) -> &str {
        match self {
            Self::Here(party) => party.algorithm(),
            Self::There { address, .. } => address,
        }
    }

    /// Puts it under load: what the server did, if it is here, and what the client did.
    fn work(&self, args: &Args, preferences: Preferences) -> Result<(Option<Side>, Side), Error> {
        let load = load(args);
        match self {
            Self::Here(party) => {
                let (server, client) = party.ends(preferences, args.mutual)?;
                let [server, client] = match args.memory {
                    true => load.in_memory(&client, &server)?,
                    false => load.over_sockets(&client, &server)?,
                };
                Ok((Some(server), client))
            }
            Self::There { address, host, roots } => {
                Ok((None, load.as_client(&stranger(preferences, roots)?, address, host)?))
            }
        }
    }

    /// What a client learns of it in one handshake.
    fn report(&self, args: &Args, preferences: Preferences) -> Result<Report, Error> {
        match self {
            Self::Here(party) => {
                let (server, client) = party.ends(preferences, args.mutual)?;
                let address = server.local_addr()?;
                thread::scope(|scope| {
                    // what it has to say of a failure the client hears, too
                    scope.spawn(|| server.accept().and_then(|(socket, peer)| server.handshake(socket, peer)));
                    let connection = client.connect(&address.to_string(), NAME);
                    if connection.is_err() {
                        load::wake(1, address);
                    }
                    Ok(connection?.report())
                })
            }
            Self::There { address, host, roots } => {
                Ok(stranger(preferences, roots)?.connect(address, host)?.report())
            }
        }
    }
}

/// A client of a server that is not of this process.
fn stranger(preferences: Preferences, roots: &[Certificate]) -> Result<Client, Error> {
    Ok(Client::new(ClientOptions {
        preferences,
        roots: roots.to_vec(),
        resume: false,
        timeout: Some(PATIENCE),
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

/// The groups in the order in which they are measured.
fn chosen(args: &Args) -> Vec<&'static KemRow> {
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
) -> Result<Measured, Error> {
    let preferences = Preferences {
        groups: vec![group],
        suites: vec![suite],
        numbers: args.profile,
        ..Preferences::default()
    };
    if args.show_peer && matches!(form, Form::Blocks | Form::Table) {
        lines::connected(&peer.report(args, preferences.clone())?, out)?;
    }
    let (server, client) = peer.work(args, preferences)?;
    Ok(Measured {
        cipher_suite: suite_name(suite.suite()),
        group: group.name(),
        wolfssl_group: wolfssl_group(group),
        signature: if let Peer::Here(party) = peer { Some(party.algorithm()) } else { None },
        peer: if let Peer::There { address, .. } = peer { Some(address.clone()) } else { None },
        server: server.map(Numbered::from),
        client: Some(client.into()),
    })
}

#[derive(Serialize)]
struct Results<'a> {
    schema: u32,
    results: &'a [Measured],
}

/// What one combination costs.
#[derive(Serialize)]
struct Measured {
    cipher_suite: String,
    group: &'static str,
    #[serde(skip)]
    wolfssl_group: String,
    /// Of the server's certificate, unless it is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    signature: Option<&'static str>,
    /// The address of a server elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    peer: Option<String>,
    /// Unless it is elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<Numbered>,
    /// Unless clients are elsewhere.
    #[serde(skip_serializing_if = "Option::is_none")]
    client: Option<Numbered>,
}

impl Measured {
    fn sides(&self) -> impl Iterator<Item = (&'static Role, &Numbered)> {
        let server = self.server.iter().map(|side| (&SERVER, side));
        server.chain(self.client.iter().map(|side| (&CLIENT, side)))
    }
}

/// How a side is shown.
struct Role {
    /// In the table, and in the legend of the drawing.
    name: &'static str,
    /// In the words of tls_bench.
    title: &'static str,
    /// In the drawing.
    color: &'static str,
}

static SERVER: Role = Role { name: "server", title: "Server", color: "#33658a" };
static CLIENT: Role = Role { name: "client", title: "Client", color: "#f6ae2d" };

/// A side in numbers.
#[derive(Serialize)]
struct Numbered {
    total_bytes: u64,
    connections: u64,
    receive_milliseconds: f64,
    send_milliseconds: f64,
    receive_mib_per_second: f64,
    send_mib_per_second: f64,
    connect_milliseconds: f64,
    connect_mean_milliseconds: f64,
}

impl From<Side> for Numbered {
    fn from(side: Side) -> Self {
        let ms = |time: Duration| time.as_secs_f64() * 1e3;
        let speed = |time: Duration| {
            if time.is_zero() { 0.0 } else { side.bytes as f64 / 1048576.0 / time.as_secs_f64() }
        };
        Self {
            total_bytes: 2 * side.bytes,
            connections: side.connections,
            receive_milliseconds: ms(side.receive),
            send_milliseconds: ms(side.send),
            receive_mib_per_second: speed(side.receive),
            send_mib_per_second: speed(side.send),
            connect_milliseconds: ms(side.connect),
            connect_mean_milliseconds: ms(side.connect) / side.connections.max(1) as f64,
        }
    }
}
