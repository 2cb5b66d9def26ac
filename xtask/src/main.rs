//! The checks of this house.
fn main() {}
