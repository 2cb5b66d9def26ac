//! `grille demo`: quantum-safe TLS connections and a device attestation, compared with classical ones.

mod attestation;
mod attestation_display;
mod peers;
mod session;
mod show;
mod table;

use crate::error::Error;
use crate::output::Output;
use crate::spdm::algorithms::Choice as Devices;
use attestation::Attestation;
use session::{Choice, Session};

/// Compare quantum-safe connections and device attestation with classical ones.
///
/// Shows three comparisons: TLS 1.3 with mutual authentication and today's standards (ML-KEM, ML-DSA), the same with
/// the algorithms of an experiment of 2021 (Kyber, Falcon), and the attestation of an emulated device over SPDM 1.4
/// with ML-DSA-87 and ML-KEM-1024. Everything runs on this machine over loopback sockets, and all numbers are measured
/// during the demo. Temporary files are removed.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  grille demo
  grille demo --json | jq .sessions[].client.handshake_bytes")]
pub(crate) struct Args {}

/// A quantum-safe session and its classical equivalent.
struct Comparison {
    title: &'static str,
    quantum_safe: Choice,
    classical: Choice,
}

/// The TLS comparisons of the demo.
const COMPARISONS: [Comparison; 2] = [
    Comparison {
        title: "Today's standards: ML-KEM and ML-DSA",
        quantum_safe: Choice {
            suite: "TLS_AES_256_GCM_SHA384",
            group: "X25519MLKEM768",
            server_root: "ML-DSA-65",
            server: "ML-DSA-65",
            client_root: "ML-DSA-65",
            client: "ML-DSA-65",
        },
        classical: Choice {
            suite: "TLS_AES_256_GCM_SHA384",
            group: "X25519",
            server_root: "ECDSA-P256",
            server: "ECDSA-P256",
            client_root: "ECDSA-P256",
            client: "ECDSA-P256",
        },
    },
    Comparison {
        title: "An experiment of 2021: Kyber and Falcon at two levels",
        quantum_safe: Choice {
            suite: "TLS_AES_256_GCM_SHA384",
            group: "P521_KYBER_LEVEL5",
            server_root: "FALCON_LEVEL1",
            server: "FALCON_LEVEL1",
            client_root: "FALCON_LEVEL5",
            client: "FALCON_LEVEL5",
        },
        classical: Choice {
            suite: "TLS_AES_256_GCM_SHA384",
            group: "secp521r1",
            server_root: "ECDSA-P521",
            server: "ECDSA-P256",
            client_root: "ECDSA-P521",
            client: "ECDSA-P521",
        },
    },
];

/// Runs the demo.
///
/// # Errors
/// Returns an error if a connection or a verification fails.
pub(crate) fn run(_args: &Args, out: &mut Output) -> Result<(), Error> {
    if !out.is_json() {
        show::introduction(out)?;
    }
    let mut sessions = Vec::new();
    for comparison in &COMPARISONS {
        let quantum_safe = Session::fastest(&comparison.quantum_safe)?;
        let classical = Session::fastest(&comparison.classical)?;
        if !out.is_json() {
            show::comparison(out, comparison.title, &quantum_safe, &classical)?;
        }
        sessions.extend([quantum_safe, classical]);
    }
    let (quantum_safe, classical) =
        (Attestation::fastest(&Devices::POST_QUANTUM)?, Attestation::fastest(&Devices::CLASSICAL)?);
    if out.is_json() {
        return out.print(&show::Document::new(&sessions, &[quantum_safe, classical]));
    }
    let title = "Device attestation: SPDM 1.4 with ML-DSA and ML-KEM";
    attestation_display::comparison(out, title, &quantum_safe, &classical)?;
    Ok(show::summary(out)?)
}
