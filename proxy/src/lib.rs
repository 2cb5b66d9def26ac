//! Quantum-safe TLS in front of any TCP service, and behind any client.
//!
//! | question | file |
//! |---|---|
//! | who is accepted, how are keys reloaded, how does it end? | [`proxy`] |
//! | what happens to one connection? | `connection` |
//! | how do bytes travel, and what bounds them? | `relay` |
//! | how does a service learn who its client is? | [`header`] |
//! | what is counted, and who can ask? | [`metrics`], `prometheus` |
//! | which signals does it obey? | [`signals`] |
//! | what is said of each event? | [`log`] |
//!
//! What it talks on each side is rustls' business: [`Sides`] holds configurations, which grille-tls makes.
//! Memory is bounded: a connection has two buffers of 16 KiB and what rustls holds of records, and there are only so
//! many connections ([`Limits`]).
#![forbid(unsafe_code)]

mod connection;
pub mod header;
pub mod log;
pub mod metrics;
mod prometheus;
pub mod proxy;
mod relay;
pub mod signals;

pub use log::{Log, Style};
pub use metrics::Metrics;
pub use proxy::{Command, Header, Limits, Load, Options, Proxy, Sides, StartError};
pub use signals::Signals;
