//! Changes of checkboxes: only boxes changed since the page was rendered are saved, so that concurrent edits by two
//! operators do not undo each other.

use crate::form::Form;
use std::collections::BTreeSet;

/// The ids that a form adds and removes.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Changes {
    pub(crate) added: Vec<String>,
    pub(crate) removed: Vec<String>,
}

impl Changes {
    /// Compares the ticked boxes (`name`), those ticked when the page was rendered (`had`), and the current state.
    pub(crate) fn read<'f, I: From<&'f str> + Ord>(
        ticked: impl Iterator<Item = &'f str>,
        had: impl Iterator<Item = &'f str>,
        now: &BTreeSet<I>,
    ) -> Self {
        let (ticked, had): (BTreeSet<&str>, BTreeSet<&str>) = (ticked.collect(), had.collect());
        let added = ticked.difference(&had).filter(|id| !now.contains(&I::from(**id))).map(|id| (*id).to_owned());
        let removed = had.difference(&ticked).filter(|id| now.contains(&I::from(**id))).map(|id| (*id).to_owned());
        Self { added: added.collect(), removed: removed.collect() }
    }

    /// Reads the changes from the form fields with these names.
    pub(crate) fn of<'f, I: From<&'f str> + Ord>(
        form: &'f Form,
        ticked: &'f str,
        had: &'f str,
        now: &BTreeSet<I>,
    ) -> Self {
        Self::read(form.all(ticked), form.all(had), now)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_others_did_meanwhile_stays() {
        let now = ["kept", "theirs", "untick"].map(str::to_owned).into();
        let changes = Changes::read(["kept", "new"].into_iter(), ["kept", "untick", "gone"].into_iter(), &now);
        assert_eq!(changes, Changes { added: vec!["new".to_owned()], removed: vec!["untick".to_owned()] });
        let twice = Changes::read(["theirs"].into_iter(), [].into_iter(), &now);
        assert_eq!(twice, Changes { added: vec![], removed: vec![] });
    }
}
