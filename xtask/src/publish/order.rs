//! The order of publishing: a crate follows the crates of this repository that it needs.

use super::metadata::Package;
use crate::outcome::Failure;

/// Sorts the names of the crates so that each one follows its dependencies. Crates that are equally far up are sorted
/// by folder. Dependencies of tests count if they have a version, because a registry looks for them, too.
pub(super) fn sort<'a>(packages: &[&'a Package]) -> Result<Vec<&'a str>, Failure> {
    let mut rest: Vec<&Package> = packages.to_vec();
    rest.sort_by(|a, b| a.folder.cmp(&b.folder));
    let mut sorted = Vec::new();
    while !rest.is_empty() {
        let waits = |package: &&Package| {
            let mut needed = package.dependencies.iter().filter(|dependency| dependency.has_version);
            needed.any(|dependency| rest.iter().any(|other| other.name == dependency.name))
        };
        let (waiting, ready): (Vec<&Package>, Vec<&Package>) =
            rest.iter().partition(|package| waits(package));
        if ready.is_empty() {
            let names: Vec<&str> = waiting.iter().map(|package| package.name.as_str()).collect();
            return Err(Failure(vec![format!(
                "no order of publishing: {} need each other; remove the `version` of a dependency of tests",
                names.join(", ")
            )]));
        }
        sorted.extend(ready.iter().map(|package| package.name.as_str()));
        rest = waiting;
    }
    Ok(sorted)
}

#[cfg(test)]
mod tests {
    use super::super::metadata::Dependency;
    use super::*;

    fn package(name: &str, needs: &[(&str, bool)]) -> Package {
        let dependency = |&(name, has_version): &(&str, bool)| Dependency {
            name: name.into(),
            has_version,
            ..Dependency::default()
        };
        let dependencies = needs.iter().map(dependency).collect();
        Package { name: name.into(), folder: name.into(), dependencies, ..Package::default() }
    }

    #[test]
    fn sorts_crates_after_their_dependencies() {
        let crates = [
            package("a", &[("core", true), ("meter", true)]),
            package("core", &[]),
            package("meter", &[("core", true), ("a", false)]),
        ];
        let crates: Vec<&Package> = crates.iter().collect();
        assert_eq!(sort(&crates), Ok(vec!["core", "meter", "a"]));
    }

    #[test]
    fn rejects_crates_that_need_each_other() {
        let crates = [package("a", &[("b", true)]), package("b", &[("a", true)]), package("c", &[])];
        let crates: Vec<&Package> = crates.iter().collect();
        let problem = sort(&crates).unwrap_err().0.remove(0);
        assert!(problem.starts_with("no order of publishing: a, b need each other"), "{problem}");
    }
}
