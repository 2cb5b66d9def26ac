//! Scan of a server: supported groups in every era, signature schemes, and certificates.
//!
//! Groups are offered in batches, with a ClientHello without key shares. The server selects one group in a
//! HelloRetryRequest; the scan then offers the remaining groups, until the server refuses. This takes one connection
//! per supported group and one per batch. If a number has several meanings, further connections, one per meaning,
//! determine the right one. Four more connections determine whether the server prefers post-quantum groups. Signatures
//! are encrypted, so they need complete handshakes, one per supported scheme and one per batch, in one of the groups
//! found. If no handshake yields a signature in that group, the scan tries another one, up to three groups in total.

mod codes;
mod exchange;
pub mod hello;
mod meaning;
mod order;
mod signatures;
mod trials;

use crate::error::Error;
use exchange::RateLimit;
use hello::Offer;
use std::io;

pub use codes::{OTHER_GROUPS, OTHER_SCHEMES, all_groups, all_schemes};
pub use exchange::{Scan, ScanFindings};
pub use meaning::{Group, Meaning, group_meanings, meanings_of_scheme};
pub use order::{Order, Preference, Trial};

impl Scan {
    /// Runs the whole scan.
    ///
    /// `progress` is called with the number of groups and schemes scanned so far, and their total.
    ///
    /// # Errors
    /// Returns [`Error::Io`] if the server cannot be reached, does not answer in time, does not use TLS, or the scan
    /// exceeds its time limit.
    pub fn run(&self, mut progress: impl FnMut(usize, usize)) -> Result<ScanFindings, Error> {
        let (groups, schemes) = (all_groups(), all_schemes());
        let all = groups.len() + schemes.len();
        let (mut found, mut rate_limit) = (ScanFindings::default(), RateLimit::new(self.interval));
        for (n, batch) in groups.chunks(self.batch.get()).enumerate() {
            progress(n * self.batch.get(), all);
            self.scan_group_batch(batch, &schemes, &mut found, &mut rate_limit)?;
            if found.old_version.is_some() {
                return Ok(found);
            }
        }
        if !found.answered {
            let silence = "the server closes every connection without an answer; is it a TLS server?";
            return Err(self.error(io::Error::new(io::ErrorKind::InvalidData, silence)));
        }
        self.determine_meanings(&schemes, &mut found, &mut rate_limit)?;
        found.preferred = self.find_preferred(&schemes, &mut found, &mut rate_limit)?;
        found.order = self.order(&schemes, &mut found, &mut rate_limit)?;
        self.signatures(&schemes, &mut found, &mut rate_limit, |done| progress(groups.len() + done, all))?;
        Ok(found)
    }

    /// Scans the groups of one batch.
    fn scan_group_batch(
        &self,
        batch: &[u16],
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<(), Error> {
        let mut rest = batch.to_vec();
        while !rest.is_empty() {
            let Some(group) = self.select_group(&Offer::without_shares(&rest, schemes), found, rate_limit)?
            else {
                return Ok(());
            };
            rest.retain(|code| *code != group);
            found.groups.push(Group::new(group));
        }
        Ok(())
    }

    /// Offers all groups of the server in two opposite orders. Returns the selected group if the server selects it both
    /// times.
    fn find_preferred(
        &self,
        schemes: &[u16],
        found: &mut ScanFindings,
        rate_limit: &mut RateLimit,
    ) -> Result<Option<u16>, Error> {
        let mut groups = found.codes();
        if groups.len() < 2 {
            return Ok(groups.pop());
        }
        let forwards = self.select_group(&Offer::without_shares(&groups, schemes), found, rate_limit)?;
        groups.reverse();
        let backwards = self.select_group(&Offer::without_shares(&groups, schemes), found, rate_limit)?;
        Ok(forwards.filter(|_| forwards == backwards))
    }
}
