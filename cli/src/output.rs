//! Prints answers as text or JSON, with colours only on a terminal.
//!
//! A subcommand builds a [`Report`] and passes it to [`Output::print`]. Long-running subcommands (a server, the demo)
//! write lines with `writeln!(out, …)`; their styles are removed if standard output is not a terminal or `NO_COLOR` is
//! set.

pub(crate) use crate::style::{BAD, BOLD, DIM, GOOD, WARN};
pub(crate) use grille_tls::error::{format_count, printable};

use crate::error::Error;
use crate::warnings::Warnings;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// The schema number of all JSON documents. It rises when a field changes its meaning or disappears.
pub(crate) const SCHEMA: u32 = 2;

/// The time after which a long run shows its progress.
const PROGRESS_DELAY: Duration = Duration::from_millis(500);

/// The interval between updates of the progress line.
const TICK: Duration = Duration::from_millis(100);

/// The answer of a subcommand: `Serialize` for JSON, and a text form.
pub(crate) trait Report: Serialize {
    /// Writes the answer as text. Lines should fit [`Output::width`].
    ///
    /// # Errors
    /// Returns an error if writing fails.
    fn write_text(&self, out: &mut Output) -> io::Result<()>;
}

/// Standard output with the user's options.
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    width: usize,
    stdout: anstream::Stdout,
    /// The queue for warnings of a server; otherwise they are written directly.
    warnings: Option<Warnings>,
}

impl Output {
    /// Opens standard output. `quiet` suppresses warnings, notes and progress.
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        let width =
            terminal_size::terminal_size_of(io::stdout()).map_or(usize::MAX, |(width, _)| width.0.into());
        Self { json, quiet, width, stdout: anstream::stdout(), warnings: None }
    }

    /// Returns whether answers are JSON.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// Returns the width of the terminal, or `usize::MAX` if standard output is not one.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Prints the report as text, or as one line of JSON that begins with `"schema"`.
    ///
    /// # Errors
    /// Returns an error if writing fails; a closed pipe is [`crate::error::Kind::ClosedPipe`].
    pub(crate) fn print(&mut self, report: &impl Report) -> Result<(), Error> {
        if self.json {
            return self.print_json(&Document { schema: SCHEMA, body: report });
        }
        report.write_text(self)?;
        Ok(self.flush()?)
    }

    /// Prints bytes from a peer: unchanged to a pipe or a file, with control characters escaped to a terminal.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub(crate) fn print_peer_bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        if io::stdout().is_terminal() {
            let lines = String::from_utf8_lossy(bytes);
            lines.split_inclusive('\n').try_for_each(|line| match line.strip_suffix('\n') {
                Some(line) => writeln!(self, "{}", printable(line)),
                None => write!(self, "{}", printable(line)),
            })?;
        } else {
            self.write_all(bytes)?;
        }
        self.flush()
    }

    /// Prints a value as one line of JSON, without adding `"schema"`.
    ///
    /// # Errors
    /// The errors of [`Output::print`].
    pub(crate) fn print_json(&mut self, value: &impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(&mut *self, value)?;
        writeln!(self)?;
        Ok(self.flush()?)
    }

    /// Prints the address on which a server listens, and flushes.
    ///
    /// With `--json` the line goes to standard error, or nowhere with `--quiet`.
    ///
    /// # Errors
    /// Returns an error if the reader closed the output.
    pub(crate) fn print_listening(&mut self, address: std::net::SocketAddr) -> io::Result<()> {
        if self.is_json() {
            if !self.quiet {
                self.write_diagnostic(format!("listening on {address}\n"));
            }
            return Ok(());
        }
        writeln!(self, "{DIM}listening on {address}{DIM:#}")?;
        self.flush()
    }

    /// Writes one line of warning to standard error, unless `--quiet`.
    pub(crate) fn warn(&self, message: impl std::fmt::Display) {
        if self.quiet {
            return;
        }
        self.write_diagnostic(format!("{WARN}warning:{WARN:#} {message}\n"));
    }

    /// Writes one line of information to standard error, unless `--quiet`.
    pub(crate) fn note(&self, message: impl std::fmt::Display) {
        if !self.quiet {
            self.write_diagnostic(format!("{DIM}{message}{DIM:#}\n"));
        }
    }

    /// Writes a line to standard error, through the queue if there is one.
    fn write_diagnostic(&self, line: String) {
        match &self.warnings {
            Some(warnings) => warnings.push(line),
            // standard error may be closed
            None => _ = anstream::stderr().write_all(line.as_bytes()),
        }
    }

    /// Switches to a queue for warnings, so that a slow or closed standard error never blocks a server.
    ///
    /// # Errors
    /// Returns an error if the thread that writes them cannot start.
    pub(crate) fn queue_warnings(&mut self) -> Result<(), Error> {
        let started = Warnings::new(anstream::stderr());
        let warnings =
            started.map_err(|error| Error::failure(format_args!("cannot start a thread: {error}")))?;
        self.warnings = Some(warnings);
        Ok(())
    }

    /// Shows the progress of a long run in one line that the next call replaces.
    ///
    /// Nothing is shown if standard error is not a terminal, or in the first [`PROGRESS_DELAY`] after `since`.
    pub(crate) fn progress(&self, since: Instant, message: impl std::fmt::Display) {
        if self.shows_progress() && since.elapsed() > PROGRESS_DELAY {
            // wrapping is off, so that a line too long for the terminal is cut and the next one can replace it all;
            // standard error may be closed
            let _ = write!(anstream::stderr(), "\r\x1b[K\x1b[?7l{DIM}{message}{DIM:#}\x1b[?7h\r");
        }
    }

    /// Clears the line of [`Output::progress`].
    pub(crate) fn end_progress(&self) {
        if self.shows_progress() {
            let _ = write!(anstream::stderr(), "\r\x1b[K");
        }
    }

    /// Runs `work`. Meanwhile, shows the elapsed time, and the progress if `work` reports any.
    pub(crate) fn while_running<T: Send>(&self, label: &str, work: impl FnOnce(&Progress) -> T + Send) -> T {
        let start = Instant::now();
        let progress = &Progress::default();
        thread::scope(|scope| {
            let (running, end) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _running = running;
                work(progress)
            });
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let bar = progress.bar();
                let seconds = start.elapsed().as_secs_f32();
                self.progress(start, format_args!("{label}: {bar}{seconds:.1} s so far"));
            }
            self.end_progress();
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Returns whether progress is shown: standard error is a terminal, and `--quiet` is not set.
    pub(crate) fn shows_progress(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// Reports the error that ends the program: one line on standard error, and with `--json` a document on standard
    /// output, unless an earlier document contains it.
    pub(crate) fn fail(&mut self, error: &Error) {
        let line = format!("{BAD}error:{BAD:#} {error}\n");
        // either stream may be closed; the exit code still reports the error
        match self.warnings.take() {
            Some(warnings) => warnings.end(line),
            None => _ = anstream::stderr().write_all(line.as_bytes()),
        }
        if self.json && !error.is_in_json_output() {
            let body = ErrorDocument { error: Message::new(error.clone()) };
            let _ = self.print_json(&Document { schema: SCHEMA, body: &body });
        }
    }
}

/// The progress of a piece of work; clones share the same counters.
#[derive(Clone, Default)]
pub(crate) struct Progress(Arc<[AtomicU32; 2]>);

impl Progress {
    /// Reports that `now` of `all` steps are done. Threads may report in any order; (0, 0) resets.
    pub(crate) fn update(&self, now: u32, all: u32) {
        let [done, total] = &*self.0;
        match all {
            0 => done.store(0, Ordering::Relaxed),
            _ => _ = done.fetch_max(now, Ordering::Relaxed),
        }
        total.store(all, Ordering::Relaxed);
    }

    /// Formats a bar and a percentage; empty while the number of steps is unknown.
    fn bar(&self) -> String {
        const WIDTH: u64 = 20;
        let [done, total] = self.0.each_ref().map(|count| u64::from(count.load(Ordering::Relaxed)));
        let scaled = |parts: u64| done * parts / total;
        if total == 0 {
            return String::new();
        }
        format!(
            "[{:<width$}] {:3} %, ",
            "=".repeat(scaled(WIDTH) as usize),
            scaled(100),
            width = WIDTH as usize
        )
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stdout.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stdout.flush()
    }
}

#[derive(Serialize)]
struct Document<'a, T> {
    schema: u32,
    #[serde(flatten)]
    body: &'a T,
}

#[derive(Serialize)]
struct ErrorDocument {
    error: Message,
}

/// An error in a JSON document.
#[derive(Serialize)]
pub(crate) struct Message {
    /// The line on standard error.
    message: String,
    #[serde(flatten)]
    parts: Error,
}

impl Message {
    pub(crate) fn new(error: Error) -> Self {
        Self { message: error.to_string(), parts: error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn draws_a_bar_in_proportion_to_the_progress() {
        let bar = |updates: &[(u32, u32)]| {
            let progress = Progress::default();
            updates.iter().for_each(|(now, all)| progress.update(*now, *all));
            progress.bar()
        };
        assert_eq!(bar(&[]), "");
        assert_eq!(bar(&[(0, 7)]), "[                    ]   0 %, ");
        assert_eq!(bar(&[(3_000_000_000, 4_000_000_000)]), "[===============     ]  75 %, ");
        assert_eq!(bar(&[(7, 7), (6, 7)]), "[====================] 100 %, ");
        assert_eq!(bar(&[(7, 7), (0, 0)]), "");
        assert_eq!(bar(&[(7, 7), (0, 0), (0, 7)]), bar(&[(0, 7)]));
    }
}
