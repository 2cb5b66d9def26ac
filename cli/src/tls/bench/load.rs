//! The load: connections, one after the other in each pair of threads, until the time is over.

use crate::error::Error;
use crate::tls::party::NAME;
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

/// How much is done.
#[derive(Clone, Copy)]
pub(super) struct Load {
    pub(super) seconds: Duration,
    /// Bytes that are sent at a time.
    pub(super) packet: usize,
    /// Bytes each way on a connection.
    pub(super) size: usize,
    pub(super) threads: usize,
}

/// What one side did, and how long it took.
#[derive(Clone, Copy, Default)]
pub(super) struct Side {
    pub(super) connections: u64,
    /// Each way.
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

/// The server and the client.
type Sides = [Side; 2];

impl Load {
    /// Each thread has a client and a server, and carries their bytes.
    ///
    /// # Errors
    /// Whatever fails in a connection.
    pub(super) fn in_memory(self, client: &Client, server: &Server) -> Result<Sides, Error> {
        thread::scope(|scope| {
            let threads: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(move || self.pairs(client, server))).collect();
            let mut sides = Sides::default();
            for thread in threads {
                let [server, client] = thread.join().map_err(|_| stopped())??;
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
                let [sent, heard, sent_back, heard_back] = pair.echo(&packet[..len], &mut echo[..len])?;
                (of_client.send, of_server.receive) = (of_client.send + sent, of_server.receive + heard);
                (of_server.send, of_client.receive) =
                    (of_server.send + sent_back, of_client.receive + heard_back);
            }
            for (side, time) in [(&mut of_server, pair.server_time), (&mut of_client, pair.client_time)] {
                side.connect += time;
                side.connections += 1;
                side.bytes += self.size as u64;
            }
        }
        Ok([of_server, of_client])
    }

    /// Each pair has a thread for its client and one for its server.
    ///
    /// # Errors
    /// Whatever fails in a connection; the server's reason, where both sides have one.
    pub(super) fn over_sockets(self, client: &Client, server: &Server) -> Result<Sides, Error> {
        let (address, over) = (server.local_addr()?, &AtomicBool::new(false));
        thread::scope(|scope| {
            let serving: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(move || self.serve(server, over))).collect();
            let asked = self.as_client(client, &address.to_string(), NAME);
            over.store(true, Ordering::Release);
            wake(self.threads, address);
            let mut served = Side::default();
            for thread in serving {
                served += thread.join().map_err(|_| stopped())??;
            }
            Ok([served, asked?])
        })
    }

    /// The client's side alone; each thread has a client.
    ///
    /// # Errors
    /// Whatever fails in a connection.
    pub(super) fn as_client(self, client: &Client, address: &str, name: &str) -> Result<Side, Error> {
        thread::scope(|scope| {
            let asking: Vec<_> =
                (0..self.threads).map(|_| scope.spawn(move || self.ask(client, address, name))).collect();
            // all are waited for before one's failure is told
            let asked: Vec<_> = asking.into_iter().map(thread::ScopedJoinHandle::join).collect();
            let mut side = Side::default();
            for asked in asked {
                side += asked.map_err(|_| stopped())??;
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
            let [receive, send] = times.map_err(broken)?;
            side.receive += receive;
            side.send += send;
            self.count(connection, &mut side)?;
        }
    }

    fn ask(self, client: &Client, address: &str, name: &str) -> Result<Side, Error> {
        let mut side = Side::default();
        let (start, packet, mut echo) = (Instant::now(), vec![7; self.packet], vec![0; self.packet]);
        while side.connections == 0 || start.elapsed() < self.seconds {
            let mut connection = client.connect(address, name)?;
            for len in self.packets() {
                side.send += timed(|| connection.write_all(&packet[..len])).map_err(broken)?;
                side.receive += timed(|| connection.read_exact(&mut echo[..len])).map_err(broken)?;
            }
            self.count(connection, &mut side)?;
        }
        Ok(side)
    }

    /// # Errors
    /// If a session was resumed: that is less than a handshake.
    fn count(self, connection: Connection, side: &mut Side) -> Result<(), Error> {
        let report = connection.close()?;
        if report.kind == Kind::Resumed {
            return Err(Error::failure("a session was resumed where a full handshake was to be measured"));
        }
        side.connect += report.handshake_time;
        side.connections += 1;
        side.bytes += self.size as u64;
        Ok(())
    }

    /// The lengths of the packets of one connection.
    fn packets(self) -> impl Iterator<Item = usize> {
        transfer::packets(self.size as u64, self.packet)
    }
}

fn broken(error: io::Error) -> grille_tls::Error {
    grille_tls::Error::from_io("the transfer", error)
}

/// Wakes servers that wait for their next clients, so that they see that there are none.
pub(super) fn wake(servers: usize, address: SocketAddr) {
    for _ in 0..servers {
        drop(TcpStream::connect(address));
    }
}

pub(super) fn stopped() -> Error {
    Error::failure("a thread of the benchmark stopped unexpectedly")
}
