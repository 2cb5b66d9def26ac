//! Threads that serve connections.

use crate::error::Error;
use crate::output::format_count;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Stack size of a serving thread, which creates signatures of every parameter set.
const STACK: usize = 4 << 20;

/// Hands each connection from `next` to an idle one of up to `jobs` threads, until `next` fails. Idle threads end
/// then, and the flag passed to `serve` is set. A thread that waits for its peer does not check the flag. Calls
/// `warn` if fewer threads could start.
///
/// # Errors
/// Returns the error of `next`, or an error if no thread can start.
pub(super) fn serve_in_threads<V: Send>(
    jobs: u16,
    mut next: impl FnMut() -> Result<V, Error>,
    serve: impl Fn(V, &AtomicBool) + Sync,
    warn: impl Fn(Error),
) -> Result<(), Error> {
    let (serve, ends) = (&serve, &AtomicBool::new(false));
    thread::scope(|scope| {
        let (come, waiting) = mpsc::sync_channel(0);
        let waiting = Arc::new(Mutex::new(waiting));
        let start = || {
            let waiting = waiting.clone();
            let work = move || {
                while let Some(connection) = next_connection(&waiting) {
                    serve(connection, ends);
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).map(|_| ())
        };
        if let Some(fewer) = start_threads(jobs, start)? {
            warn(fewer);
        }
        drop(waiting);
        // Sending fails only if all threads panicked, which the scope reports.
        let mut next = || next().inspect_err(|_| ends.store(true, Ordering::Relaxed));
        while come.send(next()?).is_ok() {}
        Ok(())
    })
}

/// Waits for the next connection; `None` if there are no more.
fn next_connection<V>(waiting: &Mutex<Receiver<V>>) -> Option<V> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Starts `jobs` threads, or as many as possible. Returns a warning if there are fewer.
///
/// # Errors
/// Returns an error if no thread can start.
fn start_threads(jobs: u16, mut start: impl FnMut() -> io::Result<()>) -> Result<Option<Error>, Error> {
    for running in 0..jobs {
        if let Err(error) = start() {
            let fewer =
                |problem: String| Error::failure(format_args!("{problem}: {error}")).with_place("--jobs");
            return match running {
                0 => Err(fewer("cannot start a thread".to_owned())),
                _ => Ok(Some(fewer(format!(
                    "serving only {} at a time",
                    format_count(usize::from(running), "requester")
                )))),
            };
        }
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn serves_connections_and_ends_threads() {
        let (served, mut coming) = (Mutex::new(BTreeSet::new()), 0..3);
        let next = || coming.next().ok_or_else(|| Error::failure("the listener is closed"));
        let serve = |connection, ends: &AtomicBool| {
            served.lock().unwrap().insert(connection);
            // Connection 1 would never finish without the flag.
            while connection == 1 && !ends.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        let ended = serve_in_threads(8, next, serve, |fewer| panic!("{fewer}"));
        assert_eq!(ended.unwrap_err().to_string(), "the listener is closed");
        assert_eq!(served.into_inner().unwrap(), BTreeSet::from([0, 1, 2]));
    }

    #[test]
    fn continues_with_fewer_threads_but_not_with_none() {
        let start = |most: u16| {
            let mut running = 0;
            start_threads(3, || {
                running += 1;
                if running > most { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
            })
        };
        assert!(start(3).unwrap().is_none());
        assert!(
            start(1)
                .unwrap()
                .unwrap()
                .to_string()
                .starts_with("--jobs: serving only 1 requester at a time: ")
        );
        assert!(start(2).unwrap().unwrap().to_string().contains("2 requesters"));
        assert!(start(0).unwrap_err().to_string().starts_with("--jobs: cannot start a thread: "));
    }
}
