//! A diff of two texts by lines, with changed words marked and a few lines of context.

use similar::{ChangeTag, TextDiff};
use std::time::Duration;

/// Lines of context around a change.
const CONTEXT: usize = 3;
/// Time limit for an exact comparison; after it, the diff is approximate.
const DEADLINE: Duration = Duration::from_millis(250);

/// A diff; empty if the texts are equal.
#[derive(Default)]
pub(super) struct Diff {
    pub rows: Vec<DiffLine>,
    pub added: usize,
    pub removed: usize,
}

/// A line of the diff.
pub(super) struct DiffLine {
    /// CSS class: `add`, `remove`, empty, or `gap` for omitted lines.
    pub class: &'static str,
    pub before: Option<usize>,
    pub after: Option<usize>,
    /// Segments of the line, and whether each one changed.
    pub parts: Vec<(bool, String)>,
}

impl DiffLine {
    /// The sign before the line, so that colour is not the only cue.
    pub(super) fn sign(&self) -> &'static str {
        match self.class {
            "add" => "+",
            "remove" => "−",
            _ => "",
        }
    }
}

impl Diff {
    /// Compares two texts.
    pub(super) fn of(before: &str, after: &str) -> Self {
        let mut this = Self::default();
        if before == after {
            return this;
        }
        let compared = TextDiff::configure().timeout(DEADLINE).diff_lines(before, after);
        for (number, group) in compared.grouped_ops(CONTEXT).iter().enumerate() {
            if number > 0 {
                this.rows.push(DiffLine { class: "gap", before: None, after: None, parts: Vec::new() });
            }
            for change in group.iter().flat_map(|operation| compared.iter_inline_changes(operation)) {
                let class = match change.tag() {
                    ChangeTag::Equal => "",
                    ChangeTag::Insert => "add",
                    ChangeTag::Delete => "remove",
                };
                this.added += usize::from(class == "add");
                this.removed += usize::from(class == "remove");
                let parts = change.iter_strings_lossy();
                let parts =
                    parts.map(|(is_changed, text)| (is_changed, text.trim_end_matches(['\n', '\r']).to_owned()));
                let parts = parts.filter(|(_, text)| !text.is_empty()).collect();
                let (before, after) = (change.old_index(), change.new_index());
                this.rows.push(DiffLine {
                    class,
                    before: before.map(|at| at + 1),
                    after: after.map(|at| at + 1),
                    parts,
                });
            }
        }
        this
    }

    /// Whether the texts are equal.
    pub(super) fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_that_differ_are_marked() {
        let diff = Diff::of("a\nreturn one;\nb\n", "a\nreturn two;\nb\n");
        let marked: Vec<_> =
            diff.rows.iter().flat_map(|row| &row.parts).filter(|(is_changed, _)| *is_changed).collect();
        assert_eq!(marked, [&(true, "one;".to_owned()), &(true, "two;".to_owned())]);
        assert_eq!((diff.added, diff.removed, diff.rows.len()), (1, 1, 4));
        assert!(Diff::of("a", "a").is_empty());
    }

    #[test]
    fn lines_far_from_a_change_are_left_out() {
        let before = (0..40).map(|line| line.to_string() + "\n").collect::<Vec<_>>().concat();
        let after = before.replace("\n2\n", "\ntwo\n").replace("\n30\n", "\nthirty\n");
        let diff = Diff::of(&before, &after);
        assert_eq!(diff.rows.iter().filter(|row| row.class == "gap").count(), 1);
        assert!(diff.rows.len() < 20);
    }
}
