//! Relay between two streams with backpressure: while one side reads slowly, the proxy stops reading from the other.
//! Each connection has exactly two buffers.

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

/// Reason why a relay ended before both sides closed.
#[derive(Debug)]
pub(crate) enum RelayError {
    /// No data in either direction for this time.
    Idle(Duration),
    /// One side closed or reset the connection unexpectedly; for TLS, without close_notify.
    Io(io::Error),
}

/// Number of bytes delivered to each side.
#[derive(Debug, Default)]
pub(crate) struct Delivered {
    pub(crate) to_client: AtomicU64,
    pub(crate) to_service: AtomicU64,
}

/// Buffer length, the maximum content of a TLS record; each connection has two buffers.
const BUFFER_LEN: usize = 16 << 10;

/// Relays bytes until both sides have closed.
///
/// # Errors
/// Returns [`RelayError`]; both sockets are then reset, so that neither side mistakes truncated data for complete data.
pub(crate) async fn relay(
    client: &mut Stream,
    service: &mut Stream,
    idle: Duration,
    delivered: &Delivered,
) -> Result<(), RelayError> {
    let clock = ActivityClock { start: Instant::now(), last: AtomicU64::new(0) };
    let mut front = Monitored { stream: &mut *client, clock: &clock, delivered: &delivered.to_client };
    let mut service_side =
        Monitored { stream: &mut *service, clock: &clock, delivered: &delivered.to_service };
    let result = tokio::select! {
        copied = copy_bidirectional_with_sizes(&mut front, &mut service_side, BUFFER_LEN, BUFFER_LEN) => {
            copied.map(|_| ()).map_err(RelayError::Io)
        }
        () = clock.wait_for_silence(idle) => Err(RelayError::Idle(idle)),
    };
    if result.is_err() {
        for side in [client, service] {
            reset(side.socket());
        }
    }
    result
}

/// Configures this socket so that closing it sends a reset, which the peer can distinguish from a regular end.
pub(crate) fn reset(socket: &TcpStream) {
    // fails if the socket is already closed, which is fine
    let _ = socket.set_zero_linger();
}

/// Time of the last byte in either direction.
struct ActivityClock {
    start: Instant,
    /// Milliseconds since `start`.
    last: AtomicU64,
}

impl ActivityClock {
    fn record_activity(&self) {
        let now = self.start.elapsed().as_millis();
        self.last.store(u64::try_from(now).unwrap_or(u64::MAX), Relaxed);
    }

    /// Waits until there was no activity for `limit`.
    async fn wait_for_silence(&self, limit: Duration) {
        loop {
            let last = self.start + Duration::from_millis(self.last.load(Relaxed));
            // a limit beyond the clock's range never expires
            let Some(end) = last.checked_add(limit) else { return pending().await };
            if end <= Instant::now() {
                return;
            }
            sleep_until(end).await;
        }
    }
}

/// A stream that records activity and delivered bytes.
struct Monitored<'a> {
    stream: &'a mut Stream,
    clock: &'a ActivityClock,
    delivered: &'a AtomicU64,
}

impl AsyncRead for Monitored<'_> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        let read = ready!(Pin::new(&mut *self.stream).poll_read(context, buffer));
        self.clock.record_activity();
        Poll::Ready(read)
    }
}

impl AsyncWrite for Monitored<'_> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = ready!(Pin::new(&mut *self.stream).poll_write(context, bytes));
        self.clock.record_activity();
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
