//! What the operating system tells the proxy.

use crate::proxy::Command;
use std::io;
use tokio::sync::mpsc::Sender;

/// Signals that the proxy handles, in place of dying of them.
///
/// SIGHUP reloads; SIGTERM and SIGINT drain, and a second one stops.
#[cfg(unix)]
pub struct Signals {
    reload: tokio::signal::unix::Signal,
    end: tokio::signal::unix::Signal,
    interrupt: tokio::signal::unix::Signal,
}

#[cfg(unix)]
impl Signals {
    /// From here on they wait to be obeyed.
    ///
    /// # Errors
    /// If the operating system does not let them be handled.
    ///
    /// # Panics
    /// Outside of a runtime of tokio.
    pub fn install() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            reload: signal(SignalKind::hangup())?,
            end: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Tells the proxy of each, until it is gone.
    pub async fn obey(mut self, commander: Sender<Command>) {
        let mut next_end = Command::Drain;
        loop {
            let command = tokio::select! {
                _ = self.reload.recv() => Command::Reload,
                _ = self.end.recv() => std::mem::replace(&mut next_end, Command::Stop),
                _ = self.interrupt.recv() => std::mem::replace(&mut next_end, Command::Stop),
                () = commander.closed() => return,
            };
            if commander.send(command).await.is_err() {
                return;
            }
        }
    }
}

/// Ctrl-C drains, and a second one stops.
#[cfg(windows)]
pub struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    /// From here on it waits to be obeyed.
    ///
    /// # Errors
    /// If the operating system does not let it be handled.
    ///
    /// # Panics
    /// Outside of a runtime of tokio.
    pub fn install() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    /// Tells the proxy of each, until it is gone.
    pub async fn obey(mut self, commander: Sender<Command>) {
        for command in [Command::Drain, Command::Stop] {
            if self.0.recv().await.is_none() || commander.send(command).await.is_err() {
                return;
            }
        }
    }
}
