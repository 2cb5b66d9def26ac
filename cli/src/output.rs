//! How answers are printed: text for people, JSON for machines, colours only where they are wanted.
//!
//! A verb builds a [`Report`] and gives it to [`Output::print`]. Verbs that talk for a while (a server, the demo)
//! write lines with `writeln!(out, …)`; styles in them disappear where standard output is no terminal or
//! `NO_COLOR` is set.

pub(crate) use grille_tls::error::{counted, printable};

use crate::error::Error;
use crate::warnings::Warnings;
use anstyle::{AnsiColor, Style};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

/// Headings and names.
pub(crate) const BOLD: Style = Style::new().bold();
/// Less important text.
pub(crate) const DIM: Style = Style::new().dimmed();
/// All is well.
pub(crate) const GOOD: Style = AnsiColor::Green.on_default().bold();
/// Be careful.
pub(crate) const WARN: Style = AnsiColor::Yellow.on_default().bold();
/// Something is wrong.
pub(crate) const BAD: Style = AnsiColor::Red.on_default().bold();

/// The version of all JSON documents: raised when a field changes its meaning or disappears.
pub(crate) const SCHEMA: u32 = 2;

/// How long nobody needs to be told how far a run is.
const PATIENCE: Duration = Duration::from_millis(500);

/// How often a long run says so.
const TICK: Duration = Duration::from_millis(100);

/// What a verb has to say.
pub(crate) trait Report: Serialize {
    /// The same for people. Lines should fit [`Output::width`].
    ///
    /// # Errors
    /// Those of writing.
    fn human(&self, out: &mut Output) -> io::Result<()>;
}

/// Standard output, and the wishes about it.
pub(crate) struct Output {
    json: bool,
    quiet: bool,
    width: usize,
    stdout: anstream::Stdout,
    /// Where warnings wait, if they do.
    warnings: Option<Warnings>,
}

impl Output {
    /// `quiet`: no warnings.
    pub(crate) fn new(json: bool, quiet: bool) -> Self {
        let width =
            terminal_size::terminal_size_of(io::stdout()).map_or(usize::MAX, |(width, _)| width.0.into());
        Self { json, quiet, width, stdout: anstream::stdout(), warnings: None }
    }

    /// Whether JSON is wanted.
    pub(crate) const fn is_json(&self) -> bool {
        self.json
    }

    /// The columns of the terminal; boundless where standard output is none.
    pub(crate) const fn width(&self) -> usize {
        self.width
    }

    /// Prints the report: for people, or as one line of JSON with `"schema"` in front.
    ///
    /// # Errors
    /// Those of writing; a closed pipe is [`crate::error::Kind::ClosedPipe`].
    pub(crate) fn print(&mut self, report: &impl Report) -> Result<(), Error> {
        if self.json {
            return self.document(&Document { schema: SCHEMA, body: report });
        }
        report.human(self)?;
        Ok(self.flush()?)
    }

    /// Prints what somebody else said: as it is into a pipe or a file, without control characters to a terminal.
    ///
    /// # Errors
    /// Those of writing.
    pub(crate) fn foreign(&mut self, said: &[u8]) -> io::Result<()> {
        if io::stdout().is_terminal() {
            let lines = String::from_utf8_lossy(said);
            lines.split_inclusive('\n').try_for_each(|line| match line.strip_suffix('\n') {
                Some(line) => writeln!(self, "{}", printable(line)),
                None => write!(self, "{}", printable(line)),
            })?;
        } else {
            self.write_all(said)?;
        }
        self.flush()
    }

    /// Prints one line of JSON as it is.
    ///
    /// # Errors
    /// As [`Output::print`].
    pub(crate) fn document(&mut self, value: &impl Serialize) -> Result<(), Error> {
        serde_json::to_writer(&mut *self, value)?;
        writeln!(self)?;
        Ok(self.flush()?)
    }

    /// Tells, at once, where somebody is waited for; beside documents on standard error, unless `--quiet`.
    ///
    /// # Errors
    /// If nobody reads the output any more.
    pub(crate) fn listening(&mut self, address: std::net::SocketAddr) -> io::Result<()> {
        if self.is_json() {
            if !self.quiet {
                self.tell(format!("listening on {address}\n"));
            }
            return Ok(());
        }
        writeln!(self, "{DIM}listening on {address}{DIM:#}")?;
        self.flush()
    }

    /// One line of warning on standard error, unless `--quiet`.
    pub(crate) fn warn(&self, message: impl std::fmt::Display) {
        if self.quiet {
            return;
        }
        self.tell(format!("{WARN}warning:{WARN:#} {message}\n"));
    }

    /// One line that is no warning, on standard error, unless `--quiet`.
    pub(crate) fn note(&self, message: impl std::fmt::Display) {
        if !self.quiet {
            self.tell(format!("{DIM}{message}{DIM:#}\n"));
        }
    }

    /// A line on standard error.
    fn tell(&self, line: String) {
        match &self.warnings {
            Some(warnings) => warnings.tell(line),
            // Standard error may be closed; there is nobody left to tell.
            None => _ = anstream::stderr().write_all(line.as_bytes()),
        }
    }

    /// From now on warnings wait for nobody who reads them: a server goes on, whatever becomes of its standard error.
    ///
    /// # Errors
    /// If there is no thread that writes them.
    pub(crate) fn serve(&mut self) -> Result<(), Error> {
        let started = Warnings::new(anstream::stderr());
        let warnings = started.map_err(|error| Error::failure(format_args!("no thread: {error}")))?;
        self.warnings = Some(warnings);
        Ok(())
    }

    /// How far a long run is, on standard error, in one line that the next one replaces; only people at a terminal see
    /// it, and only if it takes longer than a moment.
    ///
    /// `since`: when the run began.
    pub(crate) fn progress(&self, since: Instant, message: impl std::fmt::Display) {
        if self.is_watched() && since.elapsed() > PATIENCE {
            // without wrapping, so that what is too long for the terminal is cut and the next line can replace it all;
            // standard error may be closed: there is nobody left to tell
            let _ = write!(anstream::stderr(), "\r\x1b[K\x1b[?7l{DIM}{message}{DIM:#}\x1b[?7h\r");
        }
    }

    /// Clears the line of [`Output::progress`].
    pub(crate) fn end_progress(&self) {
        if self.is_watched() {
            let _ = write!(anstream::stderr(), "\r\x1b[K");
        }
    }

    /// Runs what may take a while, and shows how far it is: as far as it says so, and for how long it has been running.
    pub(crate) fn while_running<T: Send>(&self, what: &str, work: impl FnOnce(&Done) -> T + Send) -> T {
        let start = Instant::now();
        let done = &Done::default();
        thread::scope(|scope| {
            let (running, end) = mpsc::channel::<()>();
            let worker = scope.spawn(move || {
                let _running = running;
                work(done)
            });
            while end.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                let bar = done.bar();
                let seconds = start.elapsed().as_secs_f32();
                self.progress(start, format_args!("{what}: {bar}{seconds:.1} s so far"));
            }
            self.end_progress();
            worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        })
    }

    /// Whether somebody sits at a terminal and wants to know how far it is.
    pub(crate) fn is_watched(&self) -> bool {
        !self.quiet && io::stderr().is_terminal()
    }

    /// The last words: one line on standard error, and with `--json` a document on standard output, unless one has it already.
    pub(crate) fn fail(&mut self, error: &Error) {
        let line = format!("{BAD}error:{BAD:#} {error}\n");
        // Either stream may be closed; the exit code still tells.
        match self.warnings.take() {
            Some(warnings) => warnings.end(line),
            None => _ = anstream::stderr().write_all(line.as_bytes()),
        }
        if self.json && !error.is_documented() {
            let body = Failed { error: Message::of(error.clone()) };
            let _ = self.document(&Document { schema: SCHEMA, body: &body });
        }
    }
}

/// How much of a work is done; clones count the same work.
#[derive(Clone, Default)]
pub(crate) struct Done(Arc<[AtomicU32; 2]>);

impl Done {
    /// How much is done of how much, by threads that come in any order; (0, 0) begins anew.
    pub(crate) fn tell(&self, now: u32, all: u32) {
        let [done, total] = &*self.0;
        match all {
            0 => done.store(0, Ordering::Relaxed),
            _ => _ = done.fetch_max(now, Ordering::Relaxed),
        }
        total.store(all, Ordering::Relaxed);
    }

    /// As a bar and in percent; nothing while the whole is not known.
    fn bar(&self) -> String {
        const WIDTH: u64 = 20;
        let [done, total] = self.0.each_ref().map(|count| u64::from(count.load(Ordering::Relaxed)));
        let of = |parts: u64| done * parts / total;
        if total == 0 {
            return String::new();
        }
        format!("[{:<width$}] {:3} %, ", "=".repeat(of(WIDTH) as usize), of(100), width = WIDTH as usize)
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
struct Failed {
    error: Message,
}

/// An error as documents have it.
#[derive(Serialize)]
pub(crate) struct Message {
    /// The line that standard error has.
    message: String,
    #[serde(flatten)]
    parts: Error,
}

impl Message {
    pub(crate) fn of(error: Error) -> Self {
        Self { message: error.to_string(), parts: error }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bar_is_as_long_as_the_work_that_is_done() {
        let bar = |told: &[(u32, u32)]| {
            let done = Done::default();
            told.iter().for_each(|(now, all)| done.tell(*now, *all));
            done.bar()
        };
        assert_eq!(bar(&[]), "");
        assert_eq!(bar(&[(0, 7)]), "[                    ]   0 %, ");
        assert_eq!(bar(&[(3_000_000_000, 4_000_000_000)]), "[===============     ]  75 %, ");
        assert_eq!(bar(&[(7, 7), (6, 7)]), "[====================] 100 %, ");
        assert_eq!(bar(&[(7, 7), (0, 0)]), "");
        assert_eq!(bar(&[(7, 7), (0, 0), (0, 7)]), bar(&[(0, 7)]));
    }
}
