//! A queue for a server's warnings, so that a slow or absent reader never blocks its connections.

use crate::output::{WARN, format_count};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// A queue of lines, and the thread that writes them.
pub(crate) struct Warnings {
    shared: Arc<Shared>,
    /// The longest wait for one line.
    max_wait: Duration,
}

/// The capacity of the queue; further lines are lost and counted.
const QUEUE_LEN: usize = 1024;

/// The longest wait for a line to be written, so that a warning normally appears before later output. After one slow
/// line, further lines are not waited for until the reader has caught up.
const MAX_WAIT: Duration = Duration::from_millis(100);

/// The longest wait for the last lines when a server ends.
const FINAL_WAIT: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Shared {
    lines: Mutex<Lines>,
    /// Signals a new line, or the end of all lines.
    pushed: Condvar,
    /// Signals that everything is written.
    written: Condvar,
}

#[derive(Default)]
struct Lines {
    waiting: VecDeque<String>,
    lost: usize,
    /// Whether a line is being written.
    busy: bool,
    /// Whether the reader is slow.
    slow: bool,
    /// Whether no more lines will be pushed.
    ended: bool,
}

impl Lines {
    fn is_open(&self) -> bool {
        self.busy || !self.waiting.is_empty()
    }

    /// Takes the next line to write. After the last line, returns a notice with the number of lost lines, if any are
    /// lost.
    fn next(&mut self) -> Option<String> {
        let next = self.waiting.pop_front().or_else(|| {
            let lost = std::mem::take(&mut self.lost);
            let notice = || {
                let lost = format_count(lost, "warning");
                format!("{WARN}warning:{WARN:#} {lost} lost: standard error was read too slowly\n")
            };
            (lost > 0).then(notice)
        });
        self.busy = next.is_some();
        next
    }
}

impl Warnings {
    /// Starts a thread that writes lines to `to`.
    ///
    /// # Errors
    /// Returns an error if the thread cannot start.
    pub(crate) fn new(to: impl Write + Send + 'static) -> io::Result<Self> {
        Self::with_max_wait(to, MAX_WAIT)
    }

    fn with_max_wait(to: impl Write + Send + 'static, max_wait: Duration) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let writer = shared.clone();
        thread::Builder::new().spawn(move || writer.write_all(to))?;
        Ok(Self { shared, max_wait })
    }

    /// Adds a line to the queue, or counts it as lost if the queue is full.
    pub(crate) fn push(&self, line: String) {
        let mut lines = self.shared.lock();
        if lines.waiting.len() == QUEUE_LEN {
            lines.lost += 1;
            return;
        }
        lines.waiting.push_back(line);
        self.shared.pushed.notify_one();
        if !lines.slow {
            let mut lines = self.shared.wait_until_written(lines, self.max_wait);
            lines.slow = lines.is_open();
        }
    }

    /// Adds the last line, which is never lost. Dropping the queue then waits for it at most [`FINAL_WAIT`].
    pub(crate) fn end(self, line: String) {
        self.shared.lock().waiting.push_back(line);
    }
}

impl Drop for Warnings {
    /// Waits until all lines are written, but at most [`FINAL_WAIT`].
    fn drop(&mut self) {
        let mut lines = self.shared.lock();
        lines.ended = true;
        self.shared.pushed.notify_one();
        drop(self.shared.wait_until_written(lines, FINAL_WAIT));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until everything is written, but at most `time`.
    fn wait_until_written<'a>(&self, lines: MutexGuard<'a, Lines>, time: Duration) -> MutexGuard<'a, Lines> {
        let waited = self.written.wait_timeout_while(lines, time, |lines| lines.is_open() || lines.lost > 0);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Writes lines until the queue ends.
    fn write_all(&self, mut to: impl Write) {
        let mut lines = self.lock();
        loop {
            let Some(line) = lines.next() else {
                lines.slow = false;
                self.written.notify_all();
                if lines.ended {
                    return;
                }
                lines = self.pushed.wait(lines).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(lines);
            // standard error may be closed
            let _ = to.write_all(line.as_bytes());
            lines = self.lock();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::ErrorKind;
    use std::sync::mpsc;

    /// A sink that blocks its writer while a test holds the lock.
    #[derive(Clone, Default)]
    struct BlockingSink(Arc<Mutex<String>>);

    impl Write for BlockingSink {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            let text = std::str::from_utf8(bytes).map_err(|_| ErrorKind::InvalidData)?;
            self.0.lock().unwrap().push_str(text);
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn never_blocks_on_a_slow_reader_and_counts_lost_lines() {
        const ALL: usize = 3 * QUEUE_LEN;
        let sink = BlockingSink::default();
        let warnings = Warnings::new(sink.clone()).unwrap();
        let held = sink.0.lock().unwrap();
        (0..ALL).for_each(|line| warnings.push(format!("{line}\n")));
        let shared = warnings.shared.clone();
        thread::scope(|scope| {
            scope.spawn(|| warnings.end("the end\n".to_owned()));
            while !shared.lock().ended {
                thread::yield_now();
            }
            drop(held);
        });
        let text = sink.0.lock().unwrap();
        let [written @ .., end, lost] = &text.lines().collect::<Vec<_>>()[..] else { panic!("{text}") };
        let written: Vec<usize> = written.iter().map(|line| line.parse().unwrap()).collect();
        assert!(written.len() >= QUEUE_LEN && written.iter().copied().eq(0..written.len()), "{written:?}");
        assert_eq!(*end, "the end");
        let count = ALL - written.len();
        let words = format!("{count} warnings lost: standard error was read too slowly");
        assert_eq!(*lost, format!("{WARN}warning:{WARN:#} {words}"));
    }

    #[test]
    fn writes_each_line_at_once_for_a_fast_reader() {
        let sink = BlockingSink::default();
        let warnings = Warnings::with_max_wait(sink.clone(), Duration::from_secs(60)).unwrap();
        for pushed in 1..2 * QUEUE_LEN {
            warnings.push("line\n".to_owned());
            assert_eq!(sink.0.lock().unwrap().lines().count(), pushed);
        }
    }

    #[test]
    fn waits_only_briefly_for_a_reader_at_the_end() {
        let sink = BlockingSink::default();
        let held = sink.0.lock().unwrap();
        let warnings = Warnings::new(sink.clone()).unwrap();
        warnings.push("unread\n".to_owned());
        let (ended, end) = mpsc::channel();
        thread::spawn(move || {
            drop(warnings);
            ended.send(())
        });
        assert!(end.recv_timeout(10 * FINAL_WAIT).is_ok());
        assert_eq!(*held, "");
    }
}
