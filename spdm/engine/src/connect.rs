//! Connection establishment: version, capabilities, algorithms.

use crate::connection::ConnectionChange;
use crate::context::Context;
use crate::error::Error;
use crate::operation::{Operation, Parsed, Request};
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

    fn next_request(&mut self, cx: &mut Context) -> Result<Request, Error> {
        let bytes = match self.version {
            None => version::encode_request()?,
            Some(version) if !self.capable => {
                capabilities::encode_request(cx, version, self.wants_algorithms)?
            }
            Some(_) => negotiate::encode_request(cx)?,
        };
        Ok(Request::plain(bytes))
    }

    fn parse(&mut self, cx: &mut Context, request: &[u8], response: &[u8]) -> Result<Parsed<()>, Error> {
        let (change, len) = match (self.version, Code(request[1])) {
            (Some(version), Code::GET_CAPABILITIES) => {
                self.capable = true;
                capabilities::parse_response(cx, version, response)?
            }
            (Some(_), _) => negotiate::parse_response(cx, response)?,
            (None, _) => {
                let (version, len) = version::parse_response(cx, response)?;
                self.version = Some(version);
                (ConnectionChange::Reset, len)
            }
        };
        let output = matches!(change, ConnectionChange::Negotiated(_)).then_some(());
        Ok(Parsed { change, ..Parsed::plain(len, output) })
    }
}
