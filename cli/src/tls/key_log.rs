//! Logs session secrets for debugging to the file named by the environment variable SSLKEYLOGFILE.

use crate::error::Error;
use crate::files;
use crate::output::Output;
use rustls::{KeyLog, KeyLogFile};
use std::env;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// The destination of session secrets; its text form is a warning.
#[derive(Clone)]
pub(crate) struct KeyLogging {
    pub(crate) path: PathBuf,
    pub(crate) log: Arc<dyn KeyLog>,
}

impl KeyLogging {
    /// Reads the environment variable; `None` if it is not set.
    ///
    /// # Errors
    /// Returns an error if the file cannot be opened. rustls itself would silently continue without it.
    pub(crate) fn from_env() -> Result<Option<Self>, Error> {
        let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else { return Ok(None) };
        let path = PathBuf::from(path);
        files::open_to_append(&path)
            .map_err(|e| e.advise(format_args!("unset {VARIABLE}, or change the file that it names")))?;
        Ok(Some(Self { path, log: Arc::new(KeyLogFile::new()) }))
    }
}

/// Returns the log if the environment requests one, and warns about it.
///
/// # Errors
/// The errors of [`KeyLogging::from_env`].
pub(super) fn key_log(out: &Output) -> Result<Option<Arc<dyn KeyLog>>, Error> {
    let logging = KeyLogging::from_env()?;
    Ok(logging.map(|logging| {
        out.warn(&logging);
        logging.log
    }))
}

impl fmt::Display for KeyLogging {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = self.path.display();
        write!(
            f,
            "session secrets are written to {path} ({VARIABLE}): anyone who can read that file can decrypt the connections"
        )
    }
}

/// The variable that browsers and other TLS libraries use, too.
const VARIABLE: &str = "SSLKEYLOGFILE";
