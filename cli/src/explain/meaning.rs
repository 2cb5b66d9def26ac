//! The meanings of a number or a name: rows of the registry, and the names in releases of other projects.

use crate::algorithm::Algorithm;
use crate::output::{BOLD, DIM, Output};
use grille_registry::era::{Entry, Kind, Repurposed};
use grille_registry::lookup::is_named;
use grille_registry::{KeyFormat, Profile};
use serde::Serialize;
use std::io::{self, Write};

/// A question to `explain`.
#[derive(Clone, Copy)]
pub(super) enum Question<'a> {
    /// A TLS codepoint.
    Code(u16),
    /// An object identifier.
    Oid(&'a str),
    /// An algorithm's name.
    Name(&'a str),
}

/// One algorithm under one number; equal meanings in several releases are merged.
#[derive(Serialize)]
pub(super) struct Meaning {
    pub(super) kind: &'static str,
    /// The name in the registry or in the releases.
    pub(super) name: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    tls_code: Option<String>,
    /// The reason why there is no TLS codepoint, if a document gives one.
    #[serde(skip_serializing_if = "Option::is_none")]
    lacks_tls_code: Option<&'static str>,
    oids: Vec<&'static str>,
    /// The object identifiers with their objects and profiles.
    identifiers: Vec<Identifier>,
    /// Whether the number is in the registry: the number of a standard, or the last number of an algorithm without a
    /// standard.
    pub(super) current: bool,
    /// The first and the last release with this meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    releases: Option<[&'static str; 2]>,
    /// The first and the last month of this meaning upstream; empty strings if unknown.
    #[serde(skip_serializing_if = "Option::is_none")]
    months: Option<[&'static str; 2]>,
    /// The version of the algorithm in these releases, if the name does not contain it.
    #[serde(skip_serializing_if = "Option::is_none")]
    version: Option<&'static str>,
    /// The values of `--profile` with this meaning.
    profiles: Vec<&'static str>,
    /// The algorithm in the registry; absent if it is not implemented.
    #[serde(skip_serializing_if = "Option::is_none")]
    algorithm: Option<AlgorithmData>,
    #[serde(skip)]
    span: Option<Entry>,
}

/// An object identifier of an algorithm.
#[derive(Clone, PartialEq, Eq, Serialize)]
struct Identifier {
    oid: &'static str,
    /// The objects with this identifier, such as keys.
    #[serde(rename = "of")]
    object: &'static str,
    /// The profiles in which the identifier has this meaning.
    profiles: Vec<&'static str>,
}

/// The registry's data about an algorithm.
#[derive(Clone, Serialize)]
struct AlgorithmData {
    name: &'static str,
    spec: &'static str,
    status: &'static str,
    category: u8,
    /// The publication of an attack.
    #[serde(skip_serializing_if = "Option::is_none")]
    attack: Option<&'static str>,
    public_key_len: usize,
    private_key_len: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    ciphertext_len: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared_secret_len: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    signature_len: Option<usize>,
}

/// Returns every meaning: first those of the registry, then those of releases, the oldest first, then those of
/// repurposed identifiers.
pub(super) fn find_meanings(question: Question<'_>) -> Vec<Meaning> {
    let rows = Algorithm::all().filter(|algorithm| row_matches(question, *algorithm));
    let mut meanings: Vec<Meaning> = rows.map(Meaning::from_row).collect();
    let mut entries: Vec<&Entry> =
        Entry::all().iter().filter(|entry| matches_question(question, entry)).collect();
    entries.sort_by_key(|entry| entry.since);
    for entry in entries {
        let new = Meaning::from_entry(entry);
        match meanings.iter_mut().find(|known| known.has_same_meaning(&new)) {
            Some(known) => known.merge(&new),
            None => meanings.push(new),
        }
    }
    let repurposed = Repurposed::all().iter().filter(|repurposed| repurposed_matches(question, repurposed));
    meanings.extend(repurposed.map(Meaning::from_repurposed));
    meanings
}

fn repurposed_matches(question: Question<'_>, repurposed: &Repurposed) -> bool {
    match question {
        Question::Code(_) => false,
        Question::Oid(oid) => repurposed.oid == oid,
        Question::Name(name) => {
            repurposed.name.eq_ignore_ascii_case(name) || is_named(repurposed.signature(), name)
        }
    }
}

fn row_matches(question: Question<'_>, algorithm: Algorithm) -> bool {
    let row = algorithm.row();
    match question {
        Question::Code(code) => row.tls_code() == Some(code),
        Question::Oid(oid) => identifiers(algorithm).any(|(own, _)| own == oid),
        Question::Name(name) => is_named(row, name),
    }
}

/// Returns the registry's object identifiers of an algorithm, each with its objects.
fn identifiers(algorithm: Algorithm) -> impl Iterator<Item = (&'static str, &'static str)> {
    let own = algorithm.row().oid();
    let [own, key, curve] = match algorithm {
        Algorithm::Kem(_) => [own.map(|oid| (oid, KEYS)), None, None],
        Algorithm::Signature(row) => match row.key_format {
            KeyFormat::Native { spki_oid, .. } if own == Some(spki_oid) => {
                [own.map(|oid| (oid, KEYS_AND_SIGNATURES)), None, None]
            }
            KeyFormat::Native { spki_oid, curve_oid, .. } => [
                own.map(|oid| (oid, "signatures")),
                Some((spki_oid, KEYS)),
                curve_oid.map(|oid| (oid, "the keys' curve")),
            ],
            KeyFormat::SeedOrExpanded | KeyFormat::Raw | KeyFormat::OqsConcatenated => {
                [own.map(|oid| (oid, KEYS_AND_SIGNATURES)), None, None]
            }
        },
    };
    [own, key, curve].into_iter().flatten()
}

const KEYS: &str = "keys";
const KEYS_AND_SIGNATURES: &str = "keys and signatures";

/// Returns whether a release's entry answers the question. A name matches all entries of its algorithm, under any name.
fn matches_question(question: Question<'_>, entry: &Entry) -> bool {
    match question {
        Question::Code(code) => entry.code == code,
        Question::Oid(oid) => entry.oid == oid,
        Question::Name(name) => {
            entry.name.eq_ignore_ascii_case(name)
                || algorithm(entry).is_some_and(|own| is_named(own.row(), name))
        }
    }
}

fn algorithm(entry: &Entry) -> Option<Algorithm> {
    entry.kem().map(Algorithm::Kem).or_else(|| entry.signature().map(Algorithm::Signature))
}

impl Meaning {
    fn from_row(algorithm: Algorithm) -> Self {
        let row = algorithm.row();
        let profiles = match row.category() {
            0 => Profile::ALL.map(Profile::name).to_vec(),
            _ => vec![Profile::Iana.name()],
        };
        let identifier = |(oid, object)| Identifier { oid, object, profiles: profiles.clone() };
        Self {
            kind: match algorithm {
                Algorithm::Kem(_) => GROUP,
                Algorithm::Signature(_) => SCHEME,
            },
            name: row.name(),
            tls_code: row.tls_code().map(hexadecimal),
            lacks_tls_code: match algorithm {
                Algorithm::Kem(row) => row.missing_tls_group_reason(),
                Algorithm::Signature(row) => row.missing_tls_scheme_reason(),
            },
            oids: identifiers(algorithm).map(|(oid, _)| oid).collect(),
            identifiers: identifiers(algorithm).map(identifier).collect(),
            current: true,
            releases: None,
            months: None,
            version: None,
            profiles,
            algorithm: Some(AlgorithmData::new(algorithm)),
            span: None,
        }
    }

    fn from_entry(entry: &Entry) -> Self {
        let has = |profile: &Profile| profile.includes(entry);
        let profiles: Vec<_> = Profile::ALL.into_iter().filter(has).map(Profile::name).collect();
        let oid = Some(entry.oid).filter(|oid| !oid.is_empty());
        let object = if entry.kind == Kind::Group { KEYS } else { KEYS_AND_SIGNATURES };
        let known = !entry.first_month.is_empty() || !entry.last_month.is_empty();
        Self {
            kind: match entry.kind {
                Kind::Group => GROUP,
                Kind::Scheme => SCHEME,
            },
            name: entry.name,
            tls_code: Some(hexadecimal(entry.code)),
            lacks_tls_code: None,
            oids: oid.into_iter().collect(),
            identifiers: oid
                .map(|oid| Identifier { oid, object, profiles: profiles.clone() })
                .into_iter()
                .collect(),
            current: false,
            releases: Some([entry.since.name(), entry.until.name()]),
            months: known.then_some([entry.first_month, entry.last_month]),
            version: entry.version(),
            profiles,
            algorithm: algorithm(entry).map(AlgorithmData::new),
            span: Some(*entry),
        }
    }

    fn from_repurposed(repurposed: &Repurposed) -> Self {
        Self {
            kind: CERTIFICATE_SIGNATURE,
            name: repurposed.name,
            tls_code: None,
            lacks_tls_code: None,
            oids: vec![repurposed.oid],
            identifiers: vec![Identifier {
                oid: repurposed.oid,
                object: KEYS_AND_SIGNATURES,
                profiles: Vec::new(),
            }],
            current: false,
            releases: Some([repurposed.releases, repurposed.releases]),
            months: None,
            version: None,
            profiles: Vec::new(),
            algorithm: Some(AlgorithmData::new(Algorithm::Signature(repurposed.signature()))),
            span: None,
        }
    }

    /// Returns whether the algorithm is believed to withstand a quantum computer.
    pub(super) fn is_quantum_safe(&self) -> bool {
        let broken = BROKEN.iter().any(|name| self.name.contains(name));
        // algorithms that are not implemented here come from releases, which listed no classical ones
        !broken && self.algorithm.as_ref().is_none_or(|facts| facts.category > 0)
    }

    /// Returns whether two meanings assign the same algorithm to the same number.
    fn has_same_meaning(&self, other: &Self) -> bool {
        let names = |meaning: &Self| meaning.algorithm.as_ref().map_or(meaning.name, |facts| facts.name);
        self.kind == other.kind
            && self.tls_code == other.tls_code
            && names(self) == names(other)
            && (self.current || self.version == other.version)
    }

    /// Merges `other`, which is from a later release.
    fn merge(&mut self, other: &Self) {
        add(&mut self.oids, &other.oids);
        for new in &other.identifiers {
            match self.identifiers.iter_mut().find(|known| known.oid == new.oid) {
                Some(known) => add(&mut known.profiles, &new.profiles),
                None => self.identifiers.push(new.clone()),
            }
        }
        add(&mut self.profiles, &other.profiles);
        self.version = self.version.or(other.version);
        self.months = self.months.or(other.months);
        self.span = match (self.span, other.span) {
            (Some(own), Some(new)) => Some(Entry { until: own.until.max(new.until), ..own }),
            (own, new) => own.or(new),
        };
        self.releases = self.span.map(|span| [span.since.name(), span.until.name()]);
    }

    /// Prints the meaning in a few lines, each indented by `margin`.
    pub(super) fn write_text(&self, out: &mut Output, margin: &str) -> io::Result<()> {
        let number = self.tls_code.as_deref().unwrap_or("no TLS code");
        writeln!(out, "{margin}{BOLD}{}{BOLD:#} {DIM}{} {number}{DIM:#}", self.name, self.kind)?;
        match &self.algorithm {
            Some(facts) => facts.write_text(out, margin, self.name)?,
            None => writeln!(out, "{margin}  not implemented in grille")?,
        }
        if let Some(reason) = self.lacks_tls_code {
            writeln!(out, "{margin}  no TLS code: {reason}")?;
        }
        if let (Some(version), None) = (self.version, &self.algorithm) {
            writeln!(out, "{margin}  version: {version}")?;
        }
        if let Some([since, until]) = self.releases {
            let until = if since == until { String::new() } else { format!(" to {until}") };
            writeln!(out, "{margin}  in {since}{until}{}", self.format_months())?;
        }
        for identifier in &self.identifiers {
            writeln!(out, "{margin}  {DIM}OID{DIM:#} {}", identifier.format(&self.profiles))?;
        }
        match self.profiles.is_empty() {
            true => Ok(()),
            false => writeln!(out, "{margin}  {DIM}--profile{DIM:#} {}", self.profiles.join(", ")),
        }
    }

    /// Formats the months, such as `, 2021-07 to 2024-12`, as far as they are known.
    fn format_months(&self) -> String {
        match self.months {
            Some(["", last]) => format!(", until {last}"),
            Some([first, ""]) => format!(", since {first}"),
            Some([first, last]) if first == last => format!(", {first}"),
            Some([first, last]) => format!(", {first} to {last}"),
            None => String::new(),
        }
    }
}

impl Identifier {
    /// Formats the identifier as `1.3.9999.3.7 of keys and signatures in provider-0.5`. Leaves out the profiles if
    /// there are none, or if there are as many as in `all`.
    fn format(&self, all: &[&str]) -> String {
        let Self { oid, object, profiles } = self;
        let omit = profiles.is_empty() || profiles.len() == all.len();
        let profiles = if omit { String::new() } else { format!(" in {}", profiles.join(", ")) };
        format!("{oid} of {object}{profiles}")
    }
}

/// Adds the elements that are not in the list yet.
fn add(known: &mut Vec<&'static str>, more: &[&'static str]) {
    let new: Vec<_> = more.iter().filter(|text| !known.contains(text)).collect();
    known.extend(new);
}

/// Parts of names of key exchanges that a classical computer breaks (Castryck and Decru, 2022).
const BROKEN: [&str; 2] = ["sike", "sidh"];

pub(super) const GROUP: &str = "TLS group";
pub(super) const SCHEME: &str = "TLS signature scheme";
/// The kind of algorithms that sign certificates but not handshakes.
const CERTIFICATE_SIGNATURE: &str = "signature on certificates";

fn hexadecimal(code: u16) -> String {
    format!("0x{code:04X}")
}

impl AlgorithmData {
    fn new(algorithm: Algorithm) -> Self {
        let row = algorithm.row();
        let lengths = match algorithm {
            Algorithm::Kem(row) => {
                let info = row.kem.info();
                let [ciphertext, secret] = [info.ciphertext_len, info.shared_secret_len].map(Some);
                (info.encaps_key_len, info.decaps_key_len, ciphertext, secret, None)
            }
            Algorithm::Signature(row) => {
                let info = row.signature.info();
                (info.verifying_key_len, info.signing_key_len, None, None, Some(info.signature_len))
            }
        };
        let (public_key_len, private_key_len, ciphertext_len, shared_secret_len, signature_len) = lengths;
        Self {
            name: row.name(),
            spec: row.spec(),
            status: row.status().name(),
            attack: row.attack(),
            category: row.category(),
            public_key_len,
            private_key_len,
            ciphertext_len,
            shared_secret_len,
            signature_len,
        }
    }

    fn write_text(&self, out: &mut Output, margin: &str, shown: &str) -> io::Result<()> {
        let name = if self.name == shown { String::new() } else { format!("{}, ", self.name) };
        let category = match self.category {
            0 => "classical: a quantum computer breaks it".to_owned(),
            category => format!("security category {category}"),
        };
        writeln!(out, "{margin}  {name}{}, {}, {category}", self.spec, self.status)?;
        if let Some(attack) = self.attack {
            writeln!(out, "{margin}  attack: {attack}")?;
        }
        let parts = [
            ("ciphertext", self.ciphertext_len),
            ("shared secret", self.shared_secret_len),
            ("signature", self.signature_len),
        ];
        let parts: String =
            parts.iter().filter_map(|(label, len)| Some(format!(", {label} {}", (*len)?))).collect();
        let keys = format!("public key {}, private key {}", self.public_key_len, self.private_key_len);
        writeln!(out, "{margin}  {DIM}bytes{DIM:#} {keys}{parts}")
    }
}
