//! Tests that `include/grille.h` matches cbindgen's output for the sources. `GRILLE_WRITE_HEADER=1` writes the header.

use std::path::Path;

#[test]
fn header_matches_the_sources() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(root.join("cbindgen.toml")).expect("cbindgen.toml can be read");
    // cbindgen follows the modules of lib.rs
    let sources = cbindgen::Builder::new().with_config(config).with_src(root.join("src/lib.rs"));
    let mut made = Vec::new();
    sources.generate().expect("the sources can be parsed").write(&mut made);
    let path = root.join("include/grille.h");
    if std::env::var_os("GRILLE_WRITE_HEADER").is_some() {
        std::fs::write(&path, &made).expect("the header can be written");
    }
    let header = std::fs::read(&path).expect("the header is in the repository");
    let current = header == made;
    assert!(
        current,
        "grille.h is outdated; run: GRILLE_WRITE_HEADER=1 cargo test -p grille-capi --test header"
    );
}
