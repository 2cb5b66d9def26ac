//! The modules of a crate, and which of them uses which, by `use` and by paths.
//!
//! A module is a file; an inline module belongs to its file. Code for tests does not count. A path leads to the file
//! that defines the item, through all re-exports. A re-export only forwards a name, so it does not count as a use.

use crate::outcome::Failure;
use crate::tree;
use proc_macro2::{TokenStream, TokenTree};
use std::collections::{BTreeMap, BTreeSet};
use syn::visit::{self, Visit};

/// For each file of a crate, the other files that it uses.
pub(crate) type Uses = BTreeMap<String, BTreeSet<String>>;

/// Reads all modules below the first source file of a crate.
///
/// # Errors
/// Returns an error if a file cannot be read or is not Rust.
pub(crate) fn uses(source: &str) -> Result<Uses, Failure> {
    let mut modules = Modules::default();
    modules.add_file(source, None, "")?;
    Ok(modules.uses())
}

/// All modules of a crate; the first is the root.
#[derive(Default)]
struct Modules(Vec<Module>);

#[derive(Default)]
struct Module {
    file: String,
    parent: Option<usize>,
    children: BTreeMap<String, usize>,
    /// Names of the items that the module defines.
    items: BTreeSet<String>,
    imports: Vec<Import>,
    /// Paths with at least two parts.
    paths: Vec<Vec<String>>,
}

/// One name of a `use` item.
struct Import {
    /// The name that the module sees; `*` for all names.
    name: String,
    path: Vec<String>,
    is_reexport: bool,
}

impl Modules {
    /// Adds the module of a file, with all modules below it. `name` is the module's own name, empty for the root.
    fn add_file(&mut self, file: &str, parent: Option<usize>, name: &str) -> Result<usize, Failure> {
        let parsed = syn::parse_file(&tree::read(file)?)
            .map_err(|error| Failure(vec![format!("{file}:{}: {error}", error.span().start().line)]))?;
        let (folder, last) = file.rsplit_once('/').unwrap_or(("", file));
        let folder = match last {
            "lib.rs" | "main.rs" | "mod.rs" => folder.to_owned(),
            _ if name.is_empty() => folder.to_owned(),
            _ => file.trim_end_matches(".rs").to_owned(),
        };
        self.add(file, &folder, parent, &parsed.items)
    }

    /// Adds a module with these items. `folder` contains the files of its submodules.
    fn add(
        &mut self,
        file: &str,
        folder: &str,
        parent: Option<usize>,
        items: &[syn::Item],
    ) -> Result<usize, Failure> {
        let (own, mut module) = (self.0.len(), Module { file: file.into(), parent, ..Module::default() });
        items.iter().for_each(|item| module.visit_item(item));
        self.0.push(module);
        for item in items {
            let syn::Item::Mod(item) = item else { continue };
            if is_for_tests(&item.attrs) {
                continue;
            }
            let name = item.ident.to_string();
            let child = match &item.content {
                Some((_, items)) => self.add(file, &format!("{folder}/{name}"), Some(own), items)?,
                None => self.add_file(&submodule(file, folder, &name, &item.attrs), Some(own), &name)?,
            };
            self.0[own].children.insert(name, child);
        }
        Ok(own)
    }

    fn uses(&self) -> Uses {
        let mut uses = Uses::new();
        for (own, module) in self.0.iter().enumerate() {
            let imports =
                module.imports.iter().filter(|import| !import.is_reexport).map(|import| &import.path);
            let targets = imports.chain(&module.paths).filter_map(|path| self.resolve(own, path, 0));
            let files = targets.map(|target| self.0[target].file.clone()).filter(|file| *file != module.file);
            uses.entry(module.file.clone()).or_default().extend(files);
        }
        uses
    }

    /// Returns the module that defines the item to which a path leads, or the module itself if the path names one.
    /// `from`: the module that contains the path. `depth`: the number of re-exports that led to this path.
    fn resolve(&self, from: usize, path: &[String], depth: usize) -> Option<usize> {
        let (mut at, mut rest) = (from, path);
        loop {
            match rest {
                [first, after @ ..] if first == "crate" => (at, rest) = (0, after),
                [first, after @ ..] if first == "self" || first == "*" => rest = after,
                [first, after @ ..] if first == "super" => (at, rest) = (self.0[at].parent?, after),
                [] => return Some(at),
                [name, after @ ..] => match self.find(at, name, depth)? {
                    Found::Module(module) => (at, rest) = (module, after),
                    Found::Item(module) => return Some(module),
                },
            }
        }
    }

    /// Finds a name in a module.
    fn find(&self, module: usize, name: &str, depth: usize) -> Option<Found> {
        const MAX_REEXPORTS: usize = 16;
        let here = &self.0[module];
        if let Some(child) = here.children.get(name) {
            return Some(Found::Module(*child));
        }
        if here.items.contains(name) {
            return Some(Found::Item(module));
        }
        if depth == MAX_REEXPORTS {
            return None;
        }
        if let Some(import) = here.imports.iter().find(|import| import.name == name) {
            let target = self.resolve(module, &import.path, depth + 1)?;
            let names_module = import.path.last().is_some_and(|last| !self.0[target].items.contains(last));
            return Some(if names_module { Found::Module(target) } else { Found::Item(target) });
        }
        let globs = here.imports.iter().filter(|import| import.name == "*");
        let targets = globs.filter_map(|import| self.resolve(module, &import.path, depth + 1));
        targets.filter(|target| *target != module).find_map(|target| self.find(target, name, depth + 1))
    }
}

/// The target of a name.
enum Found {
    Module(usize),
    /// An item of this module.
    Item(usize),
}

/// Returns the file of `mod name;`.
fn submodule(file: &str, folder: &str, name: &str, attributes: &[syn::Attribute]) -> String {
    let given = attributes.iter().find_map(|attribute| match &attribute.meta {
        syn::Meta::NameValue(pair) if pair.path.is_ident("path") => match &pair.value {
            syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(path), .. }) => Some(path.value()),
            _ => None,
        },
        _ => None,
    });
    let own_folder = file.rsplit_once('/').map_or("", |(folder, _)| folder);
    match given {
        Some(path) => format!("{own_folder}/{path}"),
        None if tree::root().join(format!("{folder}/{name}.rs")).is_file() => format!("{folder}/{name}.rs"),
        None => format!("{folder}/{name}/mod.rs"),
    }
}

/// Returns whether attributes contain `cfg(test)`, alone or with other conditions.
fn is_for_tests(attributes: &[syn::Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg") => {
            list.tokens.to_string().split(|c: char| !c.is_alphanumeric()).any(|word| word == "test")
        }
        _ => false,
    })
}

impl Visit<'_> for Module {
    fn visit_item(&mut self, item: &syn::Item) {
        if is_for_tests(attributes(item)) {
            return;
        }
        self.items.extend(name(item));
        if !matches!(item, syn::Item::Mod(_)) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_use(&mut self, item: &syn::ItemUse) {
        let is_reexport = !matches!(item.vis, syn::Visibility::Inherited);
        self.import(&item.tree, &mut Vec::new(), is_reexport);
    }

    fn visit_impl_item_fn(&mut self, function: &syn::ImplItemFn) {
        if !is_for_tests(&function.attrs) {
            visit::visit_impl_item_fn(self, function);
        }
    }

    fn visit_path(&mut self, path: &syn::Path) {
        let parts: Vec<String> = path.segments.iter().map(|part| part.ident.to_string()).collect();
        if parts.len() > 1 && path.leading_colon.is_none() {
            self.paths.push(parts);
        }
        visit::visit_path(self, path);
    }

    fn visit_macro(&mut self, macros: &syn::Macro) {
        self.visit_path(&macros.path);
        self.add_paths(macros.tokens.clone());
    }

    fn visit_attribute(&mut self, _: &syn::Attribute) {}

    fn visit_vis_restricted(&mut self, _: &syn::VisRestricted) {}
}

impl Module {
    fn import(&mut self, tree: &syn::UseTree, path: &mut Vec<String>, is_reexport: bool) {
        let (name, last) = match tree {
            syn::UseTree::Path(part) => {
                path.push(part.ident.to_string());
                self.import(&part.tree, path, is_reexport);
                path.pop();
                return;
            }
            syn::UseTree::Group(group) => {
                return group.items.iter().for_each(|tree| self.import(tree, path, is_reexport));
            }
            syn::UseTree::Glob(_) => ("*".to_owned(), "*".to_owned()),
            syn::UseTree::Name(name) if name.ident == "self" => {
                (path.last().cloned().unwrap_or_default(), "self".to_owned())
            }
            syn::UseTree::Name(name) => (name.ident.to_string(), name.ident.to_string()),
            syn::UseTree::Rename(rename) => (rename.rename.to_string(), rename.ident.to_string()),
        };
        let path = [path.as_slice(), &[last]].concat();
        self.imports.push(Import { name, path, is_reexport });
    }

    /// Adds the paths in the argument or the definition of a macro.
    fn add_paths(&mut self, tokens: TokenStream) {
        let mut path: Vec<String> = Vec::new();
        let mut colons = 0;
        for token in tokens {
            match token {
                TokenTree::Punct(mark) if mark.as_char() == ':' => colons += 1,
                TokenTree::Ident(part) => {
                    if colons != 2 {
                        self.paths.extend(take_path(&mut path));
                    }
                    path.push(part.to_string());
                    colons = 0;
                }
                other => {
                    self.paths.extend(take_path(&mut path));
                    colons = 0;
                    if let TokenTree::Group(group) = other {
                        self.add_paths(group.stream());
                    }
                }
            }
        }
        self.paths.extend(take_path(&mut path));
    }
}

/// Returns the path if it has at least two parts, and empties it.
fn take_path(path: &mut Vec<String>) -> Option<Vec<String>> {
    Some(std::mem::take(path)).filter(|path| path.len() > 1)
}

fn attributes(item: &syn::Item) -> &[syn::Attribute] {
    match item {
        syn::Item::Const(item) => &item.attrs,
        syn::Item::Enum(item) => &item.attrs,
        syn::Item::Fn(item) => &item.attrs,
        syn::Item::Impl(item) => &item.attrs,
        syn::Item::Macro(item) => &item.attrs,
        syn::Item::Mod(item) => &item.attrs,
        syn::Item::Static(item) => &item.attrs,
        syn::Item::Struct(item) => &item.attrs,
        syn::Item::Trait(item) => &item.attrs,
        syn::Item::Type(item) => &item.attrs,
        syn::Item::Use(item) => &item.attrs,
        _ => &[],
    }
}

/// Returns the name that an item defines.
fn name(item: &syn::Item) -> Option<String> {
    let name = match item {
        syn::Item::Const(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Macro(item) => item.ident.as_ref()?,
        syn::Item::Static(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Trait(item) => &item.ident,
        syn::Item::Type(item) => &item.ident,
        syn::Item::Union(item) => &item.ident,
        _ => return None,
    };
    Some(name.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// Writes a crate into a folder of its own and returns its uses, with file names relative to the folder.
    fn module_uses(name: &str, files: &[(&str, &str)]) -> Vec<(String, String)> {
        let folder = std::env::temp_dir().join(format!("grille-modules-{}-{name}", std::process::id()));
        for (file, text) in files {
            let path = folder.join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let found = uses(folder.join("lib.rs").to_str().unwrap());
        fs::remove_dir_all(&folder).unwrap();
        let short = |file: &str| file.rsplit_once(&format!("-{name}/")).unwrap().1.to_owned();
        let pairs = |(from, to): (String, BTreeSet<String>)| {
            to.into_iter().map(move |to| (short(&from), short(&to))).collect::<Vec<_>>()
        };
        found.unwrap().into_iter().flat_map(pairs).collect()
    }

    fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
        expected.iter().map(|(from, to)| ((*from).to_owned(), (*to).to_owned())).collect()
    }

    #[test]
    fn follows_imports_paths_and_macros() {
        let found = module_uses(
            "paths",
            &[
                ("lib.rs", "mod a; mod b; mod c; mod d;"),
                ("a.rs", "use crate::b::{self, B as C}; fn f() { C::new(); }"),
                ("b.rs", "pub struct B; fn f() -> super::c::Y { todo() }"),
                ("c.rs", "pub struct Y; fn f() { println!(\"{}\", crate::d::g(1)) }"),
                ("d.rs", "pub fn g(_: u8) {} fn h() { std::mem::drop(1) }"),
            ],
        );
        assert_eq!(found, pairs(&[("a.rs", "b.rs"), ("b.rs", "c.rs"), ("c.rs", "d.rs")]));
    }

    #[test]
    fn follows_reexports_to_the_definition() {
        let found = module_uses(
            "reexports",
            &[
                ("lib.rs", "mod a; mod user; pub use a::Inner; pub fn own() {}"),
                ("a/mod.rs", "mod b; pub use b::*;"),
                ("a/b.rs", "pub struct Inner; pub struct Other;"),
                ("user.rs", "use crate::Inner; use crate::a::Other; fn f() { crate::own() }"),
            ],
        );
        assert_eq!(found, pairs(&[("user.rs", "a/b.rs"), ("user.rs", "lib.rs")]));
    }

    #[test]
    fn counts_inline_modules_to_their_file_and_ignores_tests() {
        let found = module_uses(
            "inline",
            &[
                ("lib.rs", "mod a; mod b { pub mod c; pub fn f() {} } #[cfg(test)] mod tests;"),
                (
                    "a.rs",
                    "#[cfg(test)] use crate::b::c::X; #[cfg(all(test, unix))] mod tests { use crate::b; }",
                ),
                ("b/c.rs", "pub struct X; fn g() { super::f() }"),
            ],
        );
        assert_eq!(found, pairs(&[("b/c.rs", "lib.rs")]));
    }

    #[test]
    fn names_a_file_that_is_not_rust() {
        let failure = uses("MAP.md").unwrap_err();
        assert!(failure.0[0].starts_with("MAP.md:"), "{failure:?}");
    }
}
