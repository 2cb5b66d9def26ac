//! Products of polynomials over GF(2), in constant time.
//!
//! A polynomial is a slice of 64-bit words: bit `i` of word `j` is the coefficient of x^(64·j + i).
//!
//! ```
//! use grille_gf2x::{Level, Scratch, multiply};
//!
//! let mut product = [0; 32];                        // (x + 1)² = x² + 1
//! let mut a = [0; 16];
//! a[0] = 0b11;
//! multiply(Level::detect(), &a, &a, &mut product, &mut Scratch::new(16));
//! assert_eq!(product[0], 0b101);
//! ```
//!
//! # Features
//! None.
//!
//! # Without the standard library
//! The crate is `no_std` and needs an allocator.
//!
//! # Security
//! No branch and no index depends on a coefficient. The portable code multiplies 64-bit integers. It needs a
//! processor whose multiplier takes the same time for all operands.
//!
//! # Memory
//! A product of n by n words needs a [`Scratch`] of at most 8·n words. It holds secrets and is erased on drop.
//!
//! # Map of the source
//!
//! | topic | file |
//! |---|---|
//! | Karatsuba's method | `karatsuba.rs` |
//! | products of 512 bits by 512 bits, with VPCLMULQDQ, PCLMULQDQ or integer multiplications | `backend/` |
//! | reduction modulo xⁿ − 1 | `cyclic.rs` |
//! | squares | `square.rs` |
//! | elements of GF(2)\[x\]/(xⁿ − 1) | `ring.rs` |
//! | vectors from secret supports | `support.rs` |
#![no_std]
#![deny(unsafe_code)]

extern crate alloc;
#[cfg(test)]
extern crate std;

mod backend;
mod cyclic;
mod karatsuba;
mod ring;
mod square;
pub mod support;

pub use backend::{Kernel, at_level};
pub use cyclic::fold;
pub use grille_cpu::Level;
pub use karatsuba::{Scratch, multiply, padded};
pub use ring::{Element, Ring, Workspace};
