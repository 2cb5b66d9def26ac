//! Connection establishment: version, capabilities, algorithms.

use crate::connection::Then;
use crate::context::Context;
use crate::error::Error;
use crate::flight::{Ask, Operation, Taken};
use crate::{capabilities, negotiate, version};
use grille_spdm_codec::{Code, Version};

/// Starts a new connection. All sessions and transcripts of the previous one end.
#[derive(Debug, Default)]
pub struct Connect {
    wants_algorithms: bool,
    version: Option<Version>,
    capable: bool,
}

impl Connect {
    /// Returns an operation for a new connection.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Also asks for all algorithms that the responder supports (1.3): see
    /// [`Connection::supported_algorithms`](crate::connection::Connection::supported_algorithms).
    #[must_use]
    pub const fn with_algorithms(mut self) -> Self {
        self.wants_algorithms = true;
        self
    }
}

impl Operation for Connect {
    type Output = ();

    fn ask(&mut self, cx: &mut Context) -> Result<Ask, Error> {
        let bytes = match self.version {
            None => version::ask()?,
            Some(version) if !self.capable => capabilities::ask(cx, version, self.wants_algorithms)?,
            Some(_) => negotiate::ask(cx)?,
        };
        Ok(Ask::plain(bytes))
    }

    fn take(&mut self, cx: &mut Context, request: &[u8], response: &[u8]) -> Result<Taken<()>, Error> {
        let (then, len) = match (self.version, Code(request[1])) {
            (Some(version), Code::GET_CAPABILITIES) => {
                self.capable = true;
                capabilities::take(cx, version, response)?
            }
            (Some(_), _) => negotiate::take(cx, response)?,
            (None, _) => {
                let (version, len) = version::take(cx, response)?;
                self.version = Some(version);
                (Then::Reset, len)
            }
        };
        let output = matches!(then, Then::Negotiated(_)).then_some(());
        Ok(Taken { then, ..Taken::plain(len, output) })
    }
}
