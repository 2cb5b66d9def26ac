//! HTTP server for Prometheus and health checks: only `GET /metrics` and `GET /health`.

use crate::descriptors::MAX_REQUESTS;
use crate::shared::Shared;
use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};
use tokio::time::{sleep, timeout};

/// Timeout of a request, including its answer.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(5);
const MAX_REQUEST_LEN: usize = 8 << 10;

/// Answers requests until the task is aborted.
pub(crate) async fn serve(shared: Arc<Shared>, listener: TcpListener) {
    let mut open = OpenRequests::default();
    loop {
        match listener.accept().await {
            Ok((socket, _)) => open.answer(shared.clone(), socket).await,
            // most errors persist for a while, such as a lack of descriptors
            Err(_) => sleep(Duration::from_millis(100)).await,
        }
    }
}

/// Open requests, oldest first. When this is dropped, they are aborted.
#[derive(Default)]
struct OpenRequests {
    answers: JoinSet<()>,
    by_age: VecDeque<AbortHandle>,
}

impl OpenRequests {
    async fn answer(&mut self, shared: Arc<Shared>, socket: TcpStream) {
        self.by_age.retain(|answer| !answer.is_finished());
        if self.by_age.len() >= MAX_REQUESTS
            && let Some(oldest) = self.by_age.pop_front()
        {
            oldest.abort();
        }
        while self.answers.len() >= MAX_REQUESTS {
            // the result of an answer does not matter
            let _ = self.answers.join_next().await;
        }
        self.by_age.push_back(self.answers.spawn(async move {
            // a client that does not read gets no answer
            let _ = timeout(REQUEST_TIMEOUT, answer(&shared, socket)).await;
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
        [b"GET", ..] => ("404 Not Found", "available paths: /metrics and /health\n".to_owned()),
        _ => ("405 Method Not Allowed", "only GET is supported\n".to_owned()),
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

/// Returns the health status: load balancers send no further clients to a draining proxy.
fn health(shared: &Shared) -> (&'static str, String) {
    if shared.draining.load(Relaxed) {
        ("503 Service Unavailable", "draining\n".to_owned())
    } else {
        ("200 OK", "ok\n".to_owned())
    }
}
