//! `--profile`: what numbers mean.

use crate::arguments::words;
use crate::error::Error;
use grille_registry::{Numbers, Profile, Row};
use std::path::Path;

/// The option of verbs that read or write object identifiers.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Era {
    /// What object identifiers mean: an era such as oqs111-2021-02, or several that do not contradict each other,
    /// separated by commas.
    #[arg(long, global = true, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    pub(crate) profile: Numbers,
}

/// In which other era an object identifier of a signature algorithm means another one, as advice.
pub(crate) fn elsewhere(oid: &str, numbers: Numbers) -> Option<String> {
    let here = numbers.signature_by_oid(oid)?.name();
    meant_elsewhere(oid, |other| other != here)
}

/// In which era an object identifier means an algorithm that is wanted, as advice.
fn meant_elsewhere(oid: &str, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let there = Profile::ALL.iter().find_map(|profile| {
        let numbers = Numbers::of(*profile);
        let signature = numbers.signature_by_oid(oid).map(Row::name);
        let name = signature.or_else(|| numbers.kem_by_oid(oid).map(Row::name))?;
        wanted(name).then_some((profile.name(), name))
    });
    there.map(|(profile, other)| format!("give --profile {profile}, in which its identifier means {other}"))
}

/// An error about something with one of these object identifiers, with that advice where there is one.
pub(crate) fn perhaps_old(error: Error, oids: impl IntoIterator<Item = String>, numbers: Numbers) -> Error {
    match oids.into_iter().find_map(|oid| elsewhere(&oid, numbers)) {
        Some(elsewhere) => error.advise(format_args!("if it was written long ago, {elsewhere}")),
        None => error,
    }
}

/// In which era one of these object identifiers means something, which means nothing here, as advice.
pub(crate) fn only_elsewhere(oids: impl IntoIterator<Item = String>, numbers: Numbers) -> Option<String> {
    let unknown = |oid: &String| numbers.signature_by_oid(oid).is_none() && numbers.kem_by_oid(oid).is_none();
    oids.into_iter().filter(unknown).find_map(|oid| meant_elsewhere(&oid, |_| true))
}

/// An error about a file with an object identifier that means nothing here: in which era it means something, or who may know.
pub(crate) fn unknown_here(error: Error, path: &Path, oids: Vec<String>, numbers: Numbers) -> Error {
    match only_elsewhere(oids, numbers) {
        Some(elsewhere) => error.advise(elsewhere),
        None => error.advise(format_args!("`grille explain {}` may know it", path.display())),
    }
}

/// The value parser of `--profile`.
pub(crate) fn profiles(list: &str) -> Result<Numbers, String> {
    let profiles: Result<Vec<_>, _> = words(list).map(Profile::by_name).collect();
    Numbers::new(&profiles.map_err(|unknown| unknown.to_string())?).map_err(|collision| collision.to_string())
}
