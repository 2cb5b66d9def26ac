//! Tables and plots from the registry, as `grille list` and `grille explain` print its contents.

use super::pages::Language;
use super::plot::{Group, Plot, Scale};
use crate::outcome::Failure;
use crate::{process, registry};
use serde::Deserialize;
use std::process::Command;

/// A table with its column headings. `>` before a heading aligns the column to the right.
pub(super) struct Table {
    heads: Vec<&'static str>,
    rows: Vec<Vec<String>>,
}

impl Table {
    pub(super) fn new(heads: &[&'static str], rows: Vec<Vec<String>>) -> Self {
        Self { heads: heads.to_vec(), rows }
    }

    pub(super) fn markdown(&self, language: Language) -> String {
        let heads = self.heads.iter().map(|head| heading(head.trim_start_matches('>'), language));
        let rules = self.heads.iter().map(|head| if head.starts_with('>') { "--:" } else { "---" });
        let mut text = line(heads) + &line(rules).replace(' ', "");
        for row in &self.rows {
            text += &line(row.iter().map(String::as_str));
        }
        text
    }
}

fn line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    format!("| {} |\n", cells.collect::<Vec<_>>().join(" | "))
}

/// Returns a column heading in a language. Names of algorithms are not translated.
fn heading(head: &'static str, language: Language) -> &'static str {
    let found = JAPANESE.iter().find(|(english, _)| *english == head);
    match (language, found) {
        (Language::Japanese, Some((_, japanese))) => japanese,
        _ => head,
    }
}

const JAPANESE: &[(&str, &str)] = &[
    ("algorithm", "アルゴリズム"),
    ("category", "カテゴリ"),
    ("status", "状態"),
    ("public key", "公開鍵"),
    ("private key", "秘密鍵"),
    ("ciphertext", "暗号文"),
    ("shared secret", "共有秘密"),
    ("signature", "署名"),
    ("largest signature", "署名の最大長"),
    ("TLS group", "TLSグループ"),
    ("TLS scheme", "TLS署名方式"),
    ("name in wolfSSL", "wolfSSLの名称"),
    ("name in grille", "grilleの名称"),
    ("object identifier", "オブジェクト識別子"),
    ("codepoint", "コードポイント"),
    ("standard today", "現在の標準"),
    ("releases", "リリース"),
    ("months", "期間"),
    ("key generation, AVX-512", "鍵生成 (AVX-512)"),
    ("encapsulation, AVX-512", "カプセル化 (AVX-512)"),
    ("decapsulation, AVX-512", "デカプセル化 (AVX-512)"),
    ("signing, AVX-512", "署名生成 (AVX-512)"),
    ("verification, AVX-512", "署名検証 (AVX-512)"),
    ("key generation, AVX2", "鍵生成 (AVX2)"),
    ("encapsulation, AVX2", "カプセル化 (AVX2)"),
    ("decapsulation, AVX2", "デカプセル化 (AVX2)"),
    ("signing, AVX2", "署名生成 (AVX2)"),
    ("verification, AVX2", "署名検証 (AVX2)"),
    ("handshakes per second", "毎秒のハンドシェイク数"),
];

/// The registry, and the history of the codepoints in [`WITH_HISTORY`].
#[derive(Default, Deserialize)]
pub(super) struct Registry {
    kems: Vec<Row>,
    signatures: Vec<Row>,
    #[serde(default)]
    meanings: Vec<Meaning>,
}

/// One algorithm. Lengths are in bytes.
#[derive(Clone, Default, Deserialize)]
struct Row {
    name: String,
    category: u8,
    status: String,
    oid: Option<String>,
    tls_code: Option<String>,
    aliases: Vec<String>,
    public_key_len: usize,
    private_key_len: usize,
    #[serde(default)]
    ciphertext_len: usize,
    #[serde(default)]
    shared_secret_len: usize,
    #[serde(default)]
    signature_len: usize,
}

/// One meaning of an algorithm's name: a codepoint, and the releases that used it.
#[derive(Deserialize)]
struct Meaning {
    name: String,
    tls_code: Option<String>,
    #[serde(default)]
    releases: Vec<String>,
    #[serde(default)]
    months: Vec<String>,
}

/// The output of `grille explain` for one name.
#[derive(Deserialize)]
struct Explained {
    meanings: Vec<Meaning>,
}

/// Algorithms whose codepoints changed over the years. The guide states the history of each, for peers with older
/// releases.
const WITH_HISTORY: [&str; 21] = [
    "Kyber512",
    "Kyber768",
    "Kyber1024",
    "ML-KEM-512",
    "ML-KEM-768",
    "ML-KEM-1024",
    "p256_kyber512",
    "p384_kyber768",
    "p521_kyber1024",
    "X25519Kyber768Draft00",
    "X25519MLKEM768",
    "SecP256r1MLKEM768",
    "SecP384r1MLKEM1024",
    "Dilithium2",
    "Dilithium3",
    "Dilithium5",
    "ML-DSA-44",
    "ML-DSA-65",
    "ML-DSA-87",
    "Falcon-512",
    "Falcon-1024",
];

impl Registry {
    /// Reads the registry from the output of the built command line.
    pub(super) fn read() -> Result<Self, Failure> {
        let program = registry::program()?;
        let json = process::stdout(Command::new(&program).args(["list", "--all", "--json"]))?;
        let mut registry: Self = serde_json::from_str(&json)?;
        let lines = process::stdout(Command::new(&program).arg("explain").args(WITH_HISTORY).arg("--json"))?;
        for line in lines.lines() {
            let explained: Explained = serde_json::from_str(line)?;
            registry.meanings.extend(explained.meanings);
        }
        Ok(registry)
    }
}

impl Row {
    /// Returns the category, or a dash for a classical algorithm.
    fn category(&self) -> String {
        if self.category == 0 { "–".to_owned() } else { self.category.to_string() }
    }

    fn code(&self) -> String {
        self.tls_code.as_ref().map_or_else(String::new, |code| format!("`{code}`"))
    }

    /// Returns the codepoint in hexadecimal and in decimal.
    fn both_codes(&self) -> String {
        let Some(code) = &self.tls_code else { return String::new() };
        let number = u32::from_str_radix(code.trim_start_matches("0x"), 16).unwrap_or_default();
        format!("`{code}`, {number}")
    }

    /// Returns the name in wolfSSL's manual.
    fn wolfssl(&self) -> Option<&str> {
        self.aliases.iter().map(String::as_str).find(|alias| alias.contains("_LEVEL"))
    }
}

/// Lists standards, drafts and classical key agreements.
pub(super) fn kem_sizes(registry: &Registry) -> Table {
    let heads = ["algorithm", ">category", "status", ">public key", ">ciphertext", "TLS group"];
    let cells = |row: &Row| {
        let (public, ciphertext) = (row.public_key_len.to_string(), row.ciphertext_len.to_string());
        vec![row.name.clone(), row.category(), row.status.clone(), public, ciphertext, row.code()]
    };
    Table::new(&heads, shown(&registry.kems).map(cells).collect())
}

/// Lists standards and classical signatures, without variants that differ only in a hash function before signing.
pub(super) fn signature_sizes(registry: &Registry) -> Table {
    let heads = ["algorithm", ">category", "status", ">public key", ">largest signature", "TLS scheme"];
    let cells = |row: &Row| {
        let (public, signature) = (row.public_key_len.to_string(), row.signature_len.to_string());
        vec![row.name.clone(), row.category(), row.status.clone(), public, signature, row.code()]
    };
    Table::new(&heads, shown(&registry.signatures).filter(|row| is_plain(row)).map(cells).collect())
}

fn shown(rows: &[Row]) -> impl Iterator<Item = &Row> {
    rows.iter().filter(|row| row.status == "standard" || row.status == "draft")
}

/// Returns whether a signature algorithm is neither a composite nor a pre-hash variant.
fn is_plain(row: &Row) -> bool {
    !row.name.starts_with("Hash") && !row.name.starts_with("MLDSA")
}

/// Lists the KEMs of wolfSSL's manual with the standard that replaces each.
pub(super) fn wolfssl_kems(registry: &Registry) -> Table {
    let heads = ["name in wolfSSL", "name in grille", "codepoint", "standard today"];
    let cells = |(name, row): (&str, &Row)| {
        vec![format!("`{name}`"), row.name.clone(), row.both_codes(), successor(&row.name).to_owned()]
    };
    Table::new(&heads, wolfssl(&registry.kems).map(cells).collect())
}

/// Lists the signatures of wolfSSL's manual with the standard that replaces each.
pub(super) fn wolfssl_signatures(registry: &Registry) -> Table {
    let heads = ["name in wolfSSL", "name in grille", "codepoint", "object identifier", "standard today"];
    let cells = |(name, row): (&str, &Row)| {
        let oid = row.oid.clone().unwrap_or_default();
        let successor = successor(&row.name).to_owned();
        vec![format!("`{name}`"), row.name.clone(), row.both_codes(), oid, successor]
    };
    Table::new(&heads, wolfssl(&registry.signatures).map(cells).collect())
}

pub(super) fn wolfssl_kem_sizes(registry: &Registry) -> Table {
    let heads = ["name in wolfSSL", ">public key", ">private key", ">ciphertext", ">shared secret"];
    let cells = |(name, row): (&str, &Row)| {
        let lens = [row.public_key_len, row.private_key_len, row.ciphertext_len, row.shared_secret_len];
        std::iter::once(format!("`{name}`")).chain(lens.map(|len| len.to_string())).collect()
    };
    let is_single = |(name, _): &(&str, &Row)| !name.starts_with('P') && !name.starts_with('X');
    Table::new(&heads, wolfssl(&registry.kems).filter(is_single).map(cells).collect())
}

pub(super) fn wolfssl_signature_sizes(registry: &Registry) -> Table {
    let heads = ["name in wolfSSL", ">public key", ">private key", ">largest signature"];
    let cells = |(name, row): (&str, &Row)| {
        let lens = [row.public_key_len, row.private_key_len, row.signature_len];
        std::iter::once(format!("`{name}`")).chain(lens.map(|len| len.to_string())).collect()
    };
    Table::new(&heads, wolfssl(&registry.signatures).map(cells).collect())
}

/// Iterates over the rows that have a name in wolfSSL's manual, each with that name.
fn wolfssl(rows: &[Row]) -> impl Iterator<Item = (&str, &Row)> {
    rows.iter().filter_map(|row| Some((row.wolfssl()?, row)))
}

/// Beginnings of the names of retired algorithms, each with the standard to use instead. The first match counts.
const SUCCESSORS: &[(&str, &str)] = &[
    ("Kyber512", "ML-KEM-512"),
    ("Kyber768", "ML-KEM-768"),
    ("Kyber1024", "ML-KEM-1024"),
    ("p256_kyber", "SecP256r1MLKEM768"),
    ("x25519_kyber", "X25519MLKEM768"),
    ("p384_kyber", "SecP384r1MLKEM1024"),
    ("p521_kyber", "SecP384r1MLKEM1024"),
    ("Dilithium2", "ML-DSA-44"),
    ("Dilithium3", "ML-DSA-65"),
    ("Dilithium5", "ML-DSA-87"),
    ("SPHINCS+-SHAKE256-128s", "SLH-DSA-SHAKE-128s"),
    ("SPHINCS+-SHAKE256-128f", "SLH-DSA-SHAKE-128f"),
    ("SPHINCS+-SHAKE256-192s", "SLH-DSA-SHAKE-192s"),
    ("SPHINCS+-SHAKE256-192f", "SLH-DSA-SHAKE-192f"),
    ("SPHINCS+-SHAKE256-256s", "SLH-DSA-SHAKE-256s"),
    ("SPHINCS+-SHAKE256-256f", "SLH-DSA-SHAKE-256f"),
];

/// Returns the standard that replaces a retired algorithm, or a dash.
fn successor(name: &str) -> &'static str {
    SUCCESSORS.iter().find(|(start, _)| name.starts_with(start)).map_or("–", |(_, standard)| standard)
}

/// Lists the codepoints of algorithms over the years.
pub(super) fn codepoints(registry: &Registry) -> Table {
    let heads = ["algorithm", "codepoint", "releases", "months"];
    let cells = |meaning: &Meaning| {
        let code = format!("`{}`", meaning.tls_code.as_deref()?);
        Some(vec![meaning.name.clone(), code, range(&meaning.releases), range(&meaning.months)])
    };
    Table::new(&heads, registry.meanings.iter().filter_map(cells).collect())
}

/// Formats the first and the last element of a range; an empty last one means an unknown end.
fn range(ends: &[String]) -> String {
    match ends {
        [first, last] if first == last => first.clone(),
        [first, last] => format!("{first} to {last}").trim_end().to_owned(),
        _ => String::new(),
    }
}

pub(super) fn kem_size_plot(registry: &Registry) -> String {
    let group = |row: &Row| group(row, row.ciphertext_len);
    let groups = shown(&registry.kems).map(group).collect();
    Plot { legend: &["public key", "ciphertext"], unit: "bytes", scale: Scale::Linear, groups }.svg()
}

pub(super) fn signature_size_plot(registry: &Registry) -> String {
    let plain = shown(&registry.signatures).filter(|row| is_plain(row));
    let groups = plain.filter(|row| !row.name.contains("SHAKE")).map(|row| group(row, row.signature_len));
    Plot {
        legend: &["public key", "signature"],
        unit: "bytes",
        scale: Scale::Linear,
        groups: groups.collect(),
    }
    .svg()
}

fn group(row: &Row, second: usize) -> Group {
    let bytes = |len: usize| f64::from(u32::try_from(len).unwrap_or(u32::MAX));
    Group { label: row.name.clone(), values: vec![bytes(row.public_key_len), bytes(second)] }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        let kem = |name: &str, status: &str, alias: &str| Row {
            name: name.into(),
            category: 5,
            status: status.into(),
            tls_code: Some("0x023D".into()),
            aliases: vec!["other".into(), alias.into()],
            public_key_len: 1568,
            ciphertext_len: 1568,
            ..Row::default()
        };
        let signature = |name: &str| Row { signature_len: 9, ..kem(name, "standard", "") };
        Registry {
            kems: vec![kem("ML-KEM-1024", "standard", ""), kem("Kyber1024", "retired", "KYBER_LEVEL5")],
            signatures: ["ML-DSA-87", "MLDSA87-Ed448", "HashSLH-DSA"].map(signature).to_vec(),
            meanings: serde_json::from_str(
                r#"[{"name":"kyber1024","tls_code":"0x0211","releases":["A","B"],"months":["2019-08",""]},{"name":"no TLS"}]"#,
            )
            .unwrap(),
        }
    }

    #[test]
    fn lists_current_algorithms_only() {
        let table = kem_sizes(&registry()).markdown(Language::English);
        assert_eq!(table.lines().nth(1), Some("|---|--:|---|--:|--:|---|"));
        assert!(table.ends_with("| ML-KEM-1024 | 5 | standard | 1568 | 1568 | `0x023D` |\n"), "{table}");
        let table = signature_sizes(&registry()).markdown(Language::English);
        assert!(
            table.contains("ML-DSA-87") && !table.contains("MLDSA87") && !table.contains("Hash"),
            "{table}"
        );
    }

    #[test]
    fn lists_names_of_wolfssl_with_their_successors() {
        let table = wolfssl_kems(&registry()).markdown(Language::English);
        assert!(
            table.ends_with("|\n| `KYBER_LEVEL5` | Kyber1024 | `0x023D`, 573 | ML-KEM-1024 |\n"),
            "{table}"
        );
        assert!(
            wolfssl_kem_sizes(&registry()).markdown(Language::English).contains("| `KYBER_LEVEL5` | 1568 |")
        );
        assert_eq!((successor("Dilithium3-AES"), successor("Falcon-512-2020")), ("ML-DSA-65", "–"));
    }

    #[test]
    fn lists_codepoints_with_their_releases() {
        let table = codepoints(&registry()).markdown(Language::English);
        assert!(table.ends_with("|---|\n| kyber1024 | `0x0211` | A to B | 2019-08 to |\n"), "{table}");
    }

    #[test]
    fn translates_heads_but_not_names() {
        let table = kem_sizes(&registry()).markdown(Language::Japanese);
        assert!(
            table.starts_with("| アルゴリズム | カテゴリ |") && table.contains("| ML-KEM-1024 |"),
            "{table}"
        );
    }

    #[test]
    fn draws_each_current_algorithm() {
        let svg = kem_size_plot(&registry());
        assert!(svg.contains("ML-KEM-1024") && !svg.contains("Kyber1024"), "{svg}");
        assert!(signature_size_plot(&registry()).contains(">9</text>"));
    }
}
