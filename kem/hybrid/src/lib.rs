//! KEMs made of a classical and a post-quantum part.
