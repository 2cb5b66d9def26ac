//! Dependency cycles between the modules of one crate: modules that use each other, directly or through other modules.

use crate::modules::Uses;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns the modules of each dependency cycle. Every module in a cycle uses every other, directly or through other
/// modules.
pub(crate) fn cycles(uses: &Uses) -> Vec<BTreeSet<&str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        uses.keys().map(|module| (module.as_str(), reachable(uses, module))).collect();
    let cycle = |module: &&str| -> BTreeSet<&str> {
        reached[module].iter().copied().filter(|other| reached[other].contains(module)).collect()
    };
    let in_cycles = reached.keys().filter(|module| reached[*module].contains(*module));
    in_cycles.map(cycle).collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns all modules that a module uses, directly or through other modules.
fn reachable<'a>(uses: &'a Uses, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = vec![from];
    while let Some(module) = open.pop() {
        for next in uses.get(module).into_iter().flatten() {
            if found.insert(next.as_str()) {
                open.push(next);
            }
        }
    }
    found
}

/// Returns a shortest path from a module of the cycle back to itself, with this module at both ends.
pub(crate) fn shortest_cycle<'a>(uses: &'a Uses, cycle: &BTreeSet<&'a str>) -> Vec<&'a str> {
    let paths = cycle.iter().filter_map(|module| shortest_from(uses, module));
    paths.min_by_key(Vec::len).unwrap_or_default()
}

fn shortest_from<'a>(uses: &'a Uses, start: &'a str) -> Option<Vec<&'a str>> {
    let mut open = VecDeque::from([vec![start]]);
    let mut seen = BTreeSet::new();
    while let Some(path) = open.pop_front() {
        for next in uses.get(*path.last()?).into_iter().flatten() {
            let longer = [path.as_slice(), &[next.as_str()]].concat();
            if next == start {
                return Some(longer);
            }
            if seen.insert(next.as_str()) {
                open.push_back(longer);
            }
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(edges: &[(&str, &str)]) -> Uses {
        let mut uses = Uses::new();
        for (from, to) in edges {
            uses.entry((*from).into()).or_default().insert((*to).into());
            uses.entry((*to).into()).or_default();
        }
        uses
    }

    #[test]
    fn finds_separate_cycles() {
        let uses =
            uses(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "d"), ("d", "e"), ("e", "d"), ("e", "f")]);
        assert_eq!(cycles(&uses), [BTreeSet::from(["a", "b", "c"]), BTreeSet::from(["d", "e"])]);
    }

    #[test]
    fn finds_no_cycle_in_layers() {
        assert!(cycles(&uses(&[("a", "b"), ("a", "c"), ("b", "d"), ("c", "d")])).is_empty());
    }

    #[test]
    fn shows_the_shortest_way_back() {
        let uses = uses(&[("a", "b"), ("b", "c"), ("c", "a"), ("c", "b")]);
        assert_eq!(shortest_cycle(&uses, &cycles(&uses)[0]), ["b", "c", "b"]);
    }
}
