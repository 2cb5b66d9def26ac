//! Encap with an encapsulation key that arrives in pieces, so that the memory for one row of T suffices.

use crate::encode::{Encoder, fixed_weight};
use crate::kem::{check_rows, complete};
use crate::params::{Params, code};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::mem::take;
use grille_core::{Bytes, CryptoRng, DynEncapsulated, Error, StreamedEncapsulation};
use grille_hash::Level;

/// Starts Encap: samples the error.
pub(crate) fn begin<P: Params>(rng: &mut dyn CryptoRng) -> Box<dyn StreamedEncapsulation> {
    let level = Level::detect();
    Box::new(Streamed::<P> {
        level,
        encoder: Encoder::new(code::<P>(), fixed_weight::<P>(level, rng)),
        row: Vec::with_capacity(code::<P>().row_len()),
        refused: None,
        ciphertext: P::CiphertextBytes::zeroed(),
    })
}

/// Encap in progress. Its [`Encoder`] is secret and erased on drop.
struct Streamed<P: Params> {
    level: Level,
    encoder: Encoder,
    /// The bytes of a row whose other bytes have not arrived yet. Public.
    row: Vec<u8>,
    /// The error of the first row with bits set after its last bit.
    refused: Option<Error>,
    /// The ciphertext; only the bits of the rows so far are set. Public: with the key, it is what an eavesdropper sees.
    ciphertext: P::CiphertextBytes,
}

impl<P: Params> Streamed<P> {
    /// Returns the number of bytes that have arrived.
    fn arrived(&self) -> usize {
        self.encoder.row() * code::<P>().row_len() + self.row.len()
    }

    /// Returns the error if a row was refused.
    fn check_refused(&self) -> Result<(), Error> {
        self.refused.map_or(Ok(()), Err)
    }

    /// Checks and encodes whole rows.
    fn absorb(&mut self, rows: &[u8]) -> Result<(), Error> {
        self.refused = check_rows::<P>(rows).err();
        self.check_refused()?;
        self.encoder.encode(self.level, rows, self.ciphertext.as_mut());
        Ok(())
    }
}

impl<P: Params> StreamedEncapsulation for Streamed<P> {
    fn missing(&self) -> usize {
        P::ENCAPS_KEY_LEN - self.arrived()
    }

    fn update(&mut self, piece: &[u8]) -> Result<(), Error> {
        self.check_refused()?;
        let arrived = self.arrived() + piece.len();
        if arrived > P::ENCAPS_KEY_LEN {
            return Error::check_len("encapsulation key", P::ENCAPS_KEY_LEN, arrived);
        }
        let row_len = code::<P>().row_len();
        let mut piece = piece;
        if !self.row.is_empty() {
            let (start, rest) = piece.split_at(piece.len().min(row_len - self.row.len()));
            self.row.extend_from_slice(start);
            if self.row.len() < row_len {
                return Ok(());
            }
            let row = take(&mut self.row);
            self.absorb(&row)?;
            self.row = row;
            self.row.clear();
            piece = rest;
        }
        let (rows, rest) = piece.split_at(piece.len() - piece.len() % row_len);
        self.absorb(rows)?;
        self.row.extend_from_slice(rest);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<DynEncapsulated, Error> {
        self.check_refused()?;
        Error::check_len("encapsulation key", P::ENCAPS_KEY_LEN, self.arrived())?;
        Ok(DynEncapsulated::from(&complete::<P>(self.level, self.encoder.error(), self.ciphertext)))
    }
}
