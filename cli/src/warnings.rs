//! Warnings of a server: who reads them slowly, or not at all, holds up none of its connections.

use crate::output::{WARN, counted};
use std::collections::VecDeque;
use std::io::{self, Write};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Lines on their way to a reader.
pub(crate) struct Warnings {
    shared: Arc<Shared>,
    /// How long each is waited for.
    patience: Duration,
}

/// How many lines wait for their reader; those that come then are lost, and counted.
const QUEUE_LEN: usize = 1024;

/// How long a line is waited for, so that it is there before what comes of its reason; of a reader that is slower once nothing
/// is waited for until it has read all.
const PATIENCE: Duration = Duration::from_millis(100);

/// How long the end of a server waits for the reader of its last lines.
const LAST: Duration = Duration::from_secs(2);

#[derive(Default)]
struct Shared {
    lines: Mutex<Lines>,
    /// There is something to write, or nothing will come any more.
    come: Condvar,
    /// Nothing is left to write.
    written: Condvar,
}

#[derive(Default)]
struct Lines {
    waiting: VecDeque<String>,
    lost: usize,
    /// One is being written.
    busy: bool,
    /// The reader is slow.
    slow: bool,
    /// None will come any more.
    ended: bool,
}

impl Lines {
    fn is_open(&self) -> bool {
        self.busy || !self.waiting.is_empty()
    }

    /// What is to be written next: behind all lines how many were lost.
    fn next(&mut self) -> Option<String> {
        let next = self.waiting.pop_front().or_else(|| {
            let lost = std::mem::take(&mut self.lost);
            let told = || {
                let lost = counted(lost, "warning");
                format!("{WARN}warning:{WARN:#} {lost} more could not be written in time\n")
            };
            (lost > 0).then(told)
        });
        self.busy = next.is_some();
        next
    }
}

impl Warnings {
    /// Lines that a thread of its own writes to `to`.
    ///
    /// # Errors
    /// If there is no thread.
    pub(crate) fn new(to: impl Write + Send + 'static) -> io::Result<Self> {
        Self::with_patience(to, PATIENCE)
    }

    fn with_patience(to: impl Write + Send + 'static, patience: Duration) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let theirs = shared.clone();
        thread::Builder::new().spawn(move || theirs.write_all(to))?;
        Ok(Self { shared, patience })
    }

    /// One line more, or one more that is lost.
    pub(crate) fn tell(&self, line: String) {
        let mut lines = self.shared.lock();
        if lines.waiting.len() == QUEUE_LEN {
            lines.lost += 1;
            return;
        }
        lines.waiting.push_back(line);
        self.shared.come.notify_one();
        if !lines.slow {
            let mut lines = self.shared.settle(lines, self.patience);
            lines.slow = lines.is_open();
        }
    }

    /// The last line, behind all that wait: however many they are, it is not lost. It is waited for as the end waits.
    pub(crate) fn end(self, line: String) {
        self.shared.lock().waiting.push_back(line);
    }
}

impl Drop for Warnings {
    /// Waits until all lines are written, or for a while.
    fn drop(&mut self) {
        let mut lines = self.shared.lock();
        lines.ended = true;
        self.shared.come.notify_one();
        drop(self.shared.settle(lines, LAST));
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.lines.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until nothing is left, or for so long.
    fn settle<'a>(&self, lines: MutexGuard<'a, Lines>, time: Duration) -> MutexGuard<'a, Lines> {
        let waited = self.written.wait_timeout_while(lines, time, |lines| lines.is_open() || lines.lost > 0);
        waited.unwrap_or_else(PoisonError::into_inner).0
    }

    /// Writes what comes until nothing will.
    fn write_all(&self, mut to: impl Write) {
        let mut lines = self.lock();
        loop {
            let Some(line) = lines.next() else {
                lines.slow = false;
                self.written.notify_all();
                if lines.ended {
                    return;
                }
                lines = self.come.wait(lines).unwrap_or_else(PoisonError::into_inner);
                continue;
            };
            drop(lines);
            // a reader that is gone is nobody to tell
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

    /// What was written, by whoever has the other end for as long as nobody holds it.
    #[derive(Clone, Default)]
    struct Page(Arc<Mutex<String>>);

    impl Write for Page {
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
    fn who_does_not_read_holds_up_nobody_and_learns_how_many_are_lost() {
        const ALL: usize = 3 * QUEUE_LEN;
        let page = Page::default();
        let warnings = Warnings::new(page.clone()).unwrap();
        let held = page.0.lock().unwrap();
        (0..ALL).for_each(|line| warnings.tell(format!("{line}\n")));
        let shared = warnings.shared.clone();
        thread::scope(|scope| {
            scope.spawn(|| warnings.end("the end\n".to_owned()));
            while !shared.lock().ended {
                thread::yield_now();
            }
            drop(held);
        });
        let page = page.0.lock().unwrap();
        let [told @ .., end, lost] = &page.lines().collect::<Vec<_>>()[..] else { panic!("{page}") };
        let told: Vec<usize> = told.iter().map(|line| line.parse().unwrap()).collect();
        assert!(told.len() >= QUEUE_LEN && told.iter().copied().eq(0..told.len()), "{told:?}");
        assert_eq!(*end, "the end");
        let lost_ones = ALL - told.len();
        let words = format!("{lost_ones} warnings more could not be written in time");
        assert_eq!(*lost, format!("{WARN}warning:{WARN:#} {words}"));
    }

    #[test]
    fn where_somebody_reads_a_line_is_written_when_it_is_told() {
        let page = Page::default();
        let warnings = Warnings::with_patience(page.clone(), Duration::from_secs(60)).unwrap();
        for told in 1..2 * QUEUE_LEN {
            warnings.tell("line\n".to_owned());
            assert_eq!(page.0.lock().unwrap().lines().count(), told);
        }
    }

    #[test]
    fn the_end_does_not_wait_for_ever() {
        let page = Page::default();
        let held = page.0.lock().unwrap();
        let warnings = Warnings::new(page.clone()).unwrap();
        warnings.tell("unread\n".to_owned());
        let (ended, end) = mpsc::channel();
        thread::spawn(move || {
            drop(warnings);
            ended.send(())
        });
        assert!(end.recv_timeout(10 * LAST).is_ok());
        assert_eq!(*held, "");
    }
}
