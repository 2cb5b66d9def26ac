//! Session secrets for debugging, in the file that SSLKEYLOGFILE names.

use crate::error::Error;
use crate::files;
use crate::output::Output;
use rustls::{KeyLog, KeyLogFile};
use std::env;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;

/// Where session secrets go; shown as a warning.
#[derive(Clone)]
pub(crate) struct KeyLogging {
    pub(crate) path: PathBuf,
    pub(crate) log: Arc<dyn KeyLog>,
}

impl KeyLogging {
    /// As the environment says; `None` if it says nothing.
    ///
    /// # Errors
    /// If the file cannot be opened; rustls alone would go on without it.
    pub(crate) fn wanted() -> Result<Option<Self>, Error> {
        let Some(path) = env::var_os(VARIABLE).filter(|path| !path.is_empty()) else { return Ok(None) };
        let path = PathBuf::from(path);
        files::open_to_append(&path)
            .map_err(|e| e.advise(format_args!("{VARIABLE} names it: unset that")))?;
        Ok(Some(Self { path, log: Arc::new(KeyLogFile::new()) }))
    }
}

/// The same, and says so.
///
/// # Errors
/// As [`KeyLogging::wanted`].
pub(super) fn key_log(out: &Output) -> Result<Option<Arc<dyn KeyLog>>, Error> {
    let logging = KeyLogging::wanted()?;
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
            "session secrets are written to {path} ({VARIABLE}): whoever reads it can read the connections"
        )
    }
}

/// The name that browsers and other libraries of TLS know, too.
const VARIABLE: &str = "SSLKEYLOGFILE";
