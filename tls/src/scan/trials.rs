//! Trials with key shares: which meaning a group has, and which group the server prefers.
//!
//! If a group's number has several meanings, the scan sends a key share of each one that this side supports. Whether
//! the server accepts the share, and the length of its own share, determine the meaning.

use super::exchange::{RateLimit, Scan, ScanFindings};
use super::hello::{Answer, Offer};
use super::meaning::{Group, Meaning};
use super::order::{Order, Trial};
use crate::error::Error;
use crate::groups::MAX_KEY_SHARE_LEN;
use grille_core::SystemRng;
use grille_registry::{KemRow, Row};
use std::cmp::Reverse;

/// Maximum length of a key share in these trials, so that a ClientHello fits into one record.
const MAX_SHARE_LEN: usize = 1 << 13;

/// Returns whether a meaning is still possible after a trial with the key share of `tried`.
fn is_still_possible(meaning: &Meaning<KemRow>, (code, tried): (u16, &KemRow), answer: Answer) -> bool {
    let row = meaning.known.map(|(row, _)| row);
    match answer {
        Answer::Accepted(group, len) if group == code => {
            row.is_none_or(|row| row.kem.info().ciphertext_len == len)
        }
        // the server supports the group, so an alert means that this key share is invalid for it
        Answer::Alert(_) => row.is_none_or(|row| row.name() != tried.name()),
        Answer::Accepted(..) | Answer::Retry(_) | Answer::OldVersion(_) | Answer::Closed => true,
    }
}

impl Scan {
    /// Determines the meanings of the groups by sending key shares of the algorithms that this side supports. A group
    /// may keep several possible meanings.
    pub(super) fn determine_meanings(
        &self,
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<(), Error> {
        for n in 0..found.groups.len() {
            let Group { code, mut meanings } = found.groups[n].clone();
            for meaning in found.groups[n].meanings.clone() {
                let Some((row, _)) = meaning.known else { continue };
                let fits = row.kem.info().encaps_key_len <= MAX_KEY_SHARE_LEN;
                if meanings.len() > 1 && fits && meanings.iter().any(|left| left.name == meaning.name) {
                    meanings = self.trial((code, meanings), row, schemes, found, rate_limit)?;
                }
            }
            found.groups[n].meanings = meanings;
        }
        Ok(())
    }

    /// Returns the remaining meanings of `code` after a ClientHello with a key share of `row`.
    fn trial(
        &self,
        (code, meanings): (u16, Vec<Meaning<KemRow>>),
        row: &'static KemRow,
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Vec<Meaning<KemRow>>, Error> {
        let shares = [generate_share(code, row)];
        let offer = Offer { groups: &[code], schemes, shares: &shares };
        let answer = self.exchange_hello(&offer, found, rate_limit)?;
        let left = meanings.iter().filter(|meaning| is_still_possible(meaning, (code, row), answer));
        let mut left: Vec<_> = left.copied().collect();
        // The server's share has the length of an implemented algorithm. The lengths of unimplemented ones are unknown.
        if matches!(answer, Answer::Accepted(group, _) if group == code)
            && left.iter().any(|meaning| meaning.known.is_some())
        {
            left.retain(|meaning| meaning.known.is_some());
        }
        Ok(if left.is_empty() { meanings } else { left })
    }

    /// Offers two of the server's groups, a classical and a post-quantum one, in four ways. Returns `None` if this side
    /// does not support a group of each kind.
    pub(super) fn order(
        &self,
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Option<Order>, Error> {
        let own = found
            .usable()
            .map(|(code, row, _)| (code, row))
            .filter(|(_, row)| row.kem.info().encaps_key_len <= MAX_SHARE_LEN);
        let (safe, classical): (Vec<_>, Vec<_>) = own.partition(|(_, row)| row.category > 0);
        // the post-quantum group with the best status and, among those, the first that the server selected
        let safe = safe.into_iter().rev().max_by_key(|(_, row)| Reverse(row.status()));
        let (Some(safe), Some(classical)) = (safe, classical.first()) else { return Ok(None) };
        let (safe, classical) = (generate_share(safe.0, safe.1), generate_share(classical.0, classical.1));
        let order = |safe_first| if safe_first { [safe.0, classical.0] } else { [classical.0, safe.0] };
        let both = [safe.clone(), classical.clone()];
        let mut trial = |groups: [u16; 2], shares: &[(u16, Vec<u8>)]| {
            let selected =
                self.select_group(&Offer { groups: &groups, schemes, shares }, found, rate_limit)?;
            Ok::<_, Error>(Trial { groups, shares: shares.iter().map(|(code, _)| *code).collect(), selected })
        };
        let trials = [
            trial(order(true), &both)?,
            trial(order(false), &both)?,
            trial(order(true), &both[1..])?,
            trial(order(false), &both[1..])?,
        ];
        Ok(Some(Order { post_quantum: safe.0, trials }))
    }
}

/// Generates a key share for this group; its private key is discarded.
fn generate_share(code: u16, row: &'static KemRow) -> (u16, Vec<u8>) {
    (code, row.kem.generate(&mut SystemRng).encaps_key_bytes())
}
