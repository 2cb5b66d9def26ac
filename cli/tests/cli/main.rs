//! The command line, as a person or a script meets it: one program of tests.

mod advice;
mod answers;
mod broken;
mod captures;
mod certificates;
mod conversions;
mod costs;
mod desk;
mod documents;
mod eras;
mod explain;
mod files;
mod keys;
mod memory;
mod messages;
mod proxy;
#[cfg(target_os = "linux")]
mod proxy_limits;
mod purposes;
mod refusals;
mod retired;
mod scan;
mod sessions;
#[cfg(target_os = "linux")]
mod signals;
mod spdm;
mod spdm_attest;
mod spdm_beforehand;
mod spdm_bench;
mod spdm_capture;
mod spdm_chains;
mod spdm_connection;
mod spdm_factory;
mod spdm_faults;
mod spdm_fleet;
mod spdm_policy;
mod spdm_refusals;
mod spdm_requester;
mod spdm_resume;
mod spdm_verdicts;
mod speed;
mod tls;
#[cfg(target_os = "linux")]
mod warnings;
mod wolfssl;
