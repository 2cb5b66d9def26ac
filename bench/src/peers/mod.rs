//! Who has what: each peer answers for an algorithm's name with its operations.

mod aws_lc;
mod grille;
mod libcrux;
mod liboqs;
mod rustcrypto;

use crate::measure::{Case, Contender};
use grille_registry::{KEMS, Row, SIGNATURES};

/// The operations that a library has for an algorithm, each ready to run.
pub type Operations = Vec<(&'static str, Box<dyn FnMut()>)>;

/// A library: its name, and its operations for an algorithm of this canonical name, if it has it.
type Peer = (&'static str, fn(&str) -> Operations);

const PEERS: &[Peer] = &[
    ("liboqs", liboqs::operations),
    ("aws-lc-rs", aws_lc::operations),
    ("libcrux", libcrux::operations),
    ("RustCrypto", rustcrypto::operations),
];

/// Every operation that grille and at least one peer have.
pub fn cases() -> Vec<Case> {
    let names = KEMS.iter().map(Row::name).chain(SIGNATURES.iter().map(Row::name));
    names.flat_map(cases_of).collect()
}

fn cases_of(name: &str) -> Vec<Case> {
    let mut peers: Vec<(&'static str, Operations)> =
        PEERS.iter().map(|(peer, operations)| (*peer, operations(name))).collect();
    if peers.iter().all(|(_, operations)| operations.is_empty()) {
        return Vec::new();
    }
    let case = |(operation, run)| {
        let mut contenders = vec![Contender { peer: "grille", run }];
        for (peer, operations) in &mut peers {
            if let Some(at) = operations.iter().position(|(name, _)| *name == operation) {
                contenders.push(Contender { peer, run: operations.swap_remove(at).1 });
            }
        }
        Case { algorithm: name.to_owned(), operation, contenders }
    };
    grille::operations(name).into_iter().map(case).collect()
}
