//! `grille proxy`: a TLS-terminating and TLS-originating proxy for TCP.

mod bounds;
mod keys;
mod options;

pub(crate) use options::Args;

use crate::documents;
use crate::error::Error;
use crate::output::Output;
use crate::passphrase;
use grille_proxy::{Command, Log, Options, Proxy, ProxyProtocol, Signals, Style};
use options::{LogStyle, ProxyProtocolSide};
use std::io;
use std::time::Duration;
use tokio::sync::mpsc::Sender;

/// Runs the proxy until a signal stops it.
///
/// # Errors
/// Returns an error if keys, certificates or addresses cannot be used at the start.
pub(crate) fn run(args: &Args, out: &mut Output) -> Result<(), Error> {
    if args.rotate_ticket_keys {
        return keys::rotate(args, out);
    }
    let (Some(listen), Some(to)) = (args.listen.clone(), args.to.clone()) else {
        return Err(Error::usage("no address to listen on or to connect to").advise("give --listen and --to"));
    };
    if args.offer.cert.is_empty() && !args.originate {
        return Err(Error::usage("no TLS on either side").advise(
            "give --cert and --key for TLS with clients, or --originate for TLS with the service; \
             make a certificate with `grille cert chain --alg ML-DSA-65 --out certs`",
        ));
    }
    let files = keys::Files::new(args, &to, out)?;
    if let Some(logging) = files.key_log().filter(|_| args.log == LogStyle::None) {
        out.warn(logging);
    }
    let (stamps, known) = (files.clone(), files.stamps());
    let sides = files.load(Some(out))?;
    // no user watches a reload
    documents::suppress_notes();
    passphrase::disable_prompts();
    let load = move || Ok(files.reload()?);
    let key_log = stamps.key_log().map(|logging| logging.path.clone());
    let options = Options {
        listen,
        to,
        metrics: args.metrics.clone(),
        proxy_protocol: ProxyProtocol {
            accept: args.proxy_protocol.contains(&ProxyProtocolSide::Accept),
            send: args.proxy_protocol.contains(&ProxyProtocolSide::Send),
        },
        key_log,
        limits: args.bounds.limits(),
        numbers: args.offer.profile,
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build();
    let runtime = runtime.map_err(|e| Error::failure(format_args!("cannot start threads: {e}")))?;
    runtime.block_on(async {
        let proxy =
            Proxy::bind(options, sides, Box::new(load), log(args.log)).await.map_err(Error::failure)?;
        let command_sender = proxy.command_sender();
        let signals =
            Signals::install().map_err(|e| Error::failure(format_args!("cannot handle signals: {e}")))?;
        let signals = tokio::spawn(signals.forward(command_sender.clone()));
        if let Some(seconds) = args.watch {
            tokio::spawn(watch(stamps, known, Duration::from_secs(seconds), command_sender));
        }
        proxy.run().await;
        signals.abort();
        Ok(())
    })
}

fn log(style: LogStyle) -> Log {
    match style {
        LogStyle::Text => Log::new(Style::Text, Box::new(io::stderr())),
        LogStyle::Json => Log::new(Style::Json, Box::new(io::stderr())),
        LogStyle::None => Log::none(),
    }
}

/// Reloads whenever a file has changed, until the proxy stops. `known` contains the stamps of the files, taken before
/// the files were read.
async fn watch(
    files: keys::Files,
    mut known: Vec<keys::Stamp>,
    every: Duration,
    command_sender: Sender<Command>,
) {
    loop {
        tokio::time::sleep(every).await;
        let now = files.stamps();
        if now != known && command_sender.send(Command::Reload).await.is_err() {
            return;
        }
        known = now;
    }
}
