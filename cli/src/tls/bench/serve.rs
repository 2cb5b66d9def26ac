//! The server of `grille tls bench --serve`, which sends back everything that clients send.

use super::load::{Side, thread_stopped, wake};
use crate::error::Error;
use crate::tls::transfer::RECORD_LEN;
use grille_tls::{Report, Server};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A client's choice of cipher suite and group.
pub(super) type Choice = (u16, u16);

/// The results of all clients.
#[derive(Default)]
pub(super) struct ServeResults {
    pub(super) sides: BTreeMap<Choice, Side>,
    /// The number of failed connections.
    pub(super) failed: usize,
    /// The error of the last failed connection.
    pub(super) reason: Option<grille_tls::Error>,
}

/// Serves in `threads` threads until no client has been connected for the time `idle`. Waits for the first client
/// without a limit.
///
/// # Errors
/// Returns an error if a thread panics.
pub(super) fn serve(server: &Server, threads: usize, idle: Duration) -> Result<ServeResults, Error> {
    let address = server.local_addr()?;
    let state = State::default();
    thread::scope(|scope| {
        let serving: Vec<_> = (0..threads).map(|_| scope.spawn(|| state.work(server))).collect();
        while !state.is_idle(idle) {
            thread::sleep(POLL_INTERVAL);
        }
        state.over.store(true, Ordering::Release);
        wake(threads, address);
        serving.into_iter().try_for_each(|thread| thread.join().map_err(|_| thread_stopped()))
    })?;
    Ok(state.served.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// The interval between checks whether serving should end.
const POLL_INTERVAL: Duration = Duration::from_millis(100);

/// The state that the threads share.
#[derive(Default)]
struct State {
    served: Mutex<ServeResults>,
    /// The number of open connections.
    open: AtomicUsize,
    /// The time when the last client connected or disconnected.
    last: Mutex<Option<Instant>>,
    /// Whether serving has ended; later connections are dropped.
    over: AtomicBool,
}

impl State {
    fn is_idle(&self, idle: Duration) -> bool {
        let last = *self.last.lock().unwrap_or_else(PoisonError::into_inner);
        self.open.load(Ordering::Acquire) == 0 && last.is_some_and(|last| last.elapsed() > idle)
    }

    fn note_client(&self) {
        *self.last.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn work(&self, server: &Server) {
        while !self.over.load(Ordering::Acquire) {
            match server.accept() {
                Ok(_) if self.over.load(Ordering::Acquire) => return,
                Ok((socket, peer)) => self.serve(server, socket, peer),
                Err(error) => {
                    self.note(Err(error));
                    // The error may be temporary, such as too many open files.
                    thread::sleep(POLL_INTERVAL);
                }
            }
        }
    }

    fn serve(&self, server: &Server, socket: TcpStream, peer: SocketAddr) {
        self.open.fetch_add(1, Ordering::AcqRel);
        self.note_client();
        self.note(echo(server, socket, peer));
        self.note_client();
        self.open.fetch_sub(1, Ordering::AcqRel);
    }

    fn note(&self, result: Result<(Report, Side), grille_tls::Error>) {
        let mut served = self.served.lock().unwrap_or_else(PoisonError::into_inner);
        match result {
            Ok((report, side)) => {
                let suite = report.suite.map_or(0, u16::from);
                *served.sides.entry((suite, report.group.unwrap_or(0))).or_default() += side;
            }
            Err(error) => {
                served.failed += 1;
                served.reason = Some(error);
            }
        }
    }
}

/// Serves one client until it closes the connection.
fn echo(server: &Server, socket: TcpStream, peer: SocketAddr) -> Result<(Report, Side), grille_tls::Error> {
    let mut connection = server.handshake(socket, peer)?;
    let (mut side, mut buffer) = (Side { connections: 1, ..Side::default() }, vec![0; RECORD_LEN]);
    let broken = |e| grille_tls::Error::from_io(format!("the transfer with {peer}"), e);
    loop {
        // The deadline covers one record in both directions, so it also ends slow clients.
        connection.restart_deadline();
        let start = Instant::now();
        let len = connection.read(&mut buffer).map_err(broken)?;
        if len == 0 {
            break;
        }
        side.receive += start.elapsed();
        let start = Instant::now();
        connection.write_all(&buffer[..len]).map_err(broken)?;
        side.send += start.elapsed();
        side.bytes += len as u64;
    }
    let report = connection.close()?;
    side.connect = report.handshake_time;
    Ok((report, side))
}
