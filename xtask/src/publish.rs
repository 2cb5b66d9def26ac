//! `publish`: checks that the crates are ready for a registry. Every crate without `publish = false` is to be published.
//!
//! | question | file |
//! |---|---|
//! | which metadata does a registry need, and is any missing? | `publish/metadata.rs` |
//! | in which order are crates published? | `publish/order.rs` |
//! | what is in the README of a crate? | `publish/readme.rs` |
//!
//! `publish --write` writes the READMEs, and `publish --list` shows the order. `publish --package` makes the file of each
//! crate in `target/package` as `cargo publish` does, and `publish --build` also builds each crate from its file, which
//! takes minutes. Neither uploads anything. They need a working tree without changes.

mod metadata;
mod order;
mod readme;

use crate::crates::{metadata as cargo_metadata, text};
use crate::outcome::{Failure, Outcome, verdict};
use crate::{process, tree};
use metadata::Package;
use std::path::Path;

/// The most bytes that a registry accepts for a compressed crate.
const LARGEST: u64 = 10_000_000;

pub(crate) fn run(arguments: &[String]) -> Outcome {
    let has = |option: &str| arguments.iter().any(|argument| argument == option);
    let metadata = cargo_metadata()?;
    let packages = metadata::read(&metadata)?;
    let public: Vec<&Package> = packages.iter().filter(|package| package.is_public).collect();
    let files = tree::files()?;
    let mut problems = Vec::new();
    for package in &public {
        problems.extend(metadata::missing(package));
        problems.extend(metadata::unpublished_dependencies(package, &packages));
        problems.extend(metadata::outside_files(package, &files)?);
        problems.extend(readme::check(package, has("--write"))?);
    }
    let order = order::sort(&public)?;
    if has("--list") {
        order.iter().enumerate().for_each(|(index, name)| println!("{:>2} {name}", index + 1));
    }
    let checked = verdict(problems, || {
        let others = packages.len() - public.len();
        format!("{} crates can be published, {others} stay in this repository", public.len())
    })?;
    if has("--package") || has("--build") {
        return package(&order, text(&metadata["target_directory"])?, has("--build"));
    }
    Ok(checked)
}

/// Makes the file of each crate in one run of cargo, which takes dependencies that are not published yet from the files
/// of the same run. With `build`, cargo also builds each crate from its file.
fn package(names: &[&str], target: &str, build: bool) -> Outcome {
    let mut cargo = process::cargo(&["package", "--locked"]);
    cargo.args(names.iter().flat_map(|name| ["-p", name]));
    if !build {
        cargo.arg("--no-verify");
    }
    process::expect_success(&mut cargo)?;
    let folder = Path::new(target).join("package");
    let mut problems = Vec::new();
    let mut total = 0;
    for name in names {
        let file = folder.join(format!("{name}-{}.crate", env!("CARGO_PKG_VERSION")));
        let bytes = std::fs::metadata(&file)
            .map_err(|error| Failure(vec![format!("{}: {error}", file.display())]))?
            .len();
        println!("{bytes:>9} {name}");
        total += bytes;
        if bytes > LARGEST {
            problems.push(format!("{name}: the package has {bytes} bytes, and a registry accepts {LARGEST}"));
        }
    }
    verdict(problems, || format!("{} packages with {total} bytes", names.len()))
}
