//! No circular dependencies between modules, at any level: if one sibling uses another, the other does not use it.

use super::{CRATES, code, root, sources};
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

/// What paths within a crate begin with.
const WITHIN: &[&str] = &["crate", "super"];

/// The path of a module from the root of its crate.
type Module = Vec<String>;

/// The modules of a crate, each with those that it uses.
fn uses_of(folder: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let files: Vec<(Module, String)> = sources(folder)
        .into_iter()
        // Others are crates of their own within the server's folder.
        .filter(|(path, _)| CRATES.iter().all(|other| *other == folder || !path.starts_with(other)))
        .map(|(path, text)| {
            let text = text.split("#[cfg(test)]").next().unwrap().to_owned();
            (module_of(path.strip_prefix(folder).unwrap()), text)
        })
        .collect();
    let names: BTreeSet<Module> = files.iter().map(|(module, _)| module.clone()).collect();
    let uses = |module: &Module, text: &str| -> BTreeSet<Module> {
        let paths = paths_in(&code(text), WITHIN).into_iter().filter_map(|path| resolve(module, &path, &names));
        paths.filter(|used| used != module).collect()
    };
    files.iter().map(|(module, text)| (module.clone(), uses(module, text))).collect()
}

fn module_of(file: &Path) -> Module {
    let mut names: Module =
        file.with_extension("").components().map(|part| part.as_os_str().to_str().unwrap().to_owned()).collect();
    if matches!(names.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        names.pop();
    }
    names
}

/// Every path that begins with one of these; each branch of those in braces.
pub(super) fn paths_in(code: &str, roots: &[&str]) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    for root in roots {
        for (start, _) in code.match_indices(&format!("{root}::")) {
            let before = code[..start].chars().next_back();
            if before.is_none_or(|c| !c.is_alphanumeric() && !matches!(c, '_' | ':')) {
                branches(&code[start..], &mut Vec::new(), &mut found);
            }
        }
    }
    found
}

/// Reads one path, with all that stands in its braces; answers how many bytes that were.
fn branches(text: &str, prefix: &mut Vec<String>, found: &mut Vec<Vec<String>>) -> usize {
    let depth = prefix.len();
    let mut at = 0;
    loop {
        let name: String = text[at..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
        at += name.len();
        if !name.is_empty() {
            prefix.push(name);
        }
        if !text[at..].starts_with("::") {
            found.push(prefix.clone());
            break;
        }
        at += 2;
        if text[at..].starts_with('{') {
            at += 1;
            loop {
                at += text[at..].len() - text[at..].trim_start_matches(|c: char| c.is_whitespace() || c == ',').len();
                if at >= text.len() || text[at..].starts_with('}') {
                    at = (at + 1).min(text.len());
                    break;
                }
                let read = branches(&text[at..], prefix, found);
                // `*`, and what follows `as`.
                let rest = text[at + read..].find([',', '}']).unwrap_or(0);
                at += (read + rest).max(1);
            }
            break;
        }
    }
    prefix.truncate(depth);
    at
}

/// The module that a path leads into.
fn resolve(module: &Module, path: &[String], names: &BTreeSet<Module>) -> Option<Module> {
    let ups = path.iter().take_while(|part| *part == "super").count();
    let base = if ups == 0 { &[][..] } else { module.get(..module.len().checked_sub(ups)?)? };
    let mut whole: Module = base.iter().chain(&path[ups.max(1)..]).cloned().collect();
    while !whole.is_empty() && !names.contains(&whole) {
        whole.pop();
    }
    (!whole.is_empty()).then_some(whole)
}

/// Which children of each module use which others, with a file that does.
fn siblings(uses: &BTreeMap<Module, BTreeSet<Module>>) -> BTreeMap<(Module, String), BTreeMap<String, String>> {
    let mut edges: BTreeMap<(Module, String), BTreeMap<String, String>> = BTreeMap::new();
    for (module, used) in uses {
        for other in used {
            let common = module.iter().zip(other).take_while(|(one, another)| one == another).count();
            let (Some(from), Some(to)) = (module.get(common), other.get(common)) else { continue };
            let from = (module[..common].to_vec(), from.clone());
            edges.entry(from).or_default().insert(to.clone(), module.join("/"));
        }
    }
    edges
}

#[test]
fn no_module_uses_one_that_uses_it() {
    let mut problems = Vec::new();
    for crate_folder in ["src", "sdk/runtime/src", "sdk/harness/src", "sdk/cli/src"].into_iter().chain(CRATES) {
        let uses = uses_of(crate_folder);
        assert!(
            uses.values().map(BTreeSet::len).sum::<usize>() > 4,
            "{crate_folder}: the search finds next to nothing"
        );
        let edges = siblings(&uses);
        for (parent, start) in edges.keys() {
            // Everything that is reached from here must not lead back.
            let mut open = vec![vec![start.clone()]];
            let mut seen = BTreeSet::new();
            while let Some(way) = open.pop() {
                let Some(next) = edges.get(&(parent.clone(), way.last().unwrap().clone())) else { continue };
                for (name, by) in next {
                    let longer: Vec<String> = way.iter().chain([name]).cloned().collect();
                    if name == start {
                        // A circle is told once, from its first name.
                        if way.iter().min() == Some(start) {
                            problems.push(format!(
                                "{crate_folder}/{}: {} (by {by})",
                                parent.join("/"),
                                longer.join(" → ")
                            ));
                        }
                    } else if seen.insert(name.clone()) {
                        open.push(longer);
                    }
                }
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn paths_are_found_in_every_form() {
    let found = paths_in("use crate::{a::{self, B}, c as d};\nlet x = super::e::f(crate::g::H);", WITHIN);
    let expected = [
        &["crate", "a", "self"][..],
        &["crate", "a", "B"],
        &["crate", "c"],
        &["crate", "g", "H"],
        &["super", "e", "f"],
    ];
    assert_eq!(found, expected);
    assert!(root().join("src").is_dir());
}
