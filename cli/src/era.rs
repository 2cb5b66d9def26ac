//! `--profile`: the meaning of object identifiers and codepoints in different years.

use crate::arguments::{GLOBAL_HEADING, words};
use crate::error::Error;
use grille_registry::{Numbers, Profile, Row};
use std::path::Path;

/// The `--profile` option of subcommands that read or write object identifiers.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Era {
    /// Interpret object identifiers as in this profile, such as oqs111-2021-02, or in several that do not contradict
    /// each other, separated by commas.
    #[arg(long, global = true, value_name = "LIST", value_parser = profiles, default_value = "iana", help_heading = GLOBAL_HEADING)]
    pub(crate) profile: Numbers,
}

/// Returns advice with the profile in which a signature algorithm's object identifier names a different algorithm;
/// `None` if there is no such profile.
pub(crate) fn other_meaning(oid: &str, numbers: Numbers) -> Option<String> {
    let current = numbers.signature_by_oid(oid)?.name();
    profile_where(oid, |other| other != current)
}

/// Returns advice with the first profile in which an object identifier names an algorithm that `is_accepted` accepts.
fn profile_where(oid: &str, is_accepted: impl Fn(&str) -> bool) -> Option<String> {
    let profile_name = Profile::ALL.iter().find_map(|profile| {
        let numbers = Numbers::for_profile(*profile);
        let signature = numbers.signature_by_oid(oid).map(Row::name);
        let name = signature.or_else(|| numbers.kem_by_oid(oid).map(Row::name))?;
        is_accepted(name).then_some((profile.name(), name))
    });
    profile_name
        .map(|(profile, other)| format!("give --profile {profile}, where this identifier means {other}"))
}

/// Adds to an error the profile in which one of these object identifiers names a different algorithm, if there is such
/// a profile.
pub(crate) fn with_other_meaning(
    error: Error,
    oids: impl IntoIterator<Item = String>,
    numbers: Numbers,
) -> Error {
    match oids.into_iter().find_map(|oid| other_meaning(&oid, numbers)) {
        Some(advice) => error.advise(format_args!("if the file is old, {advice}")),
        None => error,
    }
}

/// Finds an object identifier in `oids` that is unknown in `numbers`, but known in another profile, and returns advice
/// with that profile.
pub(crate) fn known_profile(oids: impl IntoIterator<Item = String>, numbers: Numbers) -> Option<String> {
    let unknown = |oid: &String| numbers.signature_by_oid(oid).is_none() && numbers.kem_by_oid(oid).is_none();
    oids.into_iter().filter(unknown).find_map(|oid| profile_where(&oid, |_| true))
}

/// To an error about an unknown object identifier, adds the profile that knows it, or a hint to `grille explain`.
pub(crate) fn with_known_profile(error: Error, path: &Path, oids: Vec<String>, numbers: Numbers) -> Error {
    match known_profile(oids, numbers) {
        Some(advice) => error.advise(advice),
        None => error.advise(format_args!("try `grille explain {}`", path.display())),
    }
}

/// Parses `--profile`.
pub(crate) fn profiles(list: &str) -> Result<Numbers, String> {
    let profiles: Result<Vec<_>, _> = words(list).map(Profile::by_name).collect();
    Numbers::new(&profiles.map_err(|unknown| unknown.to_string())?).map_err(|collision| collision.to_string())
}
