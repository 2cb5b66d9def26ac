//! The algorithm names in the releases of liboqs, and the row of the registry that each name means in an era.

use crate::releases::{parse_releases, position};
use grille_registry::{KEMS, KemRow, Row, SIGNATURES, SignatureRow, Status};

/// Names that mean another algorithm in releases between two eras, or an algorithm that grille does not implement.
const AMBIGUOUS: [&str; 4] = ["HQC-128", "HQC-192", "HQC-256", "DEFAULT"];

/// The kind of an algorithm: column 1 of `names.tsv`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Kem,
    Sig,
    Stateful,
}

/// A line of `names.tsv`.
#[derive(Debug)]
pub(crate) struct Entry {
    pub(crate) kind: Kind,
    /// The name that programs pass to `OQS_KEM_new`, `OQS_SIG_new` or `OQS_SIG_STFL_new`.
    pub(crate) name: String,
    /// The part of symbols and macros that identifies the algorithm.
    pub(crate) token: String,
    /// Positions of the releases that have the name.
    releases: Vec<usize>,
    /// The security category that liboqs claims; 0 if liboqs claims none.
    pub(crate) level: u8,
    /// Whether liboqs claims IND-CCA security, for a KEM.
    pub(crate) ind_cca: bool,
    /// Whether liboqs claims strong unforgeability, for a signature algorithm.
    pub(crate) suf_cma: bool,
    /// Positions of releases, and the lengths in these releases: those of the public key and the secret key, then for a
    /// KEM those of the ciphertext and the shared secret, and for a signature algorithm that of the signature.
    lengths: Vec<(Vec<usize>, Vec<usize>)>,
}

/// A row of the registry: the parts that the generated files need.
pub(crate) struct RowInfo {
    pub(crate) name: &'static str,
    pub(crate) document: String,
    pub(crate) is_broken: bool,
    lengths: Vec<usize>,
}

/// A release of liboqs that programs are compiled for.
pub(crate) struct Era {
    pub(crate) name: &'static str,
    pub(crate) version: [u32; 3],
    /// The first release whose names the era has.
    first: &'static str,
    /// The last release whose names the era has.
    last: &'static str,
    /// Whether the era also has the names of earlier releases, if grille implements them and they have only one meaning.
    includes_earlier_names: bool,
}

pub(crate) const ERAS: [Era; 3] = [
    Era { name: "0.5", version: [0, 5, 0], first: "0.5.0", last: "0.5.0", includes_earlier_names: false },
    Era { name: "0.7", version: [0, 7, 2], first: "0.7.0", last: "0.7.2", includes_earlier_names: false },
    Era { name: "0.16", version: [0, 16, 0], first: "0.16.0", last: "0.16.0", includes_earlier_names: true },
];

impl Entry {
    /// Returns every line of `names.tsv`.
    pub(crate) fn all() -> Vec<Self> {
        include_str!("../../names.tsv").lines().skip(1).map(Self::parse).collect()
    }

    fn parse(line: &str) -> Self {
        let columns: Vec<&str> = line.split('\t').collect();
        let column = |i: usize| columns.get(i).copied().unwrap_or_default();
        let kind = match column(0) {
            "kem" => Kind::Kem,
            "sig" => Kind::Sig,
            _ => Kind::Stateful,
        };
        let lengths = column(8).split(" ; ").filter_map(|part| part.split_once('='));
        let numbers = |text: &str| text.split('/').map(|n| n.parse().expect("a length")).collect();
        Self {
            kind,
            name: column(1).to_owned(),
            token: column(2).to_owned(),
            releases: parse_releases(column(3)),
            level: column(4).parse().unwrap_or_default(),
            ind_cca: column(5) == "1",
            suf_cma: column(6) == "1",
            lengths: lengths.map(|(ranges, text)| (parse_releases(ranges), numbers(text))).collect(),
        }
    }

    /// Returns the family, as in `OQS_ENABLE_KEM_<family>` and `kem_<family>.h`.
    pub(crate) fn family(&self) -> &'static str {
        const FAMILIES: [(&str, &str); 25] = [
            ("bike", "BIKE"),
            ("classic_mceliece", "CLASSIC_MCELIECE"),
            ("cross", "CROSS"),
            ("default", ""),
            ("dilithium", "DILITHIUM"),
            ("efrodokem", "FRODOKEM"),
            ("falcon", "FALCON"),
            ("frodokem", "FRODOKEM"),
            ("hqc", "HQC"),
            ("kyber", "KYBER"),
            ("mayo", "MAYO"),
            ("ml_dsa", "ML_DSA"),
            ("ml_kem", "ML_KEM"),
            ("mqom", "MQOM"),
            ("ntruprime", "NTRUPRIME"),
            ("ntru", "NTRU"),
            ("picnic", "PICNIC"),
            ("rainbow", "RAINBOW"),
            ("saber", "SABER"),
            ("sidh", "SIDH"),
            ("sike", "SIKE"),
            ("slh_dsa", "SLH_DSA"),
            ("snova", "SNOVA"),
            ("sphincs", "SPHINCS"),
            ("uov", "UOV"),
        ];
        let found = FAMILIES.iter().find(|(start, _)| self.token.starts_with(start));
        found.unwrap_or_else(|| panic!("{} has no family", self.token)).1
    }

    /// Returns the lengths in the newest release that has the name and is no newer than the era. Returns `None` if
    /// there is no such release or its lengths are unknown.
    pub(crate) fn lengths(&self, era: &Era) -> Option<&[usize]> {
        let last = self.releases.iter().filter(|release| **release <= position(era.last)).max()?;
        let found = self.lengths.iter().find(|(releases, _)| releases.contains(last))?;
        Some(&found.1)
    }
}

impl Era {
    /// Returns the version as programs compare it: 1600 for 0.16.0.
    pub(crate) fn number(&self) -> u32 {
        self.version[1] * 100 + self.version[2]
    }

    /// Returns the version as text.
    pub(crate) fn text(&self) -> String {
        self.version.map(|part| part.to_string()).join(".")
    }

    /// Returns whether the era has a name.
    pub(crate) fn lists(&self, entry: &Entry) -> bool {
        let own = position(self.first)..=position(self.last);
        let is_own = entry.releases.iter().any(|release| own.contains(release));
        is_own || (self.includes_earlier_names && entry.kind != Kind::Stateful && self.row(entry).is_some())
    }

    /// Returns the row that a name means in this era; `None` if grille does not implement it.
    pub(crate) fn row(&self, entry: &Entry) -> Option<RowInfo> {
        if AMBIGUOUS.contains(&entry.name.as_str())
            && (self.includes_earlier_names || entry.name == "DEFAULT")
        {
            return None;
        }
        let meaning = self.meaning(&entry.name);
        let found = match entry.kind {
            Kind::Kem => find_row(KEMS, &meaning).map(RowInfo::kem),
            Kind::Sig => find_row(SIGNATURES, &meaning).map(RowInfo::signature),
            Kind::Stateful => None,
        }?;
        let lengths = entry.lengths(self)?;
        assert_eq!(found.lengths, lengths, "{} means {meaning} in {}", entry.name, self.name);
        Some(found)
    }

    /// Returns the registry's name for a name of the era. Some names have changed their meaning between releases.
    fn meaning(&self, name: &str) -> String {
        let is = |start: &str| name.starts_with(start);
        let is_old_sphincs = is("SPHINCS+-SHA256-") || is("SPHINCS+-SHAKE256-") || is("SPHINCS+-Haraka-");
        match self.name {
            "0.5" if is_old_sphincs => format!("{name}-round2"),
            "0.5" | "0.7" if is("BIKE-") || is("Classic-McEliece-") => format!("{name}-round3"),
            "0.5" | "0.7" if is("Falcon-") => format!("{name}-2020"),
            _ => hash_variant(name).unwrap_or_else(|| name.to_owned()),
        }
    }
}

/// Returns the registry's name for a pre-hash variant of SLH-DSA, such as `SLH_DSA_SHA2_256_PREHASH_SHA2_128S` in
/// liboqs. Returns `None` if `name` is not such a variant.
fn hash_variant(name: &str) -> Option<String> {
    let (hash, set) = name.strip_prefix("SLH_DSA_")?.split_once("_PREHASH_")?;
    let hash = hash.replace("SHA2_", "SHA").replace("SHAKE_", "SHAKE");
    let set = set.replace('_', "-").replace('S', "s").replace("sHA", "SHA").replace('F', "f");
    Some(format!("HashSLH-DSA-{set}-with-{hash}"))
}

/// Returns the post-quantum row with exactly this name or alias, or `None` if there is none.
fn find_row<R: Row>(rows: &'static [R], name: &str) -> Option<&'static R> {
    rows.iter().find(|row| row.category() > 0 && (row.name() == name || row.aliases().contains(&name)))
}

impl RowInfo {
    fn new(row: &'static impl Row, lengths: Vec<usize>) -> Self {
        Self {
            name: row.name(),
            document: row.spec().replace("FIPS ", "FIPS"),
            is_broken: row.status() == Status::Broken,
            lengths,
        }
    }

    fn kem(row: &'static KemRow) -> Self {
        let info = row.kem.info();
        let keys = [info.encaps_key_len, info.decaps_key_len, info.ciphertext_len, info.shared_secret_len];
        Self::new(row, keys.to_vec())
    }

    fn signature(row: &'static SignatureRow) -> Self {
        let info = row.signature.info();
        Self::new(row, vec![info.verifying_key_len, info.signing_key_len, info.signature_len])
    }
}

/// Returns the names of post-quantum algorithms, except hybrids and composites.
pub(crate) fn post_quantum_rows() -> impl Iterator<Item = &'static str> {
    let kems = KEMS.iter().filter(|row| row.category > 0 && !row.kem.is_hybrid()).map(Row::name);
    let is_single = |row: &&SignatureRow| row.category > 0 && !row.signature.is_composite();
    kems.chain(SIGNATURES.iter().filter(is_single).map(Row::name))
}
