//! Searches in the middle of texts on SQLite: which part of a search its index of trigrams answers. The index finds the rows
//! that can match; unless it finds exactly those that do, the conditions of the search decide. PostgreSQL's index of
//! trigrams serves the conditions themselves.

use super::search::{Searched, narrowness};
use claimsmith_domain::documents::fold::fold;
use claimsmith_domain::search::{MatchMode, Search, Term, literals};

/// Fewer characters are in no trigram.
const SHORTEST: usize = 3;
/// The most characters of a text, and the most texts of a value and of a search: each is looked up.
const MAX_CHARACTERS: usize = 64;
const MAX_PARTS: usize = 4;
const MAX_VALUES: usize = 32;

/// A query of the index.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Trigrams {
    /// In the language of FTS5.
    pub(crate) query: String,
    /// Whether all that it finds matches the search.
    pub(crate) exact: bool,
}

impl Trigrams {
    /// The query for a search; `None` if it has too few characters, or if another index serves it.
    pub(crate) fn of(search: &Search, searched: &Searched) -> Option<Self> {
        if search.case_sensitive || search.terms.iter().map(|term| term.values.len()).sum::<usize>() > MAX_VALUES {
            return None;
        }
        let prefixes = search.terms.iter().map(narrowness);
        let (joint, found) = if search.all {
            if prefixes.max().unwrap_or_default() >= SHORTEST {
                return None;
            }
            (" AND ", search.terms.iter().filter_map(|term| Self::of_term(term, searched)).collect::<Vec<_>>())
        } else {
            if prefixes.min().unwrap_or_default() > 0 {
                return None;
            }
            let of_all: Option<Vec<_>> = search.terms.iter().map(|term| Self::of_term(term, searched)).collect();
            (" OR ", of_all?)
        };
        if found.is_empty() {
            return None;
        }
        let exact = found.len() == search.terms.len() && found.iter().all(|term| term.exact);
        let queries: Vec<String> = found.into_iter().map(|term| term.query).collect();
        Some(Self { query: queries.join(joint), exact })
    }

    fn of_term(term: &Term, searched: &Searched) -> Option<Self> {
        let columns = searched.columns.iter().filter(|column| term.fields.contains(&column.field));
        let columns: Option<Vec<&str>> = columns.map(|column| column.folded).collect();
        let columns = columns.filter(|columns| !columns.is_empty())?;
        let values: Option<Vec<Self>> =
            term.values.iter().map(|value| Self::of_value(term.mode, &fold(value))).collect();
        let values = values.filter(|values| !values.is_empty())?;
        let exact = values.iter().all(|value| value.exact);
        let values: Vec<String> = values.into_iter().map(|value| value.query).collect();
        Some(Self { query: format!("({{{}}} : ({}))", columns.join(" "), values.join(" OR ")), exact })
    }

    fn of_value(mode: MatchMode, value: &str) -> Option<Self> {
        let parts = match mode {
            MatchMode::Like => literals(value),
            MatchMode::Exact => vec![value.to_owned()],
            MatchMode::SimilarTo | MatchMode::Posix => return None,
        };
        let is_part = mode == MatchMode::Like && value.starts_with('%') && value.ends_with('%');
        let exact = match parts.as_slice() {
            [before, part, after] => {
                is_part && before.is_empty() && after.is_empty() && part.chars().count() <= MAX_CHARACTERS
            }
            _ => false,
        };
        let long = parts.iter().filter(|part| is_indexed(part));
        let phrases: Vec<String> = long.take(MAX_PARTS).map(|part| phrase(part)).collect();
        (!phrases.is_empty()).then(|| Self { query: format!("({})", phrases.join(" AND ")), exact })
    }

    /// The query for texts that contain each of these words, in whichever column; `None` if no word is long enough.
    pub(crate) fn of_words(text: &str) -> Option<Self> {
        let text = fold(text);
        let long = text.split(' ').filter(|word| is_indexed(word));
        let phrases: Vec<String> = long.take(MAX_PARTS).map(phrase).collect();
        (!phrases.is_empty()).then(|| Self { query: phrases.join(" AND "), exact: false })
    }
}

/// Whether a text has trigrams that a query can name: queries end at a zero.
fn is_indexed(part: &str) -> bool {
    part.chars().count() >= SHORTEST && !part.contains('\0')
}

/// The beginning of a text, as a text in the language of FTS5.
fn phrase(part: &str) -> String {
    let part: String = part.chars().take(MAX_CHARACTERS).collect();
    format!("\"{}\"", part.replace('"', "\"\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::users::list::SEARCHED;

    fn search(all: bool, terms: &[(&'static str, MatchMode, &str)]) -> Option<(String, bool)> {
        let terms = terms.iter().map(|(field, mode, value)| Term {
            fields: vec![*field],
            mode: *mode,
            values: vec![(*value).to_owned()],
        });
        let search = Search { terms: terms.collect(), all, case_sensitive: false };
        Trigrams::of(&search, &SEARCHED).map(|found| (found.query, found.exact))
    }

    #[test]
    fn the_middle_of_a_text_is_found_by_its_trigrams() {
        use MatchMode::{Exact, Like, Posix};
        let found = |query: &str, exact| Some((query.to_owned(), exact));
        assert_eq!(search(true, &[("name", Like, "%ADA%")]), found("({name_key} : ((\"ada\")))", true));
        assert_eq!(search(true, &[("name", Like, "%a\"a%")]), found("({name_key} : ((\"a\"\"a\")))", true));
        assert_eq!(search(true, &[("name", Like, "_ada%")]), found("({name_key} : ((\"ada\")))", false));
        assert_eq!(
            search(true, &[("name", Like, "%ada%love%")]),
            found("({name_key} : ((\"ada\" AND \"love\")))", false)
        );
        let two = [("name", Like, "%ada%"), ("username", Like, "%lov%")];
        assert_eq!(search(false, &two), found("({name_key} : ((\"ada\"))) OR ({username_key} : ((\"lov\")))", true));
        let short = [("name", Like, "%ada%"), ("username", Like, "%lo%")];
        assert_eq!(search(true, &short), found("({name_key} : ((\"ada\")))", false));
        assert_eq!(search(false, &short), None);
        // The other indexes serve these.
        assert_eq!(search(true, &[("name", Like, "ada%")]), None);
        assert_eq!(search(true, &[("name", Like, "%ada%"), ("username", Exact, "ada")]), None);
        assert_eq!(search(true, &[("name", Posix, "ada")]), None);
        assert_eq!(search(true, &[("name", Like, "%ad%")]), None);
    }

    #[test]
    fn words_are_found_in_any_column() {
        let found = |text| Trigrams::of_words(text).map(|found| found.query);
        assert_eq!(found("Ada x LOVELACE").as_deref(), Some("\"ada\" AND \"lovelace\""));
        assert_eq!(found("ad a"), None);
    }
}
