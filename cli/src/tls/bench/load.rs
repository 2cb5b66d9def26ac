//! The load: sequential connections in each thread until the time is over.

use crate::error::Error;
use crate::tls::test_identity::NAME;
use crate::tls::transfer::{self, timed};
use grille_tls::memory::Pair;
use grille_tls::report::Kind;
use grille_tls::{Client, Connection, Server};
use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;
use std::time::{Duration, Instant};

/// The parameters of the load.
#[derive(Clone, Copy)]
pub(super) struct Load {
    pub(super) seconds: Duration,
    /// The number of bytes sent at a time.
    pub(super) packet: usize,
    /// The number of bytes in each direction of a connection.
    pub(super) size: usize,
    pub(super) threads: usize,
}

/// The totals of the server or of the client: connections, bytes and times.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    pub(super) connections: u64,
    /// The number of bytes in each direction.
    pub(super) bytes: u64,
    pub(super) receive: Duration,
    pub(super) send: Duration,
    pub(super) connect: Duration,
}

impl AddAssign for Side {
    fn add_assign(&mut self, other: Self) {
        self.connections += other.connections;
        self.bytes += other.bytes;
        self.receive += other.receive;
        self.send += other.send;
        self.connect += other.connect;
    }
}

/// The totals of the server and of the client, in this order.
type Sides = [Side; 2];

impl Load {
    /// Runs each client in the same thread as its server, without sockets.
    ///
    /// # Errors
    /// Returns an error if a connection fails.
    pub(super) fn in_memory(self, client: &Client, server: &Server) -> Result<Sides, Error> {
        thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(move || self.pairs(client, server))).collect();
            let mut sides = Sides::default();
            for thread in threads {
                let [server, client] = thread.join().map_err(|_| thread_stopped())??;
                sides[0] += server;
                sides[1] += client;
            }
            Ok(sides)
        })
    }

    fn pairs(self, client: &Client, server: &Server) -> Result<Sides, Error> {
        let [mut of_server, mut of_client] = Sides::default();
        let (start, packet, mut echo) = (Instant::now(), vec![7; self.packet], vec![0; self.packet]);
        while of_client.connections == 0 || start.elapsed() < self.seconds {
            let mut pair = Pair::handshake(client, server, NAME)?;
            for len in self.packets() {
                let [client_send, server_receive, server_send, client_receive] =
                    pair.echo(&packet[..len], &mut echo[..len])?;
                of_client.send += client_send;
                of_server.receive += server_receive;
                of_server.send += server_send;
                of_client.receive += client_receive;
            }
            for (side, time) in [(&mut of_server, pair.server_time), (&mut of_client, pair.client_time)] {
                side.connect += time;
                side.connections += 1;
                side.bytes += self.size as u64;
            }
        }
        Ok([of_server, of_client])
    }

    /// Runs each client and each server in its own thread, over sockets.
    ///
    /// # Errors
    /// Returns an error if a connection fails. If both sides fail, returns the server's error.
    pub(super) fn over_sockets(self, client: &Client, server: &Server) -> Result<Sides, Error> {
        let (address, over) = (server.local_addr()?, &AtomicBool::new(false));
        thread::scope(|scope| {
            let serving: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(move || self.serve(server, over))).collect();
            let results = self.as_client(client, &address.to_string(), NAME);
            over.store(true, Ordering::Release);
            wake(self.threads, address);
            let mut served = Side::default();
            for thread in serving {
                served += thread.join().map_err(|_| thread_stopped())??;
            }
            Ok([served, results?])
        })
    }

    /// Runs only clients, one in each thread.
    ///
    /// # Errors
    /// Returns an error if a connection fails.
    pub(super) fn as_client(self, client: &Client, address: &str, name: &str) -> Result<Side, Error> {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..self.threads)
                .map(|_| scope.spawn(move || self.run_client(client, address, name)))
                .collect();
            // Wait for all threads before reporting a failure.
            let results: Vec<_> = threads.into_iter().map(thread::ScopedJoinHandle::join).collect();
            let mut side = Side::default();
            for results in results {
                side += results.map_err(|_| thread_stopped())??;
            }
            Ok(side)
        })
    }

    fn serve(self, server: &Server, over: &AtomicBool) -> Result<Side, Error> {
        let (mut side, mut buffer) = (Side::default(), vec![0; self.packet]);
        loop {
            let (socket, peer) = server.accept()?;
            if over.load(Ordering::Acquire) {
                return Ok(side);
            }
            let mut connection = server.handshake(socket, peer)?;
            let times = transfer::echo(&mut connection, self.packets(), &mut buffer);
            let [receive, send] = times.map_err(connection_error)?;
            side.receive += receive;
            side.send += send;
            self.count(connection, &mut side)?;
        }
    }

    fn run_client(self, client: &Client, address: &str, name: &str) -> Result<Side, Error> {
        let mut side = Side::default();
        let (start, packet, mut echo) = (Instant::now(), vec![7; self.packet], vec![0; self.packet]);
        while side.connections == 0 || start.elapsed() < self.seconds {
            let mut connection = client.connect(address, name)?;
            for len in self.packets() {
                connection.restart_deadline();
                side.send += timed(|| connection.write_all(&packet[..len])).map_err(connection_error)?;
                side.receive +=
                    timed(|| connection.read_exact(&mut echo[..len])).map_err(connection_error)?;
            }
            self.count(connection, &mut side)?;
        }
        Ok(side)
    }

    /// Closes a connection and counts its handshake.
    ///
    /// # Errors
    /// Returns an error if a session was resumed, because that is not a full handshake.
    fn count(self, connection: Connection, side: &mut Side) -> Result<(), Error> {
        let report = connection.close()?;
        if report.kind == Kind::Resumed {
            return Err(Error::failure("the server resumed a session instead of making a full handshake"));
        }
        side.connect += report.handshake_time;
        side.connections += 1;
        side.bytes += self.size as u64;
        Ok(())
    }

    /// Returns the lengths of the packets of one connection.
    fn packets(self) -> impl Iterator<Item = usize> {
        transfer::packets(self.size as u64, self.packet)
    }
}

fn connection_error(error: io::Error) -> grille_tls::Error {
    grille_tls::Error::from_io("the transfer", error)
}

/// Wakes servers that wait for clients, so that they notice the end.
pub(super) fn wake(servers: usize, address: SocketAddr) {
    for _ in 0..servers {
        drop(TcpStream::connect(address));
    }
}

pub(super) fn thread_stopped() -> Error {
    Error::failure("a thread of the benchmark stopped unexpectedly")
}
