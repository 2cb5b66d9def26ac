//! Meanings of codepoints, some of which were assigned to several algorithms over time.

use super::codes::{OTHER_GROUPS, OTHER_SCHEMES};
use crate::groups;
use crate::report::Chain;
use grille_registry::era::{Entry, Kind};
use grille_registry::{KemRow, Numbers, Profile, Row, SignatureRow};
use std::fmt::Debug;

/// One meaning of a codepoint in some era.
#[derive(Debug)]
pub struct Meaning<R: 'static> {
    /// The registry's name of the algorithm, or else its name in the releases that had it.
    pub name: &'static str,
    /// The algorithm, with the numbers of the first era in which it has this codepoint; `None` if it is not
    /// implemented here.
    pub known: Option<(&'static R, Numbers)>,
    /// Whether the algorithm is classical, so that a quantum computer breaks it.
    pub is_classical: bool,
}

impl<R> Clone for Meaning<R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<R> Copy for Meaning<R> {}

/// A group that the server supports.
#[derive(Clone, Debug)]
pub struct Group {
    /// Codepoint of the group.
    pub code: u16,
    /// Possible meanings, never empty. There is a single one if the number has no other meaning, or if a trial
    /// determined it.
    pub meanings: Vec<Meaning<KemRow>>,
}

/// Returns every algorithm that this group number means in any era, IANA's first.
#[must_use]
pub fn group_meanings(code: u16) -> Vec<Meaning<KemRow>> {
    all_meanings(code, Kind::Group, &OTHER_GROUPS, Numbers::kem_by_group, |entry| entry.kem().map(Row::name))
}

/// Returns every algorithm that this signature scheme means in any era, or a single one if the certificate's key
/// determines it.
#[must_use]
pub fn meanings_of_scheme(code: u16, chain: &Chain) -> Vec<Meaning<SignatureRow>> {
    let name = |entry: &Entry| entry.signature().map(Row::name);
    let all = all_meanings(code, Kind::Scheme, &OTHER_SCHEMES, Numbers::signature_by_scheme, name);
    let key = chain.certificates().next().and_then(|own| Some(own.public_key().ok()?.row().name()));
    let matching: Vec<_> = all.iter().filter(|meaning| Some(meaning.name) == key).copied().collect();
    if matching.is_empty() { all } else { matching }
}

fn all_meanings<R: Row>(
    code: u16,
    kind: Kind,
    others: &[(u16, &'static str)],
    find: fn(Numbers, u16) -> Option<&'static R>,
    name: fn(&Entry) -> Option<&'static str>,
) -> Vec<Meaning<R>> {
    let known = Profile::ALL.into_iter().map(Numbers::for_profile).filter_map(|numbers| {
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
    /// Creates a group with all its possible meanings.
    pub(super) fn new(code: u16) -> Self {
        Self { code, meanings: group_meanings(code) }
    }

    /// Returns the algorithm, if it is certain and this side supports it.
    pub(super) fn usable(&self) -> Option<(&'static KemRow, Numbers)> {
        let [Meaning { known: Some((row, numbers)), .. }] = self.meanings[..] else { return None };
        let is_group = numbers.group(row) == Some(self.code) && groups::group(row, numbers).is_some();
        is_group.then_some((row, numbers))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{all_groups, all_schemes};

    fn names<R>(meanings: &[Meaning<R>]) -> Vec<&'static str> {
        meanings.iter().map(|meaning| meaning.name).collect()
    }

    #[test]
    fn number_of_several_eras_has_all_their_meanings() {
        assert_eq!(names(&group_meanings(0x0200)), ["ML-KEM-512", "frodo640aes"]);
        let frodo = ["frodo640shake", "p256_frodo640aes", "p256_efrodo640aes"];
        assert_eq!(names(&group_meanings(0xFE01)), frodo);
        assert_eq!(names(&group_meanings(0x11EC)), ["X25519MLKEM768"]);
        assert_eq!(names(&group_meanings(0x0100)), ["ffdhe2048"]);
        let schemes = meanings_of_scheme(0x0912, &Chain::default());
        assert_eq!(names(&schemes).len(), 2, "{schemes:?}");
    }

    #[test]
    fn every_number_has_a_meaning_and_registered_ones_are_usable() {
        for code in all_groups() {
            let meanings = group_meanings(code);
            assert!(!meanings.is_empty(), "0x{code:04X}");
            for entry in Entry::all().iter().filter(|entry| (entry.kind, entry.code) == (Kind::Group, code)) {
                let known = |row: &KemRow| {
                    meanings.iter().any(|meaning| meaning.name == row.name() && meaning.known.is_some())
                };
                assert!(entry.kem().is_none_or(known), "{entry:?}");
            }
        }
        for code in all_schemes() {
            assert!(!meanings_of_scheme(code, &Chain::default()).is_empty(), "0x{code:04X}");
        }
    }
}
