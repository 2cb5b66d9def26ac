//! Temporary files and directories, which may contain a private key. They are removed when they are dropped, and when
//! SIGINT, SIGTERM or SIGHUP ends the program.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use tempfile::{NamedTempFile, TempDir};

/// A temporary file, which can get a final name.
pub(crate) struct File {
    file: NamedTempFile,
    _place: Arc<Path>,
}

impl File {
    /// Creates an empty file in `directory`.
    ///
    /// # Errors
    /// Returns the system's errors, including the error if signals cannot be handled.
    pub(crate) fn new(builder: &tempfile::Builder<'_, '_>, directory: &Path) -> io::Result<Self> {
        let mut held = hold_signals()?;
        let file = builder.tempfile_in(directory)?;
        let place = held.add(file.path());
        Ok(Self { file, _place: place })
    }

    #[cfg(windows)]
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Writes all bytes and syncs them to the disk.
    ///
    /// # Errors
    /// Returns the system's errors.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.as_file().sync_all()
    }

    /// Renames the file to `path`, where it outlives the program.
    ///
    /// `_held` proves that signals are deferred, so that none ends the program between the renaming of several files.
    ///
    /// # Errors
    /// Returns the system's errors, including the error if the name is taken and `overwrite` is not set.
    pub(crate) fn persist(self, path: &Path, overwrite: bool, _held: &SignalGuard) -> io::Result<fs::File> {
        let named = if overwrite { self.file.persist(path) } else { self.file.persist_noclobber(path) };
        named.map_err(|error| error.error)
    }
}

/// A temporary directory. It is removed with all its contents on drop, or when a signal ends the program.
pub(crate) struct Folder {
    folder: TempDir,
    _place: Arc<Path>,
}

impl Folder {
    /// Creates an empty directory among the system's temporary files.
    ///
    /// # Errors
    /// The errors of [`File::new`].
    pub(crate) fn new(prefix: &str) -> io::Result<Self> {
        let mut held = hold_signals()?;
        let folder = tempfile::Builder::new().prefix(prefix).tempdir()?;
        let place = held.add(folder.path());
        Ok(Self { folder, _place: place })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes the directory now.
    ///
    /// # Errors
    /// Returns the system's errors.
    pub(crate) fn close(self) -> io::Result<()> {
        self.folder.close()
    }
}

/// The paths to remove when a signal ends the program.
static PATHS: Mutex<Vec<Weak<Path>>> = Mutex::new(Vec::new());

/// A lock: while it is held, no other thread makes or renames temporary files, and no signal ends the program.
pub(crate) struct SignalGuard(MutexGuard<'static, Vec<Weak<Path>>>);

impl SignalGuard {
    fn add(&mut self, path: &Path) -> Arc<Path> {
        let place: Arc<Path> = path.into();
        self.0.retain(|place| place.strong_count() > 0);
        self.0.push(Arc::downgrade(&place));
        place
    }

    /// Removes all temporary files and directories. Errors are ignored, because the program is about to end.
    fn remove_all(&self) {
        for place in self.0.iter().rev().filter_map(Weak::upgrade) {
            let _ = if place.is_dir() { fs::remove_dir_all(&place) } else { fs::remove_file(&place) };
        }
    }
}

/// Installs the signal handlers if necessary, and defers signals while the result is held.
///
/// # Errors
/// Returns an error if signals cannot be handled.
pub(crate) fn hold_signals() -> io::Result<SignalGuard> {
    static HANDLED: OnceLock<Result<(), (io::ErrorKind, String)>> = OnceLock::new();
    let handled = HANDLED.get_or_init(|| signals::handle().map_err(|e| (e.kind(), e.to_string())));
    handled.clone().map_err(|(kind, reason)| io::Error::new(kind, reason))?;
    Ok(lock())
}

/// Returns at once unless a signal is ending the program. In that case it never returns, because the lock is held until
/// the process is gone.
pub(crate) fn stop_if_interrupted() {
    drop(lock());
}

fn lock() -> SignalGuard {
    SignalGuard(PATHS.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::{fs, io, process, thread};

    /// Starts a thread that waits for signals, because a signal handler itself may do next to nothing.
    pub(super) fn handle() -> io::Result<()> {
        let ignored = ignored_signals();
        // the parent process may have set some signals to be ignored, as `nohup` does
        let handled = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let mut signals = Signals::new(handled)?;
        thread::spawn(move || signals.forever().for_each(end));
        Ok(())
    }

    /// Cleans up, then lets the signal end the program, so that a shell sees the signal.
    fn end(signal: i32) {
        let held = super::lock();
        held.remove_all();
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal)
    }

    /// Returns a mask of the ignored signals; the lowest bit is signal 1.
    ///
    /// Systems without Linux' `/proc` do not report ignored signals: there SIGHUP counts as ignored, because `nohup`
    /// ignores it.
    fn ignored_signals() -> u64 {
        let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
        let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
        line.and_then(|digits| u64::from_str_radix(digits.trim(), 16).ok()).unwrap_or(1 << (SIGHUP - 1))
    }
}

#[cfg(windows)]
mod signals {
    use std::{io, process, thread};
    use tokio::runtime::Builder;
    use tokio::signal::windows::ctrl_c;

    /// The exit code of a program that Ctrl-C ended.
    const INTERRUPTED: i32 = 130;

    /// Starts a thread that waits for Ctrl-C.
    pub(super) fn handle() -> io::Result<()> {
        let runtime = Builder::new_current_thread().enable_all().build()?;
        let mut interrupts = {
            let _entered = runtime.enter();
            ctrl_c()?
        };
        thread::spawn(move || {
            if runtime.block_on(interrupts.recv()).is_some() {
                let held = super::lock();
                held.remove_all();
                process::exit(INTERRUPTED)
            }
        });
        Ok(())
    }
}
