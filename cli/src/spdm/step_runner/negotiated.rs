//! The negotiation results in the tree that `grille spdm requester` prints.

use crate::spdm::algorithms::version_name;
use crate::spdm::names;
use crate::spdm::pqc2021::description::{authentication_name, key_exchange_name};
use crate::spdm::tree::Node;
use grille_spdm_codec::Version;
use grille_spdm_codec::capabilities::Limits;
use grille_spdm_engine::algorithms::NegotiatedAlgorithms;
use grille_spdm_engine::config::Role;
use grille_spdm_engine::requester::Requester;

/// Returns the lines of the negotiation.
pub(super) fn lines(requester: &Requester) -> Vec<Node> {
    let connection = requester.connection();
    let side = |name: &str, limits: &Limits| {
        let node = Node::new(name, names::bit_names(limits.flags));
        if connection.version() < Version::V1_2 {
            return node;
        }
        let Limits { data_transfer_size, max_message_size, .. } = limits;
        let sizes = format!("{data_transfer_size} bytes per transfer, {max_message_size} per message");
        node.with(Node::new("takes", sizes))
    };
    let version = Node::new("VERSION", version_name(connection.version()));
    let capabilities = Node::new("CAPABILITIES", "")
        .with(side("requester", connection.requester()))
        .with(side("responder", connection.responder()));
    let algorithms = connection.negotiated().map(|negotiated| algorithms(&negotiated.algorithms));
    [version, capabilities].into_iter().chain(algorithms).collect()
}

fn algorithms(chosen: &NegotiatedAlgorithms) -> Node {
    Node::new("ALGORITHMS", "")
        .with(Node::new("hash", chosen.hash.name))
        .with(Node::new("responder signs", authentication_name(chosen, Role::Responder)))
        .with(Node::new("requester signs", authentication_name(chosen, Role::Requester)))
        .with(Node::new("key exchange", key_exchange_name(chosen)))
        .with(Node::new("records", chosen.aead.map_or("none", |aead| aead.name)))
}

/// Returns whether the responder authenticates itself with KEM authentication.
pub(super) fn uses_kem(requester: &Requester) -> bool {
    let negotiated = requester.connection().negotiated();
    let selected = negotiated.and_then(|negotiated| negotiated.algorithms.pqc2021);
    selected.is_some_and(|selected| selected.responder.kem.is_some())
}
