//! HTTP for Prometheus and for health checks: `GET /metrics`, `GET /health`, and nothing else.

use crate::proxy::Shared;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};

/// So many requests are open at once; a further one ends the oldest, so that idle connections delay no health check.
pub(crate) const AT_ONCE: usize = 32;
/// The time for a request and its answer.
const PATIENCE: Duration = Duration::from_secs(5);
const MAX_REQUEST_LEN: usize = 8 << 10;

/// Answers until it is aborted.
pub(crate) async fn serve(shared: Arc<Shared>, listener: TcpListener) {
    let mut open = Open::default();
    loop {
        match listener.accept().await {
            Ok((socket, _)) => open.answer(shared.clone(), socket).await,
            // what fails now fails again at once, for want of descriptors for example
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Open requests, the oldest first; they end with this.
#[derive(Default)]
struct Open {
    answers: JoinSet<()>,
    by_age: VecDeque<AbortHandle>,
}

impl Open {
    async fn answer(&mut self, shared: Arc<Shared>, socket: TcpStream) {
        self.by_age.retain(|answer| !answer.is_finished());
        if self.by_age.len() >= AT_ONCE
            && let Some(oldest) = self.by_age.pop_front()
        {
            oldest.abort();
        }
        while self.answers.len() >= AT_ONCE {
            // how it ended is the asker's business
            let _ = self.answers.join_next().await;
        }
        self.by_age.push_back(self.answers.spawn(async move {
            // an asker that does not listen gets no answer
            let _ = timeout(PATIENCE, answer(&shared, socket)).await;
        }));
    }
}

async fn answer(shared: &Shared, mut socket: TcpStream) -> std::io::Result<()> {
    let mut request = Vec::new();
    while !request.windows(4).any(|end| end == b"\r\n\r\n") {
        if request.len() > MAX_REQUEST_LEN || socket.read_buf(&mut request).await? == 0 {
            return Ok(());
        }
    }
    let first = request.split(|byte| *byte == b'\r').next().unwrap_or_default();
    let (status, body) = match first.split(|byte| *byte == b' ').collect::<Vec<_>>()[..] {
        [b"GET", b"/metrics", _] => ("200 OK", shared.metrics.page()),
        [b"GET", b"/health", _] => health(shared),
        [b"GET", ..] => ("404 Not Found", "there are /metrics and /health\n".to_owned()),
        _ => ("405 Method Not Allowed", "GET only\n".to_owned()),
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n\
         Content-Length: {}\r\nConnection: close\r\n\r\n",
        body.len()
    );
    socket.write_all(head.as_bytes()).await?;
    socket.write_all(body.as_bytes()).await?;
    socket.shutdown().await
}

/// Balancers send no further clients to a proxy that drains.
fn health(shared: &Shared) -> (&'static str, String) {
    if shared.draining.load(Relaxed) {
        ("503 Service Unavailable", "draining\n".to_owned())
    } else {
        ("200 OK", "ok\n".to_owned())
    }
}
