//! grille, the command line.
fn main() {}
