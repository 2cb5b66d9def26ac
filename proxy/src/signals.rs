//! Operating system signals.

use crate::proxy::Command;
use std::io;
use tokio::sync::mpsc::Sender;

/// Handler of signals that would otherwise terminate the proxy.
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
    /// Installs the handlers. Later signals are queued.
    ///
    /// # Errors
    /// Returns an error if the operating system does not allow handling these signals.
    ///
    /// # Panics
    /// Panics outside a tokio runtime.
    pub fn install() -> io::Result<Self> {
        use tokio::signal::unix::{SignalKind, signal};
        Ok(Self {
            reload: signal(SignalKind::hangup())?,
            end: signal(SignalKind::terminate())?,
            interrupt: signal(SignalKind::interrupt())?,
        })
    }

    /// Forwards signals to the proxy as commands, until the proxy has stopped.
    pub async fn forward(mut self, command_sender: Sender<Command>) {
        let mut next_end = Command::Drain;
        loop {
            let command = tokio::select! {
                _ = self.reload.recv() => Command::Reload,
                _ = self.end.recv() => std::mem::replace(&mut next_end, Command::Stop),
                _ = self.interrupt.recv() => std::mem::replace(&mut next_end, Command::Stop),
                () = command_sender.closed() => return,
            };
            if command_sender.send(command).await.is_err() {
                return;
            }
        }
    }
}

/// Handler of Ctrl-C: the first one drains, the second one stops.
#[cfg(windows)]
pub struct Signals(tokio::signal::windows::CtrlC);

#[cfg(windows)]
impl Signals {
    /// Installs the handler. Later events are queued.
    ///
    /// # Errors
    /// Returns an error if the operating system does not allow handling Ctrl-C.
    ///
    /// # Panics
    /// Panics outside a tokio runtime.
    pub fn install() -> io::Result<Self> {
        tokio::signal::windows::ctrl_c().map(Self)
    }

    /// Sends [`Command::Drain`] on the first Ctrl-C and [`Command::Stop`] on the second, then returns. Returns earlier
    /// if a command cannot be sent.
    pub async fn forward(mut self, command_sender: Sender<Command>) {
        for command in [Command::Drain, Command::Stop] {
            if self.0.recv().await.is_none() || command_sender.send(command).await.is_err() {
                return;
            }
        }
    }
}
