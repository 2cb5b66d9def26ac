//! Temporary files and folders. They are gone when they are dropped, and also when SIGINT, SIGTERM or SIGHUP ends the program:
//! a private key may be in them.

use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use tempfile::{NamedTempFile, TempDir};

/// A file that has no name of its own yet.
pub(crate) struct File {
    file: NamedTempFile,
    _place: Arc<Path>,
}

impl File {
    /// A new, empty file in `directory`.
    ///
    /// # Errors
    /// The system's; also if signals cannot be handled.
    pub(crate) fn new(builder: &tempfile::Builder<'_, '_>, directory: &Path) -> io::Result<Self> {
        let mut held = hold()?;
        let file = builder.tempfile_in(directory)?;
        let place = held.add(file.path());
        Ok(Self { file, _place: place })
    }

    #[cfg(windows)]
    pub(crate) fn path(&self) -> &Path {
        self.file.path()
    }

    /// Writes all bytes, as far as to the disk.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.write_all(bytes)?;
        self.file.as_file().sync_all()
    }

    /// Gives the file its own name, which then outlives the program. `_held`: no signal ends the program between several files.
    ///
    /// # Errors
    /// The system's; also if the name is taken and `overwrite` is not set.
    pub(crate) fn persist(self, path: &Path, overwrite: bool, _held: &Held) -> io::Result<fs::File> {
        let named = if overwrite { self.file.persist(path) } else { self.file.persist_noclobber(path) };
        named.map_err(|error| error.error)
    }
}

/// A folder, with everything in it.
pub(crate) struct Folder {
    folder: TempDir,
    _place: Arc<Path>,
}

impl Folder {
    /// A new, empty folder among the system's temporary files.
    ///
    /// # Errors
    /// As [`File::new`].
    pub(crate) fn new(prefix: &str) -> io::Result<Self> {
        let mut held = hold()?;
        let folder = tempfile::Builder::new().prefix(prefix).tempdir()?;
        let place = held.add(folder.path());
        Ok(Self { folder, _place: place })
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Removes it now.
    ///
    /// # Errors
    /// The system's.
    pub(crate) fn close(self) -> io::Result<()> {
        self.folder.close()
    }
}

/// What must be removed when a signal ends the program.
static PLACES: Mutex<Vec<Weak<Path>>> = Mutex::new(Vec::new());

/// While this is held no temporary file is made or named elsewhere, and no signal ends the program.
pub(crate) struct Held(MutexGuard<'static, Vec<Weak<Path>>>);

impl Held {
    fn add(&mut self, path: &Path) -> Arc<Path> {
        let place: Arc<Path> = path.into();
        self.0.retain(|place| place.strong_count() > 0);
        self.0.push(Arc::downgrade(&place));
        place
    }

    /// Removes everything; nothing else is left to do with an error here.
    fn remove_all(&self) {
        for place in self.0.iter().rev().filter_map(Weak::upgrade) {
            let _ = if place.is_dir() { fs::remove_dir_all(&place) } else { fs::remove_file(&place) };
        }
    }
}

/// Handles signals from now on, and keeps them off while the result is held.
///
/// # Errors
/// If signals cannot be handled.
pub(crate) fn hold() -> io::Result<Held> {
    static HANDLED: OnceLock<Result<(), (io::ErrorKind, String)>> = OnceLock::new();
    let handled = HANDLED.get_or_init(|| signals::handle().map_err(|e| (e.kind(), e.to_string())));
    handled.clone().map_err(|(kind, reason)| io::Error::new(kind, reason))?;
    Ok(lock())
}

fn lock() -> Held {
    Held(PLACES.lock().unwrap_or_else(PoisonError::into_inner))
}

#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::{fs, io, process, thread};

    /// A thread waits for signals, as a handler itself may do next to nothing.
    pub(super) fn handle() -> io::Result<()> {
        let ignored = ignored();
        // who started the program may have told it to ignore some, as `nohup` does
        let heeded = [SIGINT, SIGTERM, SIGHUP].into_iter().filter(|signal| ignored >> (signal - 1) & 1 == 0);
        let mut signals = Signals::new(heeded)?;
        thread::spawn(move || signals.forever().for_each(end));
        Ok(())
    }

    /// Cleans up, and then dies of the signal, so that a shell sees what happened.
    fn end(signal: i32) {
        let held = super::lock();
        held.remove_all();
        let _ = emulate_default_handler(signal);
        process::exit(128 + signal)
    }

    /// A bit for each signal that is ignored, the lowest for signal 1. Systems without Linux' `/proc` do not say: then SIGHUP,
    /// which `nohup` ignores, is left alone.
    fn ignored() -> u64 {
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

    /// What a program returns that Ctrl-C ended, as the exit code of a shell.
    const INTERRUPTED: i32 = 130;

    /// A thread waits for Ctrl-C.
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
