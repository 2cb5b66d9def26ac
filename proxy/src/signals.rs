//! What the operating system tells the proxy.

use crate::proxy::Command;
use std::io;
use tokio::sync::mpsc::Sender;

/// SIGHUP reloads; SIGTERM and SIGINT drain, and a second one stops. Returns when the proxy is gone.
///
/// # Errors
/// If the operating system does not let signals be handled.
#[cfg(unix)]
pub async fn obey(commander: Sender<Command>) -> io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let mut reload = signal(SignalKind::hangup())?;
    let (mut end, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    let mut next_end = Command::Drain;
    loop {
        let command = tokio::select! {
            _ = reload.recv() => Command::Reload,
            _ = end.recv() => std::mem::replace(&mut next_end, Command::Stop),
            _ = interrupt.recv() => std::mem::replace(&mut next_end, Command::Stop),
            () = commander.closed() => return Ok(()),
        };
        if commander.send(command).await.is_err() {
            return Ok(());
        }
    }
}

/// Ctrl-C drains, and a second one stops.
///
/// # Errors
/// If the operating system does not let it be handled.
#[cfg(not(unix))]
pub async fn obey(commander: Sender<Command>) -> io::Result<()> {
    for command in [Command::Drain, Command::Stop] {
        tokio::signal::ctrl_c().await?;
        if commander.send(command).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}
