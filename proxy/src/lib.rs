//! Proxy that adds post-quantum TLS in front of any TCP service, and behind any client.
//!
//! ```
//! use grille_core::SystemRng;
//! use grille_pki::PrivateKey;
//! use grille_pki::issue::{Profile, Template, issue, self_signed};
//! use grille_proxy::{Command, Limits, Log, Options, Proxy, ProxyProtocol, Sides};
//! use grille_registry::Numbers;
//! use grille_tls::{Client, ClientOptions, Identity, ServerOptions};
//! use std::error::Error;
//! use std::io::{Read, Write};
//! use std::net::TcpListener;
//! use std::thread;
//!
//! #[tokio::main]
//! async fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
//!     // a service in the clear
//!     let service = TcpListener::bind("127.0.0.1:0")?;
//!     let to = service.local_addr()?.to_string();
//!     thread::spawn(move || service.accept()?.0.write_all(b"hello"));
//!
//!     let row = grille_registry::signature_by_name("ML-DSA-65")?;
//!     let (root_key, key) = (PrivateKey::generate(row, &mut SystemRng)?, PrivateKey::generate(row, &mut SystemRng)?);
//!     let root = self_signed(&Template::new("CN=root", Profile::Root)?, &root_key, &mut SystemRng)?;
//!     let own = Template::new("CN=proxy", Profile::end_entity(&["localhost"])?)?;
//!     let own = [issue(&own, key.public_key(), &root, &root_key, &mut SystemRng)?];
//!
//!     // a real proxy reads files, so that a reload finds new ones
//!     let load = move || -> Result<Sides, Box<dyn Error + Send + Sync>> {
//!         let inbound = ServerOptions::new(Identity::new(&own, &key)?).into_configs()?;
//!         Ok(Sides { inbound: Some(inbound), outbound: None, certificates: vec![], quantum_safe_only: None })
//!     };
//!     let options = Options {
//!         listen: "127.0.0.1:0".to_owned(),
//!         to,
//!         metrics: None,
//!         proxy_protocol: ProxyProtocol::default(),
//!         key_log: None,
//!         limits: Limits::default(),
//!         numbers: Numbers::default(),
//!     };
//!     let proxy = Proxy::bind(options, load()?, Box::new(load), Log::none()).await?;
//!     let (address, commands) = (proxy.local_addr()?.to_string(), proxy.command_sender());
//!     let running = tokio::spawn(proxy.run());
//!
//!     let client = tokio::task::spawn_blocking(move || {
//!         let client = Client::new(ClientOptions { roots: vec![root], ..ClientOptions::default() })?;
//!         let mut hello = [0; 5];
//!         client.connect(&address, "localhost")?.read_exact(&mut hello)?;
//!         Ok::<_, Box<dyn Error + Send + Sync>>(hello)
//!     });
//!     assert_eq!(client.await??, *b"hello");
//!     commands.send(Command::Stop).await?;
//!     Ok(running.await?)
//! }
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate needs `std`: connections are sockets.
//!
//! # Security
//! rustls implements the protocol on each side: [`Sides`] holds configurations that grille-tls creates, and by
//! default they allow only post-quantum groups. With `inbound: None` clients send plaintext, and with `outbound:
//! None` the service receives plaintext: keep that side on a trusted network.
//!
//! Memory is bounded: a connection has two buffers of 16 KiB plus the records that rustls holds, and the number of
//! connections is limited ([`Limits`]). At the limit of unfinished handshakes, the one that has been silent for the
//! longest time is closed in favour of a new client. [`Options::key_log`] stores secrets that decrypt connections.
//!
//! # Map of the source
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
