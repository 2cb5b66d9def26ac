//! Packages of the libraries for C, Python and JavaScript. Each is installed in an empty folder, where a program uses it.

use super::package::{
    DOCUMENTS, DYNAMIC, Platform, VERSION, copy, empty_folder, expect, profile, tar, unpack,
};
use crate::outcome::Failure;
use crate::process::{self, Needs};
use crate::tree;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

pub(super) const C: Needs = &[("cc", "Debian's `gcc`"), ("pkg-config", "Debian's `pkgconf`")];
pub(super) const NPM: Needs = &[
    ("node", "Debian's `nodejs`"),
    ("npm", "Debian's `npm`"),
    ("wasm-bindgen", "`cargo install wasm-bindgen-cli --locked`"),
];

/// Makes the archive of the C library, unpacks it elsewhere, and compiles and runs an example with it.
pub(super) fn c(folder: &Path, _platform: &Platform) -> Result<Vec<PathBuf>, Failure> {
    let name = format!("libgrille-{VERSION}");
    let prefix = folder.join(&name);
    let mut install = Command::new(tree::root().join("bindings/c/install.sh"));
    process::expect_success(install.arg(&prefix).env("PROFILE", profile()))?;
    for document in DOCUMENTS.iter().filter(|document| document.starts_with("LICENSE")) {
        copy(&tree::root().join(document), &prefix.join("share/doc/grille").join(document))?;
    }
    copy(&tree::root().join("bindings/c/README.md"), &prefix.join("share/doc/grille/README.md"))?;
    let path = folder.join(format!("{name}-{}.tar.gz", DYNAMIC.target));
    tar(&path, folder, &name, "-cz")?;
    fs::remove_dir_all(&prefix)?;

    let root = empty_folder(&folder.join("c.root"))?;
    unpack(&path, &root)?;
    let libraries = root.join(&name).join("lib");
    let mut flags = Command::new("pkg-config");
    flags.args(["--cflags", "--libs", "grille"]).env("PKG_CONFIG_PATH", libraries.join("pkgconfig"));
    let flags = process::stdout(&mut flags)?;
    let example = root.join("kem");
    let mut compile = Command::new("cc");
    compile.arg(tree::root().join("bindings/c/examples/kem.c")).arg("-o").arg(&example);
    process::expect_success(compile.args(flags.split_whitespace()))?;
    let printed = process::stdout(Command::new(&example).env("LD_LIBRARY_PATH", &libraries))?;
    expect(&path, &printed, "ML-KEM-768: both sides have the same 32 bytes")?;
    fs::remove_dir_all(&root)?;
    Ok(vec![path])
}

/// Makes the wheel, and uses it in a virtual environment that contains nothing else.
pub(super) fn python(folder: &Path, _platform: &Platform) -> Result<Vec<PathBuf>, Failure> {
    let environment = |name: &str| -> Result<PathBuf, Failure> {
        let path = empty_folder(&folder.join(name))?;
        process::expect_success(Command::new("python3").args(["-m", "venv"]).arg(&path))?;
        Ok(path)
    };
    let builder = environment("python.builder")?;
    let mut wheel = Command::new(builder.join("bin/pip"));
    wheel.args(["wheel", "--quiet", "--no-deps", "--wheel-dir"]).arg(folder);
    process::expect_success(wheel.arg(tree::root().join("bindings/python")))?;
    fs::remove_dir_all(&builder)?;
    let path = file_with_extension(folder, "whl")?;

    let user = environment("python.root")?;
    let mut install = Command::new(user.join("bin/pip"));
    process::expect_success(install.args(["install", "--quiet", "--no-index"]).arg(&path))?;
    let program = "import grille
key = grille.kem('ML-KEM-768').generate()
secret, ciphertext = key.public_key().encapsulate()
print(key.decapsulate(ciphertext) == secret, grille.__version__)";
    let mut python = Command::new(user.join("bin/python"));
    let printed = process::stdout(python.args(["-c", program]).current_dir(&user))?;
    expect(&path, &printed, &format!("True {VERSION}"))?;
    fs::remove_dir_all(&user)?;
    Ok(vec![path])
}

/// Makes the npm package, and uses it in a project that contains nothing else.
pub(super) fn npm(folder: &Path, _platform: &Platform) -> Result<Vec<PathBuf>, Failure> {
    let package = tree::root().join("bindings/wasm");
    process::expect_success(Command::new("node").arg("build.mjs").current_dir(&package))?;
    let mut pack = Command::new("npm");
    pack.args(["pack", "--silent", "--pack-destination"]).arg(folder).current_dir(&package);
    process::stdout(&mut pack)?;
    let path = file_with_extension(folder, "tgz")?;

    let user = empty_folder(&folder.join("npm.root"))?;
    fs::write(user.join("package.json"), r#"{ "private": true, "type": "module" }"#)?;
    let mut install = Command::new("npm");
    install.args(["install", "--silent", "--offline", "--no-audit", "--no-fund"]).arg(&path);
    process::expect_success(install.current_dir(&user))?;
    let program = r#"import { kem } from "grille";
const key = kem("ML-KEM-768").generate();
const { sharedSecret, ciphertext } = key.publicKey().encapsulate();
console.log(Buffer.compare(key.decapsulate(ciphertext), sharedSecret));"#;
    let mut node = Command::new("node");
    let printed = process::stdout(node.args(["--input-type=module", "--eval", program]).current_dir(&user))?;
    expect(&path, &printed, "0")?;
    fs::remove_dir_all(&user)?;
    Ok(vec![path])
}

/// Returns the only file of a folder with the extension.
fn file_with_extension(folder: &Path, extension: &str) -> Result<PathBuf, Failure> {
    let files = fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path()));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let mut found = files.into_iter().filter(|file| file.extension().is_some_and(|end| end == extension));
    let none =
        || Failure(vec![format!("{} contains no file with the extension {extension}", folder.display())]);
    found.next().ok_or_else(none)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cargo_c_accepts_the_settings_of_the_c_library() {
        let manifest: toml::Table = toml::from_str(&tree::read("bindings/c/Cargo.toml").unwrap()).unwrap();
        let settings = &manifest["package"]["metadata"]["capi"];
        // cargo-c skips or refuses a crate without the feature, and parses the version as three numbers
        assert!(manifest["features"].get("capi").is_some());
        let version = settings["min_version"].as_str().unwrap();
        assert!(version.split('.').filter(|part| part.parse::<u64>().is_ok()).count() == 3, "{version}");
        let header = settings["install"]["include"]["asset"][0]["from"].as_str().unwrap();
        assert!(tree::root().join("bindings/c").join(header).is_file(), "{header}");
        // both ways to install write the same description
        let description = settings["pkg_config"]["description"].as_str().unwrap();
        let script = tree::read("bindings/c/install.sh").unwrap();
        assert!(script.contains(&format!("'{description}'")), "{description}");
    }
}
