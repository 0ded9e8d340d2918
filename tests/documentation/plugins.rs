//! The documentation of plugins in production: every command of the page is one that the program knows, and every row of the
//! threat model names tests that exist.

use super::{named_tests, read};
use std::collections::BTreeSet;

const PAGE: &str = "docs/plugins-in-production.md";
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

#[test]
fn every_command_of_the_page_is_one_that_the_program_knows() {
    let page = read(PAGE);
    let commands: Vec<&str> = page.lines().filter(|line| line.starts_with("claimsmith ")).collect();
    let refused: Vec<String> = commands
        .iter()
        .filter_map(|line| {
            let line = line.split(" #").next()?;
            let error = claimsmith::cli::command().try_get_matches_from(shell_words(line)).err()?;
            Some(format!("{line}: {error}"))
        })
        .collect();
    assert!(refused.is_empty(), "{refused:#?}");
    assert!(commands.len() >= MIN_COMMANDS, "the commands were not understood: {commands:#?}");
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
