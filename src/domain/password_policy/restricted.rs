//! Parts of a password that are quickly guessed: runs of one character, rows of the keyboard and the alphabet, what is
//! known of a person, and given words. A password that hardly has anything else is refused.

use super::issue::{Issue, UserInfo};
use crate::documents::password_policy::PasswordPolicy;
use std::sync::LazyLock;

/// The fewest characters of a run or a row.
const MIN_RUN_CHARACTERS: usize = 3;
/// The fewest characters of a word about a person. Initials say nothing.
const MIN_WORD_CHARACTERS: usize = 3;
/// A password with so many characters outside of such parts is good.
const ENOUGH_OTHER_CHARACTERS: usize = 3;

/// What lies side by side in the alphabet, in the numbers and on keyboards.
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

/// Each row forwards and backwards, in characters.
static BOTH_WAYS: LazyLock<Vec<Vec<char>>> =
    LazyLock::new(|| ROWS.iter().flat_map(|row| [row.chars().collect(), row.chars().rev().collect()]).collect());

/// What is wrong with a password that is made of such parts, in one order. Nothing when enough else is left of it.
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
    // Of a short password all has to be guessed, or it is too short anyway.
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

/// How often the first character stands there.
fn repeated(rest: &[char]) -> usize {
    let length = rest.iter().take_while(|letter| rest.first() == Some(*letter)).count();
    if length >= MIN_RUN_CHARACTERS { length } else { 0 }
}

/// How far a row leads, forwards or backwards.
fn in_a_row(rest: &[char]) -> usize {
    let length = BOTH_WAYS.iter().map(|row| common_with_a_tail(row, rest)).max().unwrap_or(0);
    if length >= MIN_RUN_CHARACTERS { length } else { 0 }
}

/// How many characters agree from where the first one stands in the row.
fn common_with_a_tail(row: &[char], rest: &[char]) -> usize {
    let agree = |tail: &[char]| tail.iter().zip(rest).take_while(|(one, other)| one == other).count();
    (0..row.len()).map(|from| agree(&row[from..])).max().unwrap_or(0)
}

/// The length of the longest word that stands there.
fn longest(words: &[Vec<char>], rest: &[char]) -> usize {
    words.iter().filter(|word| rest.starts_with(word)).map(Vec::len).max().unwrap_or(0)
}

impl UserInfo<'_> {
    /// What is known of a person, whole and in words.
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
