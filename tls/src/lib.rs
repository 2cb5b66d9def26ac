//! Quantum-safe TLS 1.3 on rustls, driven by the registry.
#![forbid(unsafe_code)]
pub mod groups;
