//! Threads that serve who comes.

use crate::error::Error;
use crate::output::counted;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// The stack of a thread that serves: signatures of every set are made on it.
const STACK: usize = 4 << 20;

/// Gives whoever comes `next` to one of so many threads that is free, until nobody can come any more. Threads without work end then,
/// and `serve` is told by its flag, which is set; while it waits for its visitor it does not look. `warn` hears of it where there are
/// fewer threads.
///
/// # Errors
/// Why nobody can come any more, or if there is no thread.
pub(super) fn share<V: Send>(
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
                while let Some(visitor) = first(&waiting) {
                    serve(visitor, ends);
                }
            };
            thread::Builder::new().stack_size(STACK).spawn_scoped(scope, work).map(|_| ())
        };
        if let Some(fewer) = started(jobs, start)? {
            warn(fewer);
        }
        drop(waiting);
        // nobody takes them where all threads broke down, which the scope tells
        let mut next = || next().inspect_err(|_| ends.store(true, Ordering::Relaxed));
        while come.send(next()?).is_ok() {}
        Ok(())
    })
}

/// Who comes next; nothing if nobody does.
fn first<V>(waiting: &Mutex<Receiver<V>>) -> Option<V> {
    waiting.lock().unwrap_or_else(PoisonError::into_inner).recv().ok()
}

/// Starts so many threads, or as many of them as can be; what to say if there are fewer.
///
/// # Errors
/// If there is none.
fn started(jobs: u16, mut start: impl FnMut() -> io::Result<()>) -> Result<Option<Error>, Error> {
    for running in 0..jobs {
        if let Err(error) = start() {
            let fewer = |what: String| Error::failure(format_args!("{what}: {error}")).at_place("--jobs");
            return match running {
                0 => Err(fewer("no thread".to_owned())),
                _ => {
                    Ok(Some(fewer(format!("only {} at a time", counted(usize::from(running), "requester")))))
                }
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
    fn who_came_is_served_and_threads_end_when_nobody_can_come() {
        let (served, mut coming) = (Mutex::new(BTreeSet::new()), 0..3);
        let next = || coming.next().ok_or_else(|| Error::failure("the door is shut"));
        let serve = |visitor, ends: &AtomicBool| {
            served.lock().unwrap().insert(visitor);
            // one who would never go
            while visitor == 1 && !ends.load(Ordering::Relaxed) {
                thread::yield_now();
            }
        };
        let ended = share(8, next, serve, |fewer| panic!("{fewer}"));
        assert_eq!(ended.unwrap_err().to_string(), "the door is shut");
        assert_eq!(served.into_inner().unwrap(), BTreeSet::from([0, 1, 2]));
    }

    #[test]
    fn fewer_threads_than_were_asked_for_serve_and_none_is_an_error() {
        let of = |most: u16| {
            let mut running = 0;
            started(3, || {
                running += 1;
                if running > most { Err(io::ErrorKind::WouldBlock.into()) } else { Ok(()) }
            })
        };
        assert!(of(3).unwrap().is_none());
        assert!(of(1).unwrap().unwrap().to_string().starts_with("--jobs: only 1 requester at a time: "));
        assert!(of(2).unwrap().unwrap().to_string().contains("2 requesters"));
        assert!(of(0).unwrap_err().to_string().starts_with("--jobs: no thread: "));
    }
}
