//! Classical key agreement and signatures (aws-lc-rs) behind grille's traits.
