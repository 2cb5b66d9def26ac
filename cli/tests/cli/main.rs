//! Tests of the `grille` program from the outside.

mod advice;
mod answers;
mod broken;
mod captures;
mod certificates;
mod conversions;
mod costs;
mod documents;
mod eras;
mod explain;
mod files;
mod keys;
mod low_memory;
#[cfg(feature = "measure-memory")]
mod memory;
mod messages;
mod packaging;
mod proxy;
#[cfg(target_os = "linux")]
mod proxy_limits;
mod purposes;
mod refusals;
mod retired;
mod sandbox;
mod scan;
mod sessions;
#[cfg(target_os = "linux")]
mod signals;
mod spdm;
mod spdm_attest;
mod spdm_bench;
mod spdm_capture;
mod spdm_chains;
mod spdm_connection;
mod spdm_dialect;
mod spdm_dialect_dump;
mod spdm_factory;
mod spdm_faults;
mod spdm_fleet;
mod spdm_hybrid;
mod spdm_perf;
mod spdm_policy;
mod spdm_provisioned_key;
mod spdm_refusals;
mod spdm_requester;
mod spdm_resume;
mod spdm_verdicts;
mod speed;
mod tls;
mod tls_revocation;
#[cfg(target_os = "linux")]
mod warnings;
mod wolfssl;
