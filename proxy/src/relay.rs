//! Bytes both ways between two streams, through two buffers and no more: whoever reads slowly slows the other side down.

use std::future::pending;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf, copy_bidirectional_with_sizes};
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep_until};
use tokio_rustls::TlsStream;

/// One side of a connection through the proxy.
pub(crate) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

impl Stream {
    pub(crate) fn socket(&self) -> &TcpStream {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(tls) => tls.get_ref().0,
        }
    }
}

/// How a relay ended, unless both sides said goodbye.
#[derive(Debug)]
pub(crate) enum Broken {
    /// No byte went either way for so long.
    Idle(Duration),
    /// One side broke off; of TLS, also without saying goodbye (close_notify).
    Io(io::Error),
}

/// Bytes that were delivered to each side.
#[derive(Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) to_client: AtomicU64,
    pub(crate) to_service: AtomicU64,
}

/// The largest TLS record's content; each connection has two such buffers.
const BUFFER_LEN: usize = 16 << 10;

/// Carries bytes until both sides have said goodbye.
///
/// # Errors
/// [`Broken`]; both sockets are reset then, so that neither side takes what it got for the whole.
pub(crate) async fn relay(
    client: &mut Stream,
    service: &mut Stream,
    idle: Duration,
    delivered: &Delivered,
) -> Result<(), Broken> {
    let clock = Clock { start: Instant::now(), last: AtomicU64::new(0) };
    let mut front = Watched { stream: &mut *client, clock: &clock, delivered: &delivered.to_client };
    let mut back = Watched { stream: &mut *service, clock: &clock, delivered: &delivered.to_service };
    let result = tokio::select! {
        copied = copy_bidirectional_with_sizes(&mut front, &mut back, BUFFER_LEN, BUFFER_LEN) => {
            copied.map(|_| ()).map_err(Broken::Io)
        }
        () = clock.silence(idle) => Err(Broken::Idle(idle)),
    };
    if result.is_err() {
        for side in [client, service] {
            reset(side.socket());
        }
    }
    result
}

/// Makes the end of this connection an abort that the peer can tell from a goodbye.
pub(crate) fn reset(socket: &TcpStream) {
    // a socket that is gone already needs none
    let _ = socket.set_zero_linger();
}

/// When a byte last went either way.
struct Clock {
    start: Instant,
    /// Milliseconds since `start`.
    last: AtomicU64,
}

impl Clock {
    fn tick(&self) {
        let now = self.start.elapsed().as_millis();
        self.last.store(u64::try_from(now).unwrap_or(u64::MAX), Relaxed);
    }

    /// Waits until nothing has happened for `limit`.
    async fn silence(&self, limit: Duration) {
        loop {
            let last = self.start + Duration::from_millis(self.last.load(Relaxed));
            // what no clock reaches never comes
            let Some(end) = last.checked_add(limit) else { return pending().await };
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }
}

/// A stream whose bytes are noted as they pass.
struct Watched<'a> {
    stream: &'a mut Stream,
    clock: &'a Clock,
    delivered: &'a AtomicU64,
}

impl AsyncRead for Watched<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut *self.stream).poll_read(context, buffer));
        self.clock.tick();
        Poll::Ready(read)
    }
}

impl AsyncWrite for Watched<'_> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut *self.stream).poll_write(context, bytes));
        self.clock.tick();
        if let Ok(len) = written {
            self.delivered.fetch_add(len as u64, Relaxed);
        }
        Poll::Ready(written)
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut *self.stream).poll_shutdown(context)
    }
}

impl AsyncRead for Stream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_read(context, buffer),
            Self::Tls(tls) => Pin::new(tls.as_mut()).poll_read(context, buffer),
        }
    }
}

impl AsyncWrite for Stream {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_write(context, bytes),
            Self::Tls(tls) => Pin::new(tls.as_mut()).poll_write(context, bytes),
        }
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_flush(context),
            Self::Tls(tls) => Pin::new(tls.as_mut()).poll_flush(context),
        }
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        match self.get_mut() {
            Self::Plain(socket) => Pin::new(socket).poll_shutdown(context),
            Self::Tls(tls) => Pin::new(tls.as_mut()).poll_shutdown(context),
        }
    }
}
