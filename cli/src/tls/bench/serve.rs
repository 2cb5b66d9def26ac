//! The server's side alone: sends back what clients of `grille tls bench --connect` send.

use super::load::{Side, stopped, wake};
use crate::error::Error;
use crate::tls::transfer::RECORD;
use grille_tls::{Report, Server};
use std::collections::BTreeMap;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// What clients chose: the cipher suite and the group.
pub(super) type Choice = (u16, u16);

/// What came of all clients.
#[derive(Default)]
pub(super) struct Served {
    pub(super) sides: BTreeMap<Choice, Side>,
    /// How many failed, and why the last one did.
    pub(super) failed: usize,
    pub(super) reason: Option<grille_tls::Error>,
}

/// Serves with so many threads until, after the first client, none has been there for `idle`.
///
/// # Errors
/// If a thread stops.
pub(super) fn serve(server: &Server, threads: usize, idle: Duration) -> Result<Served, Error> {
    let address = server.local_addr()?;
    let desk = Desk::default();
    thread::scope(|scope| {
        let serving: Vec<_> = (0..threads).map(|_| scope.spawn(|| desk.work(server))).collect();
        while !desk.is_idle(idle) {
            thread::sleep(LOOK);
        }
        desk.over.store(true, Ordering::Release);
        wake(threads, address);
        serving.into_iter().try_for_each(|thread| thread.join().map_err(|_| stopped()))
    })?;
    Ok(desk.served.into_inner().unwrap_or_else(PoisonError::into_inner))
}

/// How often the end is looked for.
const LOOK: Duration = Duration::from_millis(100);

/// What the threads share.
#[derive(Default)]
struct Desk {
    served: Mutex<Served>,
    /// Connections that are open.
    open: AtomicUsize,
    /// When the last client came or went.
    last: Mutex<Option<Instant>>,
    /// Whoever comes now comes too late.
    over: AtomicBool,
}

impl Desk {
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
                    // such as too many open files: it may pass
                    thread::sleep(LOOK);
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

/// One client, until it says goodbye.
fn echo(server: &Server, socket: TcpStream, peer: SocketAddr) -> Result<(Report, Side), grille_tls::Error> {
    let mut connection = server.handshake(socket, peer)?;
    let (mut side, mut buffer) = (Side { connections: 1, ..Side::default() }, vec![0; RECORD]);
    let broken = |e| grille_tls::Error::from_io(format!("the transfer with {peer}"), e);
    loop {
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
