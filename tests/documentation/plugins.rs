//! The documentation of plugins in production: every command of the pages is one that the program knows, and every row of the
//! threat model names tests that exist.

use super::{named_tests, read};
use std::collections::BTreeSet;

const PAGE: &str = "docs/plugins-in-production.md";
/// What that page leads to.
const BESIDE: [&str; 8] = [
    "docs/plugin-rollouts.md",
    "docs/plugin-signatures.md",
    "sdk/docs/cache.md",
    "sdk/docs/calling-apis.md",
    "sdk/docs/denying.md",
    "sdk/docs/http.md",
    "sdk/docs/registries.md",
    "sdk/docs/replay.md",
];
/// Everybody who may do harm by a plugin, or suffer from one.
const ACTORS: [&str; 7] = ["author", "neighbour", "operator", "reader of recordings", "registry", "signer", "uploader"];
/// The fewest commands that the page shows.
const MIN_COMMANDS: usize = 15;

/// The words of a command of the shell; what is between single quotes is one of them.
fn shell_words(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            found.push(part.to_owned());
        } else {
            found.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    found
}

/// The commands of a page that the program does not know, and how many it has.
fn unknown_commands(page: &str) -> (Vec<String>, usize) {
    let page = read(page);
    let commands: Vec<&str> = page.lines().filter(|line| line.starts_with("claimsmith ")).collect();
    let refused = commands.iter().filter_map(|line| {
        // Without comments, and without what is read from a file.
        let line = line.split(" #").next()?.split(" < ").next()?;
        let error = claimsmith::cli::command().try_get_matches_from(shell_words(line)).err()?;
        Some(format!("{line}: {error}"))
    });
    (refused.collect(), commands.len())
}

#[test]
fn every_command_of_the_page_is_one_that_the_program_knows() {
    let (refused, count) = unknown_commands(PAGE);
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(count >= MIN_COMMANDS, "the commands were not understood: {count}");
}

#[test]
fn every_command_of_the_pages_beside_it_is_one_that_the_program_knows() {
    for page in BESIDE {
        let (refused, count) = unknown_commands(page);
        assert!(refused.is_empty(), "{page}: {refused:#?}");
        assert!(count > 0, "{page} shows no command");
    }
}

#[test]
fn every_threat_of_plugins_names_a_test_that_exists() {
    let page = read("SECURITY.md");
    let (_, below) = page.split_once("\n### Threat model of plugins\n").unwrap();
    let section = below.split("\n#").next().unwrap();
    let (mut actors, mut problems) = (BTreeSet::new(), Vec::new());
    // Below the line of headings.
    for row in section.lines().filter(|line| line.starts_with("| ")).skip(1) {
        let cells: Vec<&str> = row.trim_matches('|').split('|').map(str::trim).collect();
        let [actor, threat, defence, tests]: [&str; 4] = cells.try_into().unwrap();
        actors.insert(actor);
        let (count, wrong) = named_tests(tests);
        problems.extend(wrong);
        if threat.is_empty() || defence.is_empty() || count == 0 {
            problems.push(format!("{actor}, {threat}: a row has a threat, a defence and the name of a test"));
        }
    }
    assert!(problems.is_empty(), "{problems:#?}");
    assert_eq!(actors, BTreeSet::from(ACTORS));
}
