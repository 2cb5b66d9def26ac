//! `--profile`: what numbers mean.

use crate::arguments::words;
use grille_registry::{Numbers, Profile};

/// The option of verbs that read or write object identifiers.
#[derive(clap::Args, Clone, Copy)]
pub(crate) struct Era {
    /// What object identifiers mean: an era such as oqs111-2021-02, or several that do not contradict each other,
    /// separated by commas.
    #[arg(long, global = true, value_name = "LIST", value_parser = profiles, default_value = "iana")]
    pub(crate) profile: Numbers,
}

/// The value parser of `--profile`.
pub(crate) fn profiles(list: &str) -> Result<Numbers, String> {
    let profiles: Result<Vec<_>, _> = words(list).map(Profile::by_name).collect();
    Numbers::new(&profiles.map_err(|unknown| unknown.to_string())?).map_err(|collision| collision.to_string())
}
