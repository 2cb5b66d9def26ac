//! Tests that the tables of names in `src/algorithms` and the headers in `include` match the registry and `names.tsv`.
//! `GRILLE_WRITE_OQS=1` writes the tables and the headers.

mod headers;
mod names;
mod releases;
mod source;

use names::{ERAS, Entry, Era, Kind};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Returns the text of every generated file of an era, by the file's path in `bindings/oqs`.
fn files(era: &Era) -> BTreeMap<String, String> {
    let names = Entry::all();
    let of = |kind| -> Vec<&Entry> {
        names.iter().filter(|entry| entry.kind == kind && era.lists(entry)).collect()
    };
    let (kems, sigs, stateful) = (of(Kind::Kem), of(Kind::Sig), of(Kind::Stateful));
    let mut files = BTreeMap::new();
    let table = source::table(era, &kems, &sigs, &stateful);
    files.insert(format!("src/algorithms/v{}.rs", era.name.replace('.', "_")), table);
    let mut header = |name: String, text| files.insert(format!("include/{}/oqs/{name}", era.name), text);
    header("oqsconfig.h".into(), headers::config(era, &kems, &sigs, false));
    header("oqsconfig-all.h".into(), headers::config(era, &kems, &sigs, true));
    header("kem_names.h".into(), headers::names("KEM", &kems));
    header("sig_names.h".into(), headers::names("SIG", &sigs));
    if !stateful.is_empty() {
        header("sig_stfl_names.h".into(), headers::names("SIG_STFL", &stateful));
    }
    for (kind, entries) in [("KEM", &kems), ("SIG", &sigs)] {
        let lower = kind.to_lowercase();
        header(format!("{lower}_families.h"), headers::families(kind, entries));
        for family in headers::family_names(entries) {
            let text = headers::family(era, kind, family, entries);
            header(format!("{lower}_{}.h", family.to_lowercase()), text);
        }
    }
    files
}

/// Returns the generated files that exist, by their path in `bindings/oqs`.
fn existing_files(root: &Path, era: &Era) -> Vec<String> {
    let folder = format!("include/{}/oqs", era.name);
    let found = fs::read_dir(root.join(&folder)).into_iter().flatten();
    found.map(|file| format!("{folder}/{}", file.expect("a file").file_name().to_string_lossy())).collect()
}

#[test]
fn tables_and_headers_match_the_registry() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let writes = std::env::var_os("GRILLE_WRITE_OQS").is_some();
    let mut outdated = Vec::new();
    for era in &ERAS {
        let files = files(era);
        for (name, text) in &files {
            let path = root.join(name);
            if writes {
                fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
                fs::write(&path, text).expect("the file can be written");
            }
            if fs::read_to_string(&path).is_ok_and(|present| present == *text) {
                continue;
            }
            outdated.push(name.clone());
        }
        outdated.extend(existing_files(root, era).into_iter().filter(|name| !files.contains_key(name)));
    }
    let advice = "run: GRILLE_WRITE_OQS=1 cargo test -p grille-oqs --test generated";
    assert!(outdated.is_empty(), "outdated: {outdated:?}; {advice}");
}

#[test]
fn every_post_quantum_row_of_liboqs_is_in_an_era() {
    // no release of liboqs had these rows: robust SPHINCS+ of round 3.1
    let names = Entry::all();
    let is_offered = |row: &str| {
        ERAS.iter().any(|era| names.iter().any(|entry| era.row(entry).is_some_and(|found| found.name == row)))
    };
    let missing: Vec<_> = names::post_quantum_rows().filter(|row| !is_offered(row)).collect();
    let robust = |row: &&str| row.starts_with("SPHINCS+-SHA2-") || row.starts_with("SPHINCS+-SHAKE-");
    assert!(missing.iter().all(|row| robust(row) && row.ends_with("-robust")), "{missing:?}");
}
