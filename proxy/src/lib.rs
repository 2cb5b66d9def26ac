//! Proxy that adds post-quantum TLS in front of any TCP service, and behind any client.
//!
//! | question | file |
//! |---|---|
//! | How are clients accepted, keys reloaded, and the proxy stopped? | [`proxy`] |
//! | Which clients are admitted when a limit is reached? | `admission`; file descriptors, `descriptors` |
//! | What happens to one connection? | `connection`; its first message, `client_hello` |
//! | How are bytes relayed, with backpressure? | `relay` |
//! | How does a service receive the client's address and identity? | [`proxy_protocol`] |
//! | What is counted, and how is it queried? | [`metrics`], `prometheus` |
//! | Which certificates are presented, and when are they valid? | `own_certificate` |
//! | Which signals are handled? | [`signals`] |
//! | What is logged about each event? | [`log`] |
//!
//! The protocol on each side is rustls' task: [`Sides`] holds configurations that grille-tls creates. Memory is
//! bounded: a connection has two buffers of 16 KiB plus the records that rustls holds, and the number of connections
//! is limited ([`Limits`]).
#![forbid(unsafe_code)]

mod admission;
mod client_hello;
mod connection;
mod descriptors;
pub mod log;
pub mod metrics;
mod options;
mod own_certificate;
mod prometheus;
pub mod proxy;
pub mod proxy_protocol;
mod relay;
mod shared;
pub mod signals;

pub use log::{Log, Style};
pub use metrics::Metrics;
pub use own_certificate::{OwnCertificate, Peer};
pub use proxy::{Command, Limits, Loader, Options, Proxy, ProxyProtocol, Sides, StartError};
pub use signals::Signals;
