//! `layers`: checks that crates depend only on crates that layers.toml allows, that the modules of a crate have no
//! dependency cycles, and that `unsafe` occurs only in allowed files.

use crate::crates::{Crate, covers, crates};
use crate::cycles::{cycles, shortest_cycle};
use crate::modules::{self, Uses};
use crate::outcome::{Failure, Outcome, verdict};
use crate::source::{Source, words};
use crate::tree;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

const FILE: &str = "layers.toml";

/// Paths that may contain `unsafe`: vector kernels, interfaces to C, other libraries for comparison, and requests to
/// valgrind.
const UNSAFE_PATHS: &[&str] = &[
    "/backend/",
    "bindings/c/src/",
    "bindings/cpp/benchmarks/",
    "bindings/oqs/",
    "bench/src/peers/",
    "tests/ct/src/valgrind.rs",
];

/// The contents of layers.toml.
#[derive(Default, Deserialize)]
struct Layers {
    /// The allowed dependencies of each folder or layer.
    dependencies: BTreeMap<String, Vec<String>>,
}

/// Runs the check.
pub(crate) fn run(_: &[String]) -> Outcome {
    let crates = crates()?;
    let layers: Layers = toml::from_str(&tree::read(FILE)?)?;
    let mut problems = find_forbidden(&layers, &crates);
    problems.extend(find_unused(&layers, &crates));
    for Crate { folder, sources, .. } in &crates {
        let mut uses = Uses::new();
        for source in sources {
            uses.extend(modules::uses(source)?);
        }
        problems.extend(find_cycles(folder, &uses));
    }
    for (file, text) in tree::texts(".rs")? {
        problems.extend(find_unsafe(&file, &text)?);
    }
    let edges: usize = crates.iter().map(|one| one.dependencies.len()).sum();
    verdict(problems, || format!("{} crates, {edges} edges, all downwards; no module cycles", crates.len()))
}

impl Layers {
    /// Returns the row of a crate, or else the row of its layer.
    fn row(&self, folder: &str) -> Option<(&String, &Vec<String>)> {
        let layer = || self.dependencies.iter().find(|(row, _)| covers(row, folder));
        self.dependencies.get_key_value(folder).or_else(layer)
    }
}

fn find_forbidden(layers: &Layers, crates: &[Crate]) -> Vec<String> {
    let mut problems = Vec::new();
    for Crate { folder, dependencies, .. } in crates {
        let Some((_, allowed)) = layers.row(folder) else {
            problems.push(format!("{folder} has no row in {FILE}"));
            continue;
        };
        let forbidden = dependencies.iter().filter(|to| !allowed.iter().any(|pattern| covers(pattern, to)));
        problems.extend(forbidden.map(|to| format!("{folder}/Cargo.toml: {folder} may not depend on {to}")));
    }
    problems
}

/// Lists rows that match no crate, and allowed dependencies that no crate of the row has.
fn find_unused(layers: &Layers, crates: &[Crate]) -> Vec<String> {
    let mut problems = Vec::new();
    for (row, allowed) in &layers.dependencies {
        let covered: Vec<&Crate> = crates
            .iter()
            .filter(|one| layers.row(&one.folder).is_some_and(|(found, _)| found == row))
            .collect();
        if covered.is_empty() {
            problems.push(format!("{FILE}: there is no crate {row}"));
            continue;
        }
        let is_used =
            |pattern: &String| covered.iter().flat_map(|one| &one.dependencies).any(|to| covers(pattern, to));
        let unused = allowed.iter().filter(|pattern| !is_used(pattern));
        problems.extend(unused.map(|pattern| {
            format!(
                "{FILE}: {row} is allowed to depend on {pattern} but does not; remove {pattern} from its row"
            )
        }));
    }
    problems
}

/// Describes the dependency cycles between the modules of a crate.
fn find_cycles(folder: &str, uses: &Uses) -> Vec<String> {
    let describe = |cycle: &BTreeSet<&str>| {
        let path = shortest_cycle(uses, cycle).join(" → ");
        format!("{folder}: {} modules use each other; the shortest cycle: {path}", cycle.len())
    };
    cycles(uses).iter().map(describe).collect()
}

fn find_unsafe(file: &str, text: &str) -> Result<Vec<String>, Failure> {
    if UNSAFE_PATHS.iter().any(|path| file.contains(path)) {
        return Ok(Vec::new());
    }
    let code = Source::read(file, text)?.code;
    let problem = |at: usize| {
        let line = 1 + code[..at].matches('\n').count();
        format!("{file}:{line}: `unsafe` outside of {}", UNSAFE_PATHS.join(", "))
    };
    Ok(words(&code, "unsafe").map(problem).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    fn layers() -> Layers {
        toml::from_str(
            "[dependencies]\n\"base/core\" = []\n\"kem/*\" = [\"base/*\"]\n\"kem/hybrid\" = [\"kem/*\"]\n",
        )
        .unwrap()
    }

    fn one(folder: &str, to: &str) -> Crate {
        Crate { folder: folder.into(), dependencies: vec![to.into()], ..Crate::default() }
    }

    fn problems(from: &str, to: &str) -> Vec<String> {
        find_forbidden(&layers(), &[one(from, to)])
    }

    #[test]
    fn accepts_downward_edges() {
        assert!(problems("kem/mlkem", "base/core").is_empty());
        assert!(problems("kem/hybrid", "kem/mlkem").is_empty());
    }

    #[test]
    fn rejects_lateral_upward_and_unknown_edges() {
        assert_eq!(
            problems("kem/mlkem", "kem/hqc"),
            ["kem/mlkem/Cargo.toml: kem/mlkem may not depend on kem/hqc"]
        );
        assert_eq!(problems("base/core", "kem/mlkem").len(), 1);
        assert_eq!(problems("attic", "base/core"), ["attic has no row in layers.toml"]);
    }

    #[test]
    fn prefers_a_folders_own_row_to_its_layers_row() {
        assert_eq!(problems("kem/hybrid", "base/core").len(), 1);
    }

    #[test]
    fn rejects_rows_and_dependencies_that_no_crate_has() {
        let core = Crate { folder: "base/core".into(), ..Crate::default() };
        let mut crates = vec![core, one("kem/mlkem", "base/core"), one("kem/hybrid", "kem/mlkem")];
        assert!(find_unused(&layers(), &crates).is_empty());
        crates[2].dependencies.clear();
        assert_eq!(
            find_unused(&layers(), &crates),
            ["layers.toml: kem/hybrid is allowed to depend on kem/* but does not; remove kem/* from its row"]
        );
        crates.pop();
        assert_eq!(find_unused(&layers(), &crates), ["layers.toml: there is no crate kem/hybrid"]);
    }

    #[test]
    fn describes_each_cycle() {
        let uses = |pairs: &[(&str, &str)]| -> Uses {
            pairs.iter().map(|(from, to)| ((*from).to_owned(), BTreeSet::from([(*to).to_owned()]))).collect()
        };
        assert!(find_cycles("base/core", &uses(&[("a", "b"), ("b", "c")])).is_empty());
        let found = find_cycles("base/core", &uses(&[("a", "b"), ("b", "a"), ("c", "d"), ("d", "c")]));
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], "base/core: 2 modules use each other; the shortest cycle: a → b → a");
    }

    #[test]
    fn rejects_unsafe_outside_of_allowed_paths() {
        let text = "// unsafe in words\n#![forbid(unsafe_code)]\nfn f() { unsafe { g() } }\n";
        assert!(find_unsafe("kem/mlkem/src/backend/avx2.rs", text).unwrap().is_empty());
        let found = find_unsafe("kem/mlkem/src/poly.rs", text).unwrap();
        assert!(found.len() == 1 && found[0].starts_with("kem/mlkem/src/poly.rs:3: "), "{found:?}");
    }
}
