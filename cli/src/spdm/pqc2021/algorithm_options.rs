//! The algorithm options of openspdm-pqc's programs.

use crate::algorithm::refuse_broken;
use crate::error::Error;
use clap::ValueEnum;
use grille_spdm_engine::pqc2021::{
    Algorithms, Form, KEMS, Kem, Options, PublicKeyMode, SIGNATURES, Set, Signature, kem_row, signature_row,
};

/// The post-quantum algorithms of the dialect. A list is separated by commas; NONE is the empty list.
#[derive(Clone, Default, clap::Args)]
#[group(id = "dialect_algorithms", multiple = true)]
pub(crate) struct AlgorithmOptions {
    /// Dialect: use these post-quantum signatures of the responder, such as DILITHIUM_3 [default: the algorithms
    /// of the provisioned keys; NONE if --pqc-kem-auth is given].
    #[arg(long = "pqc-sig", alias = "pqc_sig", value_name = "LIST")]
    pqc_sig: Option<String>,
    /// Dialect: use these post-quantum signatures of the requester [default: the algorithms of the provisioned
    /// keys; NONE if --pqc-req-kem-auth is given].
    #[arg(long = "pqc-req-sig", alias = "pqc_req_sig", value_name = "LIST")]
    pqc_req_sig: Option<String>,
    /// Dialect: use these KEMs in the key exchange, such as KYBER_768 [default: NONE].
    #[arg(long = "pqc-kem", alias = "pqc_kem", value_name = "LIST")]
    pqc_kem: Option<String>,
    /// Dialect: authenticate the responder with these KEMs [default: the algorithms of the provisioned keys;
    /// NONE if --pqc-sig is given].
    #[arg(long = "pqc-kem-auth", alias = "pqc_kem_auth", value_name = "LIST")]
    pqc_kem_auth: Option<String>,
    /// Dialect: authenticate the requester with these KEMs; needs --pqc-kem-auth [default: the algorithms
    /// of the provisioned keys; NONE if --pqc-req-sig is given].
    #[arg(long = "pqc-req-kem-auth", alias = "pqc_req_kem_auth", value_name = "LIST")]
    pqc_req_kem_auth: Option<String>,
    /// Dialect: provision post-quantum public keys (RAW), or take them from hybrid certificates (CERT) [default: RAW].
    #[arg(long = "pqc-pub-key-mode", alias = "pqc_pub_key_mode", value_name = "MODE")]
    pqc_pub_key_mode: Option<KeyMode>,
    /// Dialect: negotiate the seven tables of openspdm-pqc, which has no KEM authentication, or the nine of
    /// openspdm-pqc-kem [default: 9]. A responder with 9 also accepts 7.
    #[arg(long = "pqc-tables", alias = "pqc_tables", value_name = "COUNT", hide_possible_values = true)]
    pqc_tables: Option<TableCount>,
    /// Dialect: use SPHINCS+ of round 3 instead of round 2. openspdm-pqc supports only round 2.
    #[arg(long = "sphincs-round3", alias = "sphincs_round3")]
    sphincs_round3: bool,
}

/// Values of --pqc-pub-key-mode.
#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "SCREAMING_SNAKE_CASE")]
enum KeyMode {
    Raw,
    Cert,
}

/// Values of --pqc-tables.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum TableCount {
    #[value(name = "7")]
    Seven,
    #[value(name = "9")]
    Nine,
}

/// The algorithms that the options name; `None` for each option that is not given.
#[derive(Clone, Copy, Default)]
pub(crate) struct NamedSets {
    pub(crate) signature: Option<Set>,
    pub(crate) req_signature: Option<Set>,
    pub(crate) kem: Option<Set>,
    pub(crate) kem_auth: Option<Set>,
    pub(crate) req_kem_auth: Option<Set>,
}

impl AlgorithmOptions {
    /// Returns the name of the first option that is given; `None` if no option is given.
    pub(crate) fn named_option(&self) -> Option<&'static str> {
        [
            (self.pqc_sig.is_some(), "--pqc-sig"),
            (self.pqc_req_sig.is_some(), "--pqc-req-sig"),
            (self.pqc_kem.is_some(), "--pqc-kem"),
            (self.pqc_kem_auth.is_some(), "--pqc-kem-auth"),
            (self.pqc_req_kem_auth.is_some(), "--pqc-req-kem-auth"),
            (self.pqc_pub_key_mode.is_some(), "--pqc-pub-key-mode"),
            (self.pqc_tables.is_some(), "--pqc-tables"),
            (self.sphincs_round3, "--sphincs-round3"),
        ]
        .into_iter()
        .find_map(|(given, option)| given.then_some(option))
    }

    /// Returns whether the options name KEM authentication of either side.
    pub(crate) const fn has_kem_auth(&self) -> bool {
        self.pqc_kem_auth.is_some() || self.pqc_req_kem_auth.is_some()
    }

    /// Parses the algorithms that the options name.
    ///
    /// # Errors
    /// Returns an error if a name is unknown, an algorithm is broken and `--allow-broken` is missing, or KEM
    /// authentication is named with seven tables.
    pub(crate) fn named(&self) -> Result<NamedSets, Error> {
        let named = NamedSets {
            signature: set("--pqc-sig", self.pqc_sig.as_deref(), signature)?,
            req_signature: set("--pqc-req-sig", self.pqc_req_sig.as_deref(), signature)?,
            kem: set("--pqc-kem", self.pqc_kem.as_deref(), kem)?,
            kem_auth: set("--pqc-kem-auth", self.pqc_kem_auth.as_deref(), kem)?,
            req_kem_auth: set("--pqc-req-kem-auth", self.pqc_req_kem_auth.as_deref(), kem)?,
        };
        if self.has_seven_tables() {
            check_seven_tables(&named)?;
        }
        Ok(named)
    }

    /// Returns the engine's options with these algorithms.
    pub(crate) fn with(&self, algorithms: Algorithms) -> Options {
        let (public_keys, sphincs_round3) = (self.mode(), self.sphincs_round3);
        let form = if self.has_seven_tables() { Form::Plain } else { Form::KemAuthentication };
        Options { algorithms, public_keys, sphincs_round3, form, ..Options::default() }
    }

    /// Returns where post-quantum public keys come from: provisioning or certificates.
    pub(crate) const fn mode(&self) -> PublicKeyMode {
        match self.pqc_pub_key_mode {
            Some(KeyMode::Cert) => PublicKeyMode::Certificate,
            Some(KeyMode::Raw) | None => PublicKeyMode::Raw,
        }
    }

    /// Returns whether seven tables are negotiated, which have no KEM authentication.
    pub(crate) fn has_seven_tables(&self) -> bool {
        self.pqc_tables == Some(TableCount::Seven)
    }

    /// Returns whether SPHINCS+ means round 3 instead of round 2.
    pub(crate) const fn is_sphincs_round3(&self) -> bool {
        self.sphincs_round3
    }
}

impl NamedSets {
    /// Returns the algorithms; for an option that is not given, the set is empty.
    pub(crate) fn algorithms(&self) -> Algorithms {
        Algorithms {
            signature: self.signature.unwrap_or_default(),
            req_signature: self.req_signature.unwrap_or_default(),
            kem: self.kem.unwrap_or_default(),
            kem_auth: self.kem_auth.unwrap_or_default(),
            req_kem_auth: self.req_kem_auth.unwrap_or_default(),
        }
    }
}

/// Checks that no algorithm of KEM authentication is named, because seven tables cannot negotiate one.
///
/// # Errors
/// Returns an error that names the option.
fn check_seven_tables(named: &NamedSets) -> Result<(), Error> {
    let has_algorithms = |set: Option<Set>| set.is_some_and(|set| !set.is_empty());
    [(named.kem_auth, "--pqc-kem-auth"), (named.req_kem_auth, "--pqc-req-kem-auth")]
        .into_iter()
        .find(|(set, _)| has_algorithms(*set))
        .map_or(Ok(()), |(_, option)| {
            Err(Error::usage("the seven tables of openspdm-pqc have no KEM authentication")
                .with_place(option)
                .advise("use --pqc-tables 9, or authenticate with signatures (--pqc-sig, --pqc-req-sig)"))
        })
}

/// Checks that the requester uses KEM authentication only if the responder does.
///
/// # Errors
/// Returns an error that names the option.
pub(crate) fn check_kem_auth(algorithms: &Algorithms) -> Result<(), Error> {
    if algorithms.req_kem_auth.is_empty() || !algorithms.kem_auth.is_empty() {
        return Ok(());
    }
    Err(Error::usage("needs --pqc-kem-auth").with_place("--pqc-req-kem-auth"))
}

/// Parses the signatures of `--sig` and the KEMs of `--kem`.
///
/// # Errors
/// Returns an error if a name is unknown, or an algorithm is broken and `--allow-broken` is missing.
pub(crate) fn parse_sets(signatures: Option<&str>, kems: Option<&str>) -> Result<[Set; 2], Error> {
    let [signatures, kems] = [set("--sig", signatures, signature)?, set("--kem", kems, kem)?];
    Ok([signatures, kems].map(Option::unwrap_or_default))
}

/// Splits a set into sets of one algorithm each.
pub(crate) fn single(set: Set) -> impl Iterator<Item = Set> {
    (0..96).map(Set::from_bit).filter(move |bit| set.contains(*bit))
}

/// Parses names separated by commas; returns `None` if `names` is `None`. Errors name `option` as their place.
fn set(option: &str, names: Option<&str>, one: fn(&str) -> Result<Set, Error>) -> Result<Option<Set>, Error> {
    let Some(names) = names else { return Ok(None) };
    let names = names.split(',').filter(|name| !name.eq_ignore_ascii_case("NONE"));
    let set = names.into_iter().try_fold(Set::NONE, |all, name| {
        let set = one(name).map_err(|error| error.with_place(option))?;
        Ok(all.union(set))
    });
    set.map(Some)
}

fn signature(name: &str) -> Result<Set, Error> {
    let row = Signature::by_name(name)
        .ok_or_else(|| unknown(name, SIGNATURES.iter().map(|row| row.option).collect()))?;
    match signature_row(row, false) {
        Some(_) => Ok(row.set()),
        None => Err(not_implemented(row.name)),
    }
}

fn kem(name: &str) -> Result<Set, Error> {
    let row = Kem::by_name(name).ok_or_else(|| unknown(name, KEMS.iter().map(|row| row.option).collect()))?;
    let known = kem_row(row).ok_or_else(|| not_implemented(row.name))?;
    refuse_broken(known).map_err(Error::usage)?;
    Ok(row.set())
}

fn unknown(name: &str, mut known: Vec<&str>) -> Error {
    known.push("NONE");
    Error::usage(format_args!("unknown algorithm {name}"))
        .advise(format_args!("choose from {}", known.join(", ")))
}

/// Returns the error for an algorithm that grille does not implement.
pub(super) fn not_implemented(name: &str) -> Error {
    Error::usage(format_args!("{name} is not implemented in grille"))
        .advise("choose another algorithm of the same family")
}
