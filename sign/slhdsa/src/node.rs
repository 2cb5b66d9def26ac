//! Values of n bytes.

/// A value of n bytes, stored in the first n bytes of the array. The family may use the other bytes.
pub(crate) type Node = [u8; 32];

/// SK.seed without expansion, a secret value of n bytes. Erased on drop.
pub struct SecretNode(pub(crate) Node);

impl SecretNode {
    pub(crate) fn new(bytes: &[u8]) -> Self {
        let mut node = [0; 32];
        node[..bytes.len()].copy_from_slice(bytes);
        Self(node)
    }
}

impl Drop for SecretNode {
    fn drop(&mut self) {
        grille_core::erase(&mut self.0);
    }
}
