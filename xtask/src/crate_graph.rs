//! The diagram and the table of the crates in MAP.md. The diagram is Mermaid text, which GitHub renders.

use crate::crates::Crate;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

/// For each crate's folder, the folders of the crates that it depends on.
type Edges<'a> = BTreeMap<&'a str, BTreeSet<&'a str>>;

/// A crate's layer and its arrows to other crates. Crates with equal layers and arrows share a box in the diagram.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Shape<'a> {
    layer: &'a str,
    uses: BTreeSet<&'a str>,
    users: BTreeSet<&'a str>,
}

/// Returns the diagram and the table of crates in Markdown.
pub(crate) fn markdown(crates: &[Crate]) -> String {
    let mut text = format!("\n```mermaid\n{}```\n\n| crate | purpose |\n|---|---|\n", mermaid(crates));
    for Crate { folder, description, .. } in crates {
        let _ = writeln!(text, "| `{folder}/` | {description} |");
    }
    text.push('\n');
    text
}

fn mermaid(crates: &[Crate]) -> String {
    let edges = reduce(&crate_edges(crates));
    let mut boxes: BTreeMap<Shape<'_>, Vec<&str>> = BTreeMap::new();
    for one in crates {
        boxes.entry(shape(&one.folder, &edges)).or_default().push(&one.folder);
    }
    let mut text = String::from("graph TD\n");
    let layers: BTreeSet<&str> = boxes.keys().map(|shape| shape.layer).collect();
    for layer in layers {
        let own =
            boxes.iter().filter(|(shape, _)| shape.layer == layer).map(|(_, members)| members.as_slice());
        text.push_str(&draw_layer(layer, &own.collect::<Vec<_>>()));
    }
    text.push_str(&arrows(&boxes));
    text
}

/// Returns the boxes of a layer. A frame surrounds them if the layer has several crates.
fn draw_layer(layer: &str, boxes: &[&[&str]]) -> String {
    if let [[only]] = boxes {
        return format!("  {}[\"{only}\"]\n", identifier(only));
    }
    let draw = |members: &&[&str]| format!("    {}[\"{}\"]\n", identifier(members[0]), label(members));
    let inner: String = boxes.iter().map(draw).collect();
    format!("  subgraph layer_{layer}[\"{layer}\"]\n{inner}  end\n")
}

fn arrows(boxes: &BTreeMap<Shape<'_>, Vec<&str>>) -> String {
    let first = |folder: &str| {
        boxes
            .values()
            .find(|members| members.contains(&folder))
            .map_or(String::new(), |members| identifier(members[0]))
    };
    let mut arrows = BTreeSet::new();
    for (shape, members) in boxes {
        arrows
            .extend(shape.uses.iter().map(|to| format!("  {} --> {}\n", identifier(members[0]), first(to))));
    }
    arrows.into_iter().collect()
}

fn shape<'a>(folder: &'a str, edges: &Edges<'a>) -> Shape<'a> {
    let users = edges.iter().filter(|(_, uses)| uses.contains(folder)).map(|(user, _)| *user);
    let uses = edges.get(folder).cloned().unwrap_or_default();
    Shape { layer: layer(folder), uses, users: users.collect() }
}

fn crate_edges(crates: &[Crate]) -> Edges<'_> {
    let known: BTreeSet<&str> = crates.iter().map(|one| one.folder.as_str()).collect();
    let uses =
        |one: &'_ Crate| one.dependencies.iter().filter_map(|to| known.get(to.as_str()).copied()).collect();
    crates.iter().map(|one| (one.folder.as_str(), uses(one))).collect()
}

/// Omits each edge that follows from others: A → C if A → B and B leads to C.
fn reduce<'a>(edges: &Edges<'a>) -> Edges<'a> {
    let is_implied = |uses: &BTreeSet<&'a str>, to: &'a str| {
        uses.iter().any(|other| *other != to && has_path(edges, other, to))
    };
    let reduce = |uses: &BTreeSet<&'a str>| uses.iter().copied().filter(|to| !is_implied(uses, to)).collect();
    edges.iter().map(|(from, uses)| (*from, reduce(uses))).collect()
}

/// Returns whether a path leads from one crate to another. It ends, because cargo allows no dependency cycles of
/// crates.
fn has_path(edges: &Edges<'_>, from: &str, to: &str) -> bool {
    edges.get(from).into_iter().flatten().any(|next| *next == to || has_path(edges, next, to))
}

fn layer(folder: &str) -> &str {
    folder.split('/').next().unwrap_or(folder)
}

fn label(members: &[&str]) -> String {
    let names: Vec<&str> =
        members.iter().map(|folder| folder.split_once('/').map_or(*folder, |(_, name)| name)).collect();
    names.join("<br>")
}

fn identifier(folder: &str) -> String {
    folder.replace(['/', '-'], "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(folder: &str, dependencies: &[&str]) -> Crate {
        let dependencies = dependencies.iter().map(|to| (*to).to_owned()).collect();
        Crate { folder: folder.into(), description: "d".into(), dependencies, ..Crate::default() }
    }

    #[test]
    fn draws_layers_and_joins_crates_with_the_same_arrows() {
        let crates = [
            one("base/core", &[]),
            one("base/hash", &["base/core"]),
            one("kem/a", &["base/core", "base/hash"]),
            one("kem/b", &["base/hash"]),
            one("tls", &["kem/a", "kem/b", "base/core"]),
        ];
        let expected = [
            "graph TD",
            "  subgraph layer_base[\"base\"]",
            "    base_core[\"core\"]",
            "    base_hash[\"hash\"]",
            "  end",
            "  subgraph layer_kem[\"kem\"]",
            "    kem_a[\"a<br>b\"]",
            "  end",
            "  tls[\"tls\"]",
            "  base_hash --> base_core",
            "  kem_a --> base_hash",
            "  tls --> kem_a",
        ];
        assert_eq!(mermaid(&crates).lines().collect::<Vec<_>>(), expected);
    }

    #[test]
    fn lists_every_crate_with_its_purpose() {
        assert!(markdown(&[one("kem/a", &[])]).contains("\n| `kem/a/` | d |\n"));
    }
}
