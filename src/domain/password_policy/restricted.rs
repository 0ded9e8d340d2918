//! Parts of a password that are easily guessed: runs of one character, sequences of the keyboard and the alphabet, data
//! of the user, and rejected words. A password with hardly anything else is refused.

use super::issue::{Issue, UserInfo};
use crate::documents::password_policy::PasswordPolicy;
use std::sync::LazyLock;

/// Minimum length of a run or a sequence.
const MIN_RUN_CHARACTERS: usize = 3;
/// Minimum length of a word from the user's data; initials are ignored.
const MIN_WORD_CHARACTERS: usize = 3;
/// A password with this number of characters outside of such parts is accepted.
const ENOUGH_OTHER_CHARACTERS: usize = 3;

/// Sequences of the digits, the alphabet and keyboards.
const ROWS: [&str; 17] = [
    "01234567890",
    "abcdefghijklmnopqrstuvwxyz",
    "qwertyuiop",
    "asdfghjkl",
    "zxcvbnm",
    "qwertzuiopü",
    "yxcvbnm",
    "azertyuiop",
    "1qaz",
    "2wsx",
    "3edc",
    "4rfv",
    "5tgb",
    "6yhn",
    "7ujm",
    "8ik",
    "9ol",
];

/// Each sequence forwards and backwards, as characters.
static BOTH_WAYS: LazyLock<Vec<Vec<char>>> =
    LazyLock::new(|| ROWS.iter().flat_map(|row| [row.chars().collect(), row.chars().rev().collect()]).collect());

/// The issues of a password that consists of such parts, in a fixed order. Empty if enough other characters are left.
pub(super) fn issues(policy: &PasswordPolicy, password: &str, user: Option<&UserInfo>) -> Vec<Issue> {
    let letters = lower(password);
    let own_words: Vec<Vec<char>> = match user {
        Some(user) if policy.rejects(|rejects| rejects.user_info) => user.words().map(|word| lower(&word)).collect(),
        _ => Vec::new(),
    };
    let words: Vec<Vec<char>> = policy.words().map(lower).collect();
    let checks_runs = policy.rejects(|rejects| rejects.repetition_and_sequence);

    let mut is_guessed = vec![false; letters.len()];
    let mut found = Vec::new();
    for start in 0..letters.len() {
        let rest = &letters[start..];
        let runs = if checks_runs { [repeated(rest), in_a_row(rest)] } else { [0, 0] };
        for (issue, length) in [
            (Issue::Repetition, runs[0]),
            (Issue::Sequence, runs[1]),
            (Issue::Words, longest(&words, rest)),
            (Issue::UserInfo, longest(&own_words, rest)),
        ] {
            is_guessed[start..start + length].fill(true);
            if length > 0 && !found.contains(&issue) {
                found.push(issue);
            }
        }
    }
    let left = is_guessed.iter().filter(|is_guessed| !**is_guessed).count();
    // A short password is refused here only if all of it is guessed; otherwise it is too short anyway.
    let tolerated = ENOUGH_OTHER_CHARACTERS.min(letters.len().saturating_sub(1));
    if left >= tolerated.max(1) {
        return Vec::new();
    }
    let order = [Issue::Repetition, Issue::Sequence, Issue::Words, Issue::UserInfo];
    order.into_iter().filter(|issue| found.contains(issue)).collect()
}

fn lower(text: &str) -> Vec<char> {
    text.chars().map(|letter| letter.to_lowercase().next().unwrap_or(letter)).collect()
}

/// The length of the run of the first character; 0 if too short.
fn repeated(rest: &[char]) -> usize {
    let length = rest.iter().take_while(|letter| rest.first() == Some(*letter)).count();
    if length >= MIN_RUN_CHARACTERS { length } else { 0 }
}

/// The length of the sequence at the start, forwards or backwards; 0 if too short.
fn in_a_row(rest: &[char]) -> usize {
    let length = BOTH_WAYS.iter().map(|row| common_with_a_tail(row, rest)).max().unwrap_or(0);
    if length >= MIN_RUN_CHARACTERS { length } else { 0 }
}

/// The length of the longest common prefix of `rest` and any tail of the row.
fn common_with_a_tail(row: &[char], rest: &[char]) -> usize {
    let agree = |tail: &[char]| tail.iter().zip(rest).take_while(|(one, other)| one == other).count();
    (0..row.len()).map(|from| agree(&row[from..])).max().unwrap_or(0)
}

/// The length of the longest word at the start.
fn longest(words: &[Vec<char>], rest: &[char]) -> usize {
    words.iter().filter(|word| rest.starts_with(word)).map(Vec::len).max().unwrap_or(0)
}

impl UserInfo<'_> {
    /// The user's data, whole and split into words.
    fn words(&self) -> impl Iterator<Item = String> {
        let mut words = Vec::new();
        if let Some(name) = self.name {
            words.push(name.to_owned());
            words.push(name.split_whitespace().collect());
            words.extend(name.split_whitespace().map(str::to_owned));
        }
        if let Some(email) = self.email {
            words.push(email.to_owned());
            words.extend(email.split('@').next().map(str::to_owned));
        }
        words.extend([self.username, self.phone].into_iter().flatten().map(str::to_owned));
        words.into_iter().filter(|word| word.chars().count() >= MIN_WORD_CHARACTERS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_and_rows_are_found() {
        for (text, run, row) in [
            ("aaab", 3, 0),
            ("aab", 0, 0),
            ("abcx", 0, 3),
            ("cba1", 0, 3),
            ("7890x", 0, 4),
            ("qwertz", 0, 6),
            ("lkjh", 0, 4),
            ("1qa2", 0, 3),
            ("ab", 0, 0),
            ("", 0, 0),
        ] {
            assert_eq!((repeated(&lower(text)), in_a_row(&lower(text))), (run, row), "{text}");
        }
    }

    #[test]
    fn words_about_a_person_are_long_enough_to_tell() {
        let user = UserInfo { name: Some("Ada  de Bo"), email: Some("al@b.c"), username: Some("ada"), phone: None };
        let words: Vec<String> = user.words().collect();
        assert_eq!(words, ["Ada  de Bo", "AdadeBo", "Ada", "al@b.c", "ada"]);
    }
}
