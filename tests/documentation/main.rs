//! The documentation: the tables of the configuration and of the audit keys match the program, every folder is on the
//! folder map, every link, path and test that is named exists, and comments name pages of decisions and not numbers.
#![expect(clippy::unwrap_used, reason = "a test may panic")]

mod plugins;

use claimsmith_domain::audit_key::AuditKey;
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The most lines of the README.
const MAX_README_LINES: usize = 150;
/// The fewest terms that lead to paths.
const MIN_TERMS: usize = 40;
/// How many letters of a word are compared, so that endings do not matter (`rotation`, `rotate`).
const STEM_LETTERS: usize = 4;
/// Words that tell nothing of what a term is about.
const SMALL_WORDS: [&str; 16] =
    ["a", "an", "and", "at", "by", "for", "in", "is", "not", "of", "one", "or", "that", "the", "to", "what"];
/// Parts of nearly every path.
const COMMON_PARTS: [&str; 4] = ["src", "sdk", "mod", "rs"];

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap()
}

/// What stands directly in a folder, by its path from the root, without what is hidden or what git ignores.
fn entries(folder: &str) -> Vec<String> {
    let ignored = read(".gitignore");
    let mut found = Vec::new();
    for entry in fs::read_dir(root().join(folder)).unwrap() {
        let name = entry.unwrap().file_name().into_string().unwrap();
        let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
        if !name.starts_with('.') && !ignored.lines().any(|line| line.trim_matches('/') == path) {
            found.push(path);
        }
    }
    found
}

/// Every file below a folder, by its path from the root.
fn files_below(folder: &str) -> Vec<String> {
    let mut found = Vec::new();
    for path in entries(folder) {
        if root().join(&path).is_dir() {
            found.extend(files_below(&path));
        } else {
            found.push(path);
        }
    }
    found
}

/// The folders directly in a folder.
fn folders(folder: &str) -> Vec<String> {
    entries(folder).into_iter().filter(|path| root().join(path).is_dir()).collect()
}

/// Every page whose links must lead somewhere.
fn pages() -> Vec<String> {
    let named = ["README.md", "SECURITY.md", "CONTRIBUTING.md", "CHANGELOG.md", "plugins/README.md", "sdk/README.md"];
    let mut found = Vec::from(named.map(str::to_owned));
    found.extend(files_below("docs"));
    for package in folders("sdk") {
        found.extend(entries(&package));
    }
    found.retain(|path| is_page(path));
    found
}

fn is_page(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "md")
}

/// The lines of a page outside of its blocks of code.
fn prose(page: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut is_code = false;
    for line in page.lines() {
        if line.trim_start().starts_with("```") {
            is_code = !is_code;
        } else if !is_code {
            found.push(line);
        }
    }
    found
}

/// Where the links of a page lead: `[text](target)` and `[name]: target`.
fn links(page: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in prose(page) {
        for rest in line.split("](").skip(1) {
            if let Some((target, _)) = rest.split_once(')') {
                found.push(target.to_owned());
            }
        }
        if let Some((_, target)) = line.strip_prefix('[').and_then(|rest| rest.split_once("]: ")) {
            found.push(target.to_owned());
        }
    }
    found
}

/// The fragments that lead into a page, as GitHub makes them of its headings.
fn fragments(page: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in prose(page) {
        let heading = line.trim_start_matches('#');
        if heading.len() < line.len() && heading.starts_with(' ') {
            let heading = heading.trim().to_lowercase();
            let kept = heading.chars().filter(|c| c.is_alphanumeric() || [' ', '-', '_'].contains(c));
            found.insert(kept.map(|c| if c == ' ' { '-' } else { c }).collect());
        }
    }
    found
}

/// The first two cells of each row of the tables below a heading, up to the next heading of its level.
fn rows<'p>(page: &'p str, heading: &str) -> Vec<(&'p str, &'p str)> {
    let (_, below) = page.split_once(&format!("\n## {heading}\n")).unwrap();
    let section = below.split("\n## ").next().unwrap();
    let mut found = Vec::new();
    for line in section.lines() {
        let mut cells = line.split('|').map(str::trim);
        if let (Some(""), Some(first), Some(second)) = (cells.next(), cells.next(), cells.next()) {
            found.push((first, second));
        }
    }
    found
}

/// The path in a cell, if it holds one.
fn path_of(cell: &str) -> Option<&str> {
    cell.strip_prefix('`').and_then(|rest| rest.strip_suffix('`'))
}

/// The path in a cell, and the item of that file which the cell names behind it, if any: `` `path` (`item`) ``.
fn path_and_item(cell: &str) -> (Option<&str>, Option<&str>) {
    let named = cell.strip_suffix(')').and_then(|rest| rest.split_once(" ("));
    named.map_or_else(|| (path_of(cell), None), |(path, item)| (path_of(path), path_of(item)))
}

/// The words of a text in lower case.
fn words(text: &str) -> Vec<String> {
    let words = text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words.map(str::to_lowercase).collect()
}

/// What a word begins with, whatever its ending.
fn stem(word: &str) -> String {
    let stem: String = word.chars().take(STEM_LETTERS).collect();
    if word.chars().count() <= STEM_LETTERS { stem.trim_end_matches('s').to_owned() } else { stem }
}

/// Whether a word of the term begins a word of the path or of the item.
fn is_found_by(term: &str, path: &str, item: Option<&str>) -> bool {
    let told: Vec<String> = words(term).into_iter().filter(|word| !SMALL_WORDS.contains(&word.as_str())).collect();
    let stems: Vec<String> = told.iter().map(|word| stem(word)).filter(|stem| stem.len() > 1).collect();
    let mut names = words(path);
    names.extend(item.into_iter().flat_map(words));
    names.retain(|name| !COMMON_PARTS.contains(&name.as_str()));
    names.iter().any(|name| stems.iter().any(|stem| name.starts_with(stem.as_str())))
}

#[test]
fn the_configuration_table_is_the_programs_own() {
    let page = read("docs/configuration.md");
    let (_, rest) = page.split_once("<!-- claimsmith config keys -->\n").unwrap();
    let (table, _) = rest.split_once("\n<!-- end -->").unwrap();
    let own = claimsmith_config::reference();
    assert_eq!(table.trim(), own.trim(), "put the output of `claimsmith config keys` into docs/configuration.md");
}

/// What stands between backticks.
fn quoted(text: &str) -> Vec<&str> {
    text.split('`').skip(1).step_by(2).collect()
}

#[test]
fn the_table_of_audit_keys_has_all_that_are_written() {
    let page = read("docs/audit-log-keys.md");
    let mut shown = BTreeSet::new();
    for (beginnings, ends) in rows(&page, "Keys") {
        for end in quoted(ends) {
            let composed = quoted(beginnings).into_iter().map(|beginning| format!("{beginning}.{end}"));
            let found: Vec<String> = composed.collect();
            shown.extend(if found.is_empty() { vec![end.to_owned()] } else { found });
        }
    }
    let own: BTreeSet<String> = AuditKey::ALL.iter().map(AuditKey::to_string).collect();
    let missing: Vec<&String> = own.difference(&shown).collect();
    let unknown: Vec<&String> = shown.difference(&own).collect();
    assert!(missing.is_empty(), "docs/audit-log-keys.md has no {missing:?}");
    assert!(unknown.is_empty(), "docs/audit-log-keys.md has {unknown:?}, which nothing writes");
}

#[test]
fn the_readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(
        lines <= MAX_README_LINES,
        "the README has {lines} lines: what is beyond the first minutes belongs to docs/"
    );
}

#[test]
fn the_map_shows_every_folder_and_nothing_else() {
    let page = read("docs/architecture.md");
    let map: BTreeSet<&str> = rows(&page, "Folder map").into_iter().filter_map(|(path, _)| path_of(path)).collect();
    let mut problems = Vec::new();
    for path in &map {
        if !root().join(path).exists() {
            problems.push(format!("{path} is on the map but not there"));
        }
    }
    for path in ["", "sdk", "tests"].into_iter().flat_map(folders).chain(entries("src")) {
        if !map.contains(path.as_str()) {
            problems.push(format!("{path} is there but not on the map of docs/architecture.md"));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn every_term_leads_to_a_path() {
    let page = read("docs/architecture.md");
    let mut seen = BTreeSet::new();
    for (term, path) in rows(&page, "From the field's terms to paths") {
        let (Some(path), item) = path_and_item(path) else { continue };
        assert!(root().join(path).exists(), "{term} leads to {path}, which is not there");
        assert!(item.is_none_or(|item| read(path).contains(item)), "{term} leads to {item:?}, which {path} has not");
        assert!(is_found_by(term, path, item), "{path} shares no word with {term}: name an item, or a better file");
        assert!(seen.insert(term), "{term} stands there twice");
    }
    assert!(seen.len() >= MIN_TERMS, "only {} terms lead to a path", seen.len());
}

#[test]
fn a_term_shares_a_word_with_its_path() {
    assert!(is_found_by("key rotation", "src/services/tokens/keys.rs", None));
    assert!(is_found_by("ids, a type for each kind", "src/domain/id.rs", None));
    assert!(is_found_by("JWT signing", "src/services/tokens/algorithm.rs", Some("Signer")));
    assert!(!is_found_by("JWT signing", "src/services/tokens/algorithm.rs", None));
    assert!(!is_found_by("the mode of the source", "src/domain/mod.rs", None));
}

#[test]
fn every_link_leads_somewhere() {
    let mut problems = Vec::new();
    let mut seen = 0;
    for page in pages() {
        let folder = page.rsplit_once('/').map_or(".", |(folder, _)| folder);
        for link in links(&read(&page)) {
            if link.contains("://") {
                continue;
            }
            seen += 1;
            let (path, fragment) = link.split_once('#').unwrap_or((link.as_str(), ""));
            let target = if path.is_empty() { page.clone() } else { format!("{folder}/{path}") };
            if !root().join(&target).exists() {
                problems.push(format!("{page}: {link} is not there"));
            } else if !fragment.is_empty() && !fragments(&read(&target)).contains(fragment) {
                problems.push(format!("{page}: {link} has no such heading"));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(seen > 100, "the links were not understood");
}

#[test]
fn every_page_stands_in_the_index_of_its_folder() {
    for page in files_below("docs").iter().filter(|path| is_page(path)) {
        let (folder, name) = page.rsplit_once('/').unwrap();
        let is_listed = read(&format!("{folder}/README.md")).contains(&format!("]({name})"));
        assert!(is_listed || name == "README.md", "{folder}/README.md does not list {name}");
    }
}

fn is_rust(path: &str) -> bool {
    Path::new(path).extension().is_some_and(|extension| extension == "rs")
}

/// What lies below these folders, and the sources of the packages in `sdk`.
fn sources(folders_of_root: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = folders_of_root.iter().copied().flat_map(files_below).collect();
    for sources in folders("sdk").iter().map(|package| format!("{package}/src")) {
        if root().join(&sources).is_dir() {
            found.extend(files_below(&sources));
        }
    }
    found
}

/// Whether it is a test's name, which is a sentence: no other word of the page has as many underscores.
fn is_test_name(word: &str) -> bool {
    let is_name = word.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_');
    is_name && word.matches('_').count() >= 3
}

/// Whether a test of this name stands in a file, or in a file of a folder.
fn has_test(path: &str, name: &str) -> bool {
    let files = if root().join(path).is_dir() { files_below(path) } else { vec![path.to_owned()] };
    let ways = [format!("fn {name}("), format!("both!({name},"), format!("on_postgres!({name},")];
    files.iter().filter(|path| is_rust(path)).any(|path| {
        let text = read(path);
        ways.iter().any(|way| text.contains(way.as_str()))
    })
}

/// How many tests a text names, and what is wrong with them. Between backticks it has the names of tests, and then the file
/// that they are in.
fn named_tests(text: &str) -> (usize, Vec<String>) {
    let (mut problems, mut names, mut seen) = (Vec::new(), Vec::new(), 0);
    for word in quoted(text) {
        if is_test_name(word) {
            names.push(word);
        } else if ["sdk/", "src/", "tests/"].iter().any(|folder| word.starts_with(folder)) {
            if !root().join(word).exists() {
                problems.push(format!("{word} is not there"));
                names.clear();
            }
            seen += names.len();
            let missing = names.drain(..).filter(|name| !has_test(word, name));
            problems.extend(missing.map(|name| format!("{word} has no test {name}")));
        }
    }
    problems.extend(names.iter().map(|name| format!("{name}: say in which file it is")));
    (seen, problems)
}

#[test]
fn every_test_that_keeps_a_promise_is_where_security_says() {
    let (seen, problems) = named_tests(&read("SECURITY.md"));
    assert!(problems.is_empty(), "{problems:#?}");
    assert!(seen > 30, "the names of tests were not understood: {seen}");
}

#[test]
fn comments_have_no_examples_that_nothing_runs() {
    let mut problems = Vec::new();
    for path in sources(&["src"]).into_iter().filter(|path| is_rust(path)) {
        let text = read(&path);
        let comments = text.lines().filter_map(|line| {
            let line = line.trim_start();
            line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))
        });
        // Every second fence ends a block. What rustdoc would run says nothing, or that it is Rust.
        let fences = comments.filter_map(|line| line.trim_start().strip_prefix("```")).map(str::trim);
        if fences.step_by(2).any(|language| !["ignore", "json", "text"].contains(&language)) {
            problems.push(format!("{path}: its Cargo.toml says doctest = false"));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn comments_name_pages_and_not_numbers() {
    // Written so that this file does not name them.
    let numbered = ["decision", "decisions"];
    let foreign = [concat!("of the ", "specification"), concat!("the ", "specification's")];
    let mut problems = Vec::new();
    for path in sources(&["src", "tests", "migrations"]) {
        let bytes = fs::read(root().join(&path)).unwrap();
        let text = String::from_utf8_lossy(&bytes).to_lowercase();
        for (index, line) in text.lines().enumerate() {
            let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
            let is_numbered = words.windows(2).any(|two| numbered.contains(&two[0]) && two[1].parse::<u16>().is_ok());
            if is_numbered || foreign.iter().any(|text| line.contains(*text)) {
                problems.push(format!("{path}:{}: say which page of docs/decisions, or which RFC", index + 1));
            }
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
}

#[test]
fn the_description_that_is_kept_is_the_programs_own() {
    let output = Command::new(env!("CARGO_BIN_EXE_claimsmith")).arg("openapi").output().unwrap();
    let (kept, own) = (read("docs/openapi.json"), String::from_utf8(output.stdout).unwrap());
    let differs = kept.lines().zip(own.lines()).position(|(kept, own)| kept != own);
    let line = differs.map_or("its end".to_owned(), |index| format!("line {}", index + 1));
    // Clients are made of it: a change of it is a change of the API, to be looked at.
    assert!(kept == own, "docs/openapi.json differs from `claimsmith openapi` at {line}: put its output there");
}
