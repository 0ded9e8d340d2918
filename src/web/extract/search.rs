//! The search of a list: `search`, `search.FIELD`, `mode`, `mode.FIELD`, `joint` and `isCaseSensitive` of a query.

use super::pattern;
use crate::error::ApiError;
use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::search::{MatchMode, Search, Term, to_regex};

/// The most values of one query.
const MAX_VALUES: usize = 20;
/// The most characters of a value.
const MAX_VALUE_CHARS: usize = 256;

/// What a query searches these fields for, by their names on the wire; `None` for nothing.
pub fn parse(query: Option<&str>, fields: &[&'static str]) -> Result<Option<Search>, ApiError> {
    let pairs: Vec<(String, String)> =
        form_urlencoded::parse(query.unwrap_or_default().as_bytes()).into_owned().collect();
    let known = |name: &str| fields.iter().copied().find(|field| *field == name || snake(field) == name);
    let mut wanted: Vec<(Option<&'static str>, Vec<String>)> = Vec::new();
    let mut modes: Vec<(Option<&'static str>, MatchMode)> = Vec::new();
    let (mut all, mut case_sensitive) = (false, false);
    for (name, value) in pairs {
        let (word, field) = match name.split_once('.') {
            Some((word @ ("search" | "mode"), field)) => {
                let field = known(field).ok_or_else(|| invalid(&format!("{field:?} cannot be searched")))?;
                (word, Some(field))
            }
            _ => (name.as_str(), None),
        };
        match word {
            "search" => {
                check(&value)?;
                match wanted.iter_mut().find(|(of, _)| *of == field) {
                    Some((_, values)) => values.push(value),
                    None => wanted.push((field, vec![value])),
                }
            }
            "mode" => modes.push((field, mode(&value)?)),
            "joint" | "jointMode" => all = one_of(&name, &value, ["or", "and"])?,
            "isCaseSensitive" => case_sensitive = one_of(&name, &value, ["false", "true"])?,
            _ => {}
        }
    }
    let mode_of = |field: Option<&str>| {
        let named = modes.iter().find(|(of, _)| *of == field).or_else(|| modes.iter().find(|(of, _)| of.is_none()));
        named.map_or(MatchMode::Like, |(_, mode)| *mode)
    };
    let mut terms = Vec::new();
    for (field, values) in wanted {
        let mode = mode_of(field);
        if values.len() > 1 && mode != MatchMode::Exact || values.len() > MAX_VALUES {
            return Err(invalid(
                "a field is searched for several values in the mode \"exact\" alone, and for at most 20",
            ));
        }
        values.iter().try_for_each(|value| check_pattern(mode, value, case_sensitive))?;
        let fields = field.map_or_else(|| fields.to_vec(), |field| vec![field]);
        terms.push(Term { fields, mode, values });
    }
    Ok((!terms.is_empty()).then_some(Search { terms, all, case_sensitive }))
}

fn check(value: &str) -> Result<(), ApiError> {
    if value.is_empty() || value.contains('\0') || value.chars().count() > MAX_VALUE_CHARS {
        return Err(invalid("expected a text of 1 to 256 characters to search for"));
    }
    Ok(())
}

/// A pattern that a database could not read, or that would keep it busy, is refused here.
fn check_pattern(mode: MatchMode, value: &str, case_sensitive: bool) -> Result<(), ApiError> {
    let regex = match mode {
        MatchMode::Exact => return Ok(()),
        MatchMode::Like => {
            let escapes = value.len() - value.trim_end_matches('\\').len();
            let ends_within_an_escape = escapes % 2 == 1;
            return if ends_within_an_escape { Err(invalid("a pattern ends with \\")) } else { Ok(()) };
        }
        MatchMode::SimilarTo if !case_sensitive => {
            return Err(invalid("the mode \"similar_to\" needs isCaseSensitive=true"));
        }
        MatchMode::SimilarTo => to_regex(value),
        MatchMode::Posix => value.to_owned(),
    };
    pattern::fault(&regex, case_sensitive).map_err(invalid)
}

fn mode(value: &str) -> Result<MatchMode, ApiError> {
    match value {
        "like" => Ok(MatchMode::Like),
        "exact" => Ok(MatchMode::Exact),
        "similar_to" => Ok(MatchMode::SimilarTo),
        "posix" => Ok(MatchMode::Posix),
        _ => Err(invalid("a mode is one of like, exact, similar_to, posix")),
    }
}

/// Whether the value is the second of two words.
fn one_of(name: &str, value: &str, words: [&str; 2]) -> Result<bool, ApiError> {
    match words.iter().position(|word| *word == value) {
        Some(index) => Ok(index == 1),
        None => Err(invalid(&format!("{name} is one of {}, {}", words[0], words[1]))),
    }
}

fn invalid(why: &str) -> ApiError {
    ApiError::new(ApiCode::RequestInvalidInput, format!("Input is invalid: {why}."))
}

fn snake(field: &str) -> String {
    let mut name = String::new();
    for letter in field.chars() {
        if letter.is_ascii_uppercase() {
            name.push('_');
        }
        name.push(letter.to_ascii_lowercase());
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: [&str; 2] = ["name", "primaryEmail"];

    fn term(fields: &[&'static str], mode: MatchMode, values: &[&str]) -> Term {
        Term { fields: fields.to_vec(), mode, values: values.iter().map(|value| (*value).to_owned()).collect() }
    }

    #[test]
    fn reads_what_is_searched_for() {
        let search = |terms: &[Term], all, case_sensitive| Some(Search { terms: terms.to_vec(), all, case_sensitive });
        let table = [
            ("page=1&other=2", None),
            ("search=ada%25", search(&[term(&FIELDS, MatchMode::Like, &["ada%"])], false, false)),
            (
                "search.primary_email=a&search.primaryEmail=b&mode=exact&joint=and",
                search(&[term(&["primaryEmail"], MatchMode::Exact, &["a", "b"])], true, false),
            ),
            (
                "search.name=a%2B&mode.name=posix&search.primaryEmail=b&isCaseSensitive=true",
                search(
                    &[term(&["name"], MatchMode::Posix, &["a+"]), term(&["primaryEmail"], MatchMode::Like, &["b"])],
                    false,
                    true,
                ),
            ),
        ];
        for (query, expected) in table {
            assert_eq!(parse(Some(query), &FIELDS).ok(), Some(expected), "{query}");
        }
    }

    #[test]
    fn refuses_what_cannot_be_searched_for() {
        for query in [
            "search=",
            "search.password=a",
            "search.name.first=a",
            "search=a&mode=fuzzy",
            "search=a&mode.password=exact",
            "search.name=a&search.name=b",
            "search=a&joint=xor",
            "search=a&isCaseSensitive=yes",
            "search=a%5C",
            "search=a%00",
            "search=(&mode=posix",
            "search=a&mode=similar_to",
        ] {
            assert!(parse(Some(query), &FIELDS).is_err(), "{query}");
        }
        assert!(parse(Some(&format!("search={}", "a".repeat(257))), &FIELDS).is_err());
    }
}
