//! Generates `include/<era>/oqs/*.h`: the headers with names and lengths. The other headers are in `include/common`.

use crate::names::{Entry, Era};
use std::collections::BTreeSet;
use std::fmt::Write;

const NOTICE: &str = "Written by tests/generated: do not edit.";

/// Adds formatted text to a file.
macro_rules! add {
    ($text:ident, $($format:tt)*) => { writeln!($text, $($format)*).expect("a String grows") };
}

/// Returns the families of the entries, sorted.
pub(crate) fn family_names(entries: &[&Entry]) -> BTreeSet<&'static str> {
    entries.iter().map(|entry| entry.family()).filter(|family| !family.is_empty()).collect()
}

/// Returns the text of a header between its include guards.
fn guarded(title: &str, guard: &str, body: &str) -> String {
    let guard = format!("OQS_{}_H", guard.to_uppercase());
    format!("/* {title} {NOTICE} */\n#ifndef {guard}\n#define {guard}\n\n{body}\n#endif\n")
}

/// Returns `oqsconfig.h` or, with `all`, a variant that also defines the lengths of algorithms that the library does not implement.
pub(crate) fn config(era: &Era, kems: &[&Entry], sigs: &[&Entry], all: bool) -> String {
    let [major, minor, patch] = era.version;
    let mut body = format!(
        "/* The release of liboqs whose layouts and names these headers have: 1600 is 0.16.0. */\n\
         #define OQS_GRILLE_ERA {}\n\n#define OQS_VERSION_TEXT \"{}\"\n",
        era.number(),
        era.text()
    );
    if era.number() >= 1200 {
        add!(
            body,
            "#define OQS_VERSION_MAJOR {major}\n#define OQS_VERSION_MINOR {minor}\n#define OQS_VERSION_PATCH {patch}"
        );
    }
    body.push_str(concat!(
        "\n#define OQS_COMPILE_BUILD_TARGET \"grille\"\n#define OQS_DIST_BUILD 1\n",
        "#if defined(__x86_64__) || defined(_M_X64)\n#define ARCH_X86_64 1\n#define OQS_DIST_X86_64_BUILD 1\n",
        "#elif defined(__aarch64__) || defined(_M_ARM64)\n#define ARCH_ARM64v8 1\n#define OQS_DIST_ARM64_V8_BUILD 1\n#endif\n",
        "\n/* The library has SIKE and SIDH, which have a known attack. `install.sh --broken` defines this. */\n",
        "/* #undef GRILLE_OQS_BROKEN */\n",
    ));
    for (kind, entries) in [("KEM", kems), ("SIG", sigs)] {
        body.push('\n');
        define_enabled(&mut body, era, kind, entries, all);
    }
    let title = match all {
        true => "For programs that need the lengths of every algorithm: install it as oqsconfig.h.",
        false => "The release, and the algorithms that the library implements.",
    };
    guarded(title, "config", &body)
}

/// Defines `OQS_ENABLE_<kind>_<family>` and `OQS_ENABLE_<kind>_<algorithm>`.
fn define_enabled(body: &mut String, era: &Era, kind: &str, entries: &[&Entry], all: bool) {
    let has = |entry: &Entry, broken: bool| match era.row(entry) {
        Some(found) => found.is_broken == broken,
        None => all && !broken,
    };
    for broken in [false, true] {
        let mut chosen =
            entries.iter().filter(|entry| !entry.family().is_empty() && has(entry, broken)).peekable();
        let is_conditional = broken && chosen.peek().is_some();
        if is_conditional {
            body.push_str(if all { "" } else { "#ifdef GRILLE_OQS_BROKEN\n" });
        }
        let mut last = "";
        for entry in chosen {
            if entry.family() != last {
                last = entry.family();
                add!(body, "#ifndef OQS_ENABLE_{kind}_{last}\n#define OQS_ENABLE_{kind}_{last} 1\n#endif");
            }
            add!(body, "#define OQS_ENABLE_{kind}_{} 1", entry.token);
        }
        if is_conditional && !all {
            body.push_str("#endif\n");
        }
    }
}

/// Returns `kem_names.h`, `sig_names.h` or `sig_stfl_names.h`: all names, and the number of names.
pub(crate) fn names(kind: &str, entries: &[&Entry]) -> String {
    let mut body = String::new();
    for entry in entries {
        add!(body, "#define OQS_{kind}_alg_{} \"{}\"", entry.token, entry.name);
        if entry.token == "default" {
            let meaning = if kind == "KEM" { "frodokem_640_aes" } else { "dilithium_2" };
            add!(body, "#define OQS_{kind}_DEFAULT OQS_{kind}_alg_{meaning}");
        }
    }
    add!(body, "\n#define OQS_{kind}_algs_length {}", entries.len());
    guarded("The names of the era.", &format!("{kind}_names"), &body)
}

/// Returns `kem_families.h` or `sig_families.h`, which include the headers of the families that the library implements.
pub(crate) fn families(kind: &str, entries: &[&Entry]) -> String {
    let mut body = String::new();
    for family in family_names(entries) {
        let header = format!("{}_{}", kind.to_lowercase(), family.to_lowercase());
        add!(body, "#ifdef OQS_ENABLE_{kind}_{family}\n#include <oqs/{header}.h>\n#endif");
    }
    guarded("The headers of the families.", &format!("{kind}_families"), &body)
}

/// Returns `kem_<family>.h` or `sig_<family>.h`: lengths and functions.
pub(crate) fn family(era: &Era, kind: &str, family: &str, entries: &[&Entry]) -> String {
    let mut body = String::from("#include <oqs/oqs.h>\n\n#if defined(__cplusplus)\nextern \"C\" {\n#endif\n");
    for entry in entries.iter().filter(|entry| entry.family() == family) {
        let lengths = entry.lengths(era).unwrap_or_else(|| panic!("{} has lengths", entry.name));
        add!(body, "\n#ifdef OQS_ENABLE_{kind}_{}", entry.token);
        match kind {
            "KEM" => kem(&mut body, era, entry, lengths),
            _ => sig(&mut body, era, entry, lengths),
        }
        body.push_str("#endif\n");
    }
    body.push_str("\n#if defined(__cplusplus)\n}\n#endif\n");
    guarded("Lengths in bytes, and functions.", &format!("{kind}_{family}_family"), &body)
}

fn kem(body: &mut String, era: &Era, entry: &Entry, lengths: &[usize]) {
    let prefix = format!("OQS_KEM_{}", entry.token);
    for (name, length) in ["public_key", "secret_key", "ciphertext", "shared_secret"].iter().zip(lengths) {
        add!(body, "#define {prefix}_length_{name} {length}");
    }
    let has_seeds = era.number() >= 1500;
    if has_seeds {
        let seeds = if entry.name.starts_with("ML-KEM-") { [64, 32] } else { [0, 0] };
        add!(body, "#define {prefix}_length_keypair_seed {}", seeds[0]);
        add!(body, "#define {prefix}_length_encaps_seed {}", seeds[1]);
    }
    add!(body, "OQS_API OQS_STATUS {prefix}_keypair(uint8_t *public_key, uint8_t *secret_key);");
    add!(
        body,
        "OQS_API OQS_STATUS {prefix}_encaps(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key);"
    );
    add!(
        body,
        "OQS_API OQS_STATUS {prefix}_decaps(uint8_t *shared_secret, const uint8_t *ciphertext, const uint8_t *secret_key);"
    );
    if has_seeds {
        add!(
            body,
            "OQS_API OQS_STATUS {prefix}_keypair_derand(uint8_t *public_key, uint8_t *secret_key, const uint8_t *seed);"
        );
        add!(
            body,
            "OQS_API OQS_STATUS {prefix}_encaps_derand(uint8_t *ciphertext, uint8_t *shared_secret, const uint8_t *public_key, const uint8_t *seed);"
        );
    }
}

fn sig(body: &mut String, era: &Era, entry: &Entry, lengths: &[usize]) {
    let prefix = format!("OQS_SIG_{}", entry.token);
    for (name, length) in ["public_key", "secret_key", "signature"].iter().zip(lengths) {
        add!(body, "#define {prefix}_length_{name} {length}");
    }
    let message = "const uint8_t *message, size_t message_len";
    let context = "const uint8_t *ctx, size_t ctxlen";
    add!(body, "OQS_API OQS_STATUS {prefix}_keypair(uint8_t *public_key, uint8_t *secret_key);");
    add!(
        body,
        "OQS_API OQS_STATUS {prefix}_sign(uint8_t *signature, size_t *signature_len, {message}, const uint8_t *secret_key);"
    );
    add!(
        body,
        "OQS_API OQS_STATUS {prefix}_verify({message}, const uint8_t *signature, size_t signature_len, const uint8_t *public_key);"
    );
    if era.number() >= 1200 {
        add!(
            body,
            "OQS_API OQS_STATUS {prefix}_sign_with_ctx_str(uint8_t *signature, size_t *signature_len, {message}, {context}, const uint8_t *secret_key);"
        );
        add!(
            body,
            "OQS_API OQS_STATUS {prefix}_verify_with_ctx_str({message}, const uint8_t *signature, size_t signature_len, {context}, const uint8_t *public_key);"
        );
    }
}
