//! What a number stands for: some were given to one algorithm after another.
//!
//! Where a group's number has several meanings, the server is asked with a key share of each that this side has: whether it
//! takes it, and how long its own is, tells them apart.

use super::hello::Answer;
use super::{Found, OTHER_GROUPS, OTHER_SCHEMES, Pace, Question, Scan};
use crate::error::Error;
use crate::groups::{self, MAX_KEY_SHARE_LEN};
use crate::report::Chain;
use grille_core::SystemRng;
use grille_registry::era::{Entry, Kind};
use grille_registry::{KemRow, Numbers, Profile, Row, SignatureRow};
use std::fmt::Debug;

/// An algorithm that a number stands for in some era.
#[derive(Debug)]
pub struct Meaning<R: 'static> {
    /// The registry's name; of an algorithm that it does not have what releases called it.
    pub name: &'static str,
    /// The algorithm, and the numbers of the first era in which it has this one; `None` if it is none of ours.
    pub known: Option<(&'static R, Numbers)>,
    /// Whether a quantum computer breaks it.
    pub is_classical: bool,
}

impl<R> Clone for Meaning<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Meaning<R> {}

/// A group that the server has.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its number.
    pub code: u16,
    /// What it may be, never empty: one algorithm if the number has no other meaning, or a trial told.
    pub meanings: Vec<Meaning<KemRow>>,
}

/// Every algorithm that this number of a group stands for in any era, that of IANA first.
#[must_use]
pub fn meanings_of_group(code: u16) -> Vec<Meaning<KemRow>> {
    every(code, Kind::Group, &OTHER_GROUPS, Numbers::kem_by_group, |entry| entry.kem().map(Row::name))
}

/// Every algorithm that a scheme's number stands for in any era; one, if the certificate's key tells which.
#[must_use]
pub fn meanings_of_scheme(code: u16, chain: &Chain) -> Vec<Meaning<SignatureRow>> {
    let name = |entry: &Entry| entry.signature().map(Row::name);
    let all = every(code, Kind::Scheme, &OTHER_SCHEMES, Numbers::signature_by_scheme, name);
    let key = chain.certificates().next().and_then(|own| Some(own.public_key().ok()?.row().name()));
    let told: Vec<_> = all.iter().filter(|meaning| Some(meaning.name) == key).copied().collect();
    if told.is_empty() { all } else { told }
}

fn every<R: Row>(
    code: u16,
    kind: Kind,
    others: &[(u16, &'static str)],
    find: fn(Numbers, u16) -> Option<&'static R>,
    name: fn(&Entry) -> Option<&'static str>,
) -> Vec<Meaning<R>> {
    let known = Profile::ALL.into_iter().map(Numbers::of).filter_map(|numbers| {
        let row = find(numbers, code)?;
        Some(Meaning { name: row.name(), known: Some((row, numbers)), is_classical: row.category() == 0 })
    });
    let others = others.iter().filter(|(other, _)| *other == code);
    let others = others.map(|(_, name)| Meaning { name, known: None, is_classical: true });
    let entries = Entry::all().iter().filter(|entry| (entry.kind, entry.code) == (kind, code));
    let entries = entries.map(|entry| Meaning {
        name: name(entry).unwrap_or(entry.name),
        known: None,
        is_classical: false,
    });
    let mut meanings: Vec<Meaning<R>> = Vec::new();
    for meaning in known.chain(others).chain(entries) {
        if !meanings.iter().any(|other| other.name == meaning.name) {
            meanings.push(meaning);
        }
    }
    meanings
}

impl Group {
    /// What is known before any trial.
    pub(super) fn new(code: u16) -> Self {
        Self { code, meanings: meanings_of_group(code) }
    }

    /// What it is, if that is certain and this side can use it.
    pub(super) fn usable(&self) -> Option<(&'static KemRow, Numbers)> {
        let [Meaning { known: Some((row, numbers)), .. }] = self.meanings[..] else { return None };
        let is_group = numbers.group(row) == Some(self.code) && groups::group(row, numbers).is_some();
        is_group.then_some((row, numbers))
    }
}

/// What a trial says of an algorithm whose key share was sent.
fn is_left(meaning: &Meaning<KemRow>, (code, tried): (u16, &KemRow), answer: Answer) -> bool {
    let row = meaning.known.map(|(row, _)| row);
    match answer {
        Answer::Taken(group, len) if group == code => {
            row.is_none_or(|row| row.kem.info().ciphertext_len == len)
        }
        // it knows the group, and this is no key share of it
        Answer::Alert(_) => row.is_none_or(|row| row.name() != tried.name()),
        Answer::Taken(..) | Answer::Retry(_) | Answer::OldVersion(_) | Answer::Nothing => true,
    }
}

impl Scan {
    /// Finds out which of its meanings each group has, as far as key shares of those that this side has tell.
    pub(super) fn tell_apart(
        &self,
        schemes: &[u16],
        found: &mut Found,
        pace: &mut Pace,
    ) -> Result<(), Error> {
        for n in 0..found.groups.len() {
            let Group { code, mut meanings } = found.groups[n].clone();
            for meaning in found.groups[n].meanings.clone() {
                let Some((row, _)) = meaning.known else { continue };
                let fits = row.kem.info().encaps_key_len <= MAX_KEY_SHARE_LEN;
                if meanings.len() > 1 && fits && meanings.iter().any(|left| left.name == meaning.name) {
                    meanings = self.trial((code, meanings), row, schemes, found, pace)?;
                }
            }
            found.groups[n].meanings = meanings;
        }
        Ok(())
    }

    /// What is left of the meanings of `code` after a ClientHello with a key share of `row`.
    fn trial(
        &self,
        (code, meanings): (u16, Vec<Meaning<KemRow>>),
        row: &'static KemRow,
        schemes: &[u16],
        found: &mut Found,
        pace: &mut Pace,
    ) -> Result<Vec<Meaning<KemRow>>, Error> {
        let shares = [share(code, row)];
        let question = Question { groups: &[code], schemes, shares: &shares };
        let answer = self.answer(&question, found, pace)?;
        let left = meanings.iter().filter(|meaning| is_left(meaning, (code, row), answer));
        let mut left: Vec<_> = left.copied().collect();
        // a share as long as one of ours: how long those of others are nobody here knows
        if matches!(answer, Answer::Taken(group, _) if group == code)
            && left.iter().any(|meaning| meaning.known.is_some())
        {
            left.retain(|meaning| meaning.known.is_some());
        }
        Ok(if left.is_empty() { meanings } else { left })
    }
}

/// A key share of this group, whose private half nobody keeps.
pub(super) fn share(code: u16, row: &'static KemRow) -> (u16, Vec<u8>) {
    (code, row.kem.generate(&mut SystemRng).encaps_key_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{every_group, every_scheme};

    fn names<R>(meanings: &[Meaning<R>]) -> Vec<&'static str> {
        meanings.iter().map(|meaning| meaning.name).collect()
    }

    #[test]
    fn a_number_of_several_eras_has_a_meaning_of_each() {
        assert_eq!(names(&meanings_of_group(0x0200)), ["ML-KEM-512", "frodo640aes"]);
        let frodo = ["frodo640shake", "p256_frodo640aes", "p256_efrodo640aes"];
        assert_eq!(names(&meanings_of_group(0xFE01)), frodo);
        assert_eq!(names(&meanings_of_group(0x11EC)), ["X25519MLKEM768"]);
        assert_eq!(names(&meanings_of_group(0x0100)), ["ffdhe2048"]);
        let schemes = meanings_of_scheme(0x0912, &Chain::default());
        assert_eq!(names(&schemes).len(), 2, "{schemes:?}");
    }

    #[test]
    fn every_number_means_something_and_what_the_registry_has_can_be_used() {
        for code in every_group() {
            let meanings = meanings_of_group(code);
            assert!(!meanings.is_empty(), "0x{code:04X}");
            for entry in Entry::all().iter().filter(|entry| (entry.kind, entry.code) == (Kind::Group, code)) {
                let known = |row: &KemRow| {
                    meanings.iter().any(|meaning| meaning.name == row.name() && meaning.known.is_some())
                };
                assert!(entry.kem().is_none_or(known), "{entry:?}");
            }
        }
        for code in every_scheme() {
            assert!(!meanings_of_scheme(code, &Chain::default()).is_empty(), "0x{code:04X}");
        }
    }
}
