//! Generates `src/algorithms/v*.rs`: the table of algorithm names for one era, which is a liboqs release that programs
//! are compiled for.

use crate::names::{Entry, Era, RowInfo};
use std::fmt::Write;

/// Returns the source file with an era's table of names.
pub(crate) fn table(era: &Era, kems: &[&Entry], sigs: &[&Entry], stateful: &[&Entry]) -> String {
    let mut text = format!(
        "//! The names of liboqs {}. Written by `tests/generated` from the registry and `names.tsv`: do not edit.\n\n\
         use super::Named;\nuse crate::kem::Kem;\nuse crate::sig::Sig;\n",
        era.text()
    );
    section(&mut text, "KEMS", "Named<Kem>", kems, |entry| implementation(era, entry, kem));
    section(&mut text, "SIGNATURES", "Named<Sig>", sigs, |entry| implementation(era, entry, sig));
    if !stateful.is_empty() {
        section(&mut text, "STATEFUL", "&core::ffi::CStr", stateful, |entry| {
            format!("    c\"{}\",\n", entry.name)
        });
    }
    text
}

fn section(text: &mut String, name: &str, kind: &str, entries: &[&Entry], line: impl Fn(&Entry) -> String) {
    write!(text, "\n#[rustfmt::skip]\npub(crate) static {name}: &[{kind}] = &[\n").expect("a String grows");
    text.extend(entries.iter().map(|entry| line(entry)));
    text.push_str("];\n");
}

/// Returns the source lines for a name: with its implementation, or the name alone.
fn implementation(era: &Era, entry: &Entry, line: fn(&Entry, &RowInfo) -> String) -> String {
    let named = format!("named!(c\"{}\"),\n", entry.name);
    match era.row(entry) {
        None => format!("    {named}"),
        Some(found) if found.is_broken => format!(
            "    #[cfg(not(feature = \"broken\"))] {named}    #[cfg(feature = \"broken\")] {}",
            line(entry, &found)
        ),
        Some(found) => format!("    {}", line(entry, &found)),
    }
}

fn symbols(kind: &str, entry: &Entry, functions: [&str; 5]) -> String {
    functions.map(|function| format!("OQS_{kind}_{}_{function}", entry.token)).join(" ")
}

fn kem(entry: &Entry, found: &RowInfo) -> String {
    // liboqs has functions with seeds for ML-KEM only
    let seeds = if entry.name.starts_with("ML-KEM-") { [64, 32] } else { [0, 0] };
    format!(
        "kem!(c\"{}\", c\"{}\", {}, {}, \"{}\", {seeds:?}, {}),\n",
        entry.name,
        found.document,
        entry.level,
        entry.ind_cca,
        found.name,
        symbols("KEM", entry, ["keypair", "encaps", "decaps", "keypair_derand", "encaps_derand"])
    )
}

fn sig(entry: &Entry, found: &RowInfo) -> String {
    format!(
        "sig!(c\"{}\", c\"{}\", {}, {}, \"{}\", {}),\n",
        entry.name,
        found.document,
        entry.level,
        entry.suf_cma,
        found.name,
        symbols("SIG", entry, ["keypair", "sign", "verify", "sign_with_ctx_str", "verify_with_ctx_str"])
    )
}
