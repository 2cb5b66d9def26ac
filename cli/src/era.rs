//! `--profile`: what numbers mean.

use crate::arguments::words;
use crate::error::Error;
use grille_registry::{Numbers, Profile, Row};

/// The option of verbs that read or write object identifiers.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Era {
    /// What object identifiers mean: an era such as oqs111-2021-02, or several that do not contradict each other,
    /// separated by commas.
    #[arg(long, global = true, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    pub(crate) profile: Numbers,
}

/// In which other era an object identifier means another signature algorithm, as advice.
pub(crate) fn elsewhere(oid: &str, numbers: Numbers) -> Option<String> {
    let here = numbers.signature_by_oid(oid)?;
    let there = Profile::ALL.iter().find_map(|profile| {
        let other = Numbers::of(*profile).signature_by_oid(oid)?;
        (other.name() != here.name()).then_some((profile.name(), other.name()))
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

/// The value parser of `--profile`.
pub(crate) fn profiles(list: &str) -> Result<Numbers, String> {
    let profiles: Result<Vec<_>, _> = words(list).map(Profile::by_name).collect();
    Numbers::new(&profiles.map_err(|unknown| unknown.to_string())?).map_err(|collision| collision.to_string())
}
