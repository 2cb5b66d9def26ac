//! HTTP for Prometheus and for health checks: `GET /metrics`, `GET /health`, and nothing else.

use crate::proxy::Shared;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// So many are answered at once, each within so long, to requests no longer than this.
const AT_ONCE: usize = 16;
const PATIENCE: Duration = Duration::from_secs(5);
const MAX_REQUEST_LEN: usize = 8 << 10;

/// Answers until it is aborted.
pub(crate) async fn serve(shared: Arc<Shared>, listener: TcpListener) {
    let room = Arc::new(Semaphore::new(AT_ONCE));
    loop {
        // nobody closes this semaphore
        let Ok(permit) = room.clone().acquire_owned().await else { return };
        let Ok((socket, _)) = listener.accept().await else {
            sleep(Duration::from_millis(100)).await;
            continue;
        };
        let shared = shared.clone();
        tokio::spawn(async move {
            // one who asks and does not listen is not answered
            let _ = timeout(PATIENCE, answer(&shared, socket)).await;
            drop(permit);
        });
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
        [b"GET", b"/health", _] => ("200 OK", "ok\n".to_owned()),
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
