//! Language negotiation: parses the `Accept-Language` header and chooses among available languages (RFC 4647 section
//! 3.4).

use crate::documents::language::{LanguageTag, MAX_TAG_BYTES};

/// Maximum number of languages of a header that are considered.
const MAX_ACCEPTED_LANGUAGES: usize = 32;

/// The languages of an `Accept-Language` header, in order of preference.
#[must_use]
pub fn accepted(header: &str) -> Vec<&str> {
    let mut weighed: Vec<(f32, &str)> = header.split(',').take(MAX_ACCEPTED_LANGUAGES).filter_map(weigh).collect();
    // The sort is stable: languages with the same weight keep their order.
    weighed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    weighed.into_iter().map(|(_, tag)| tag).collect()
}

/// A language with its weight, up to 1; `None` if it is not acceptable.
fn weigh(entry: &str) -> Option<(f32, &str)> {
    let (tag, parameters) = entry.split_once(';').unwrap_or((entry, "q=1"));
    let quality: f32 = parameters.trim().strip_prefix("q=")?.trim().parse().ok()?;
    let tag = tag.trim();
    (quality > 0.0 && !tag.is_empty() && tag != "*").then_some((quality.min(1.0), tag))
}

/// The first wanted language that is available: exactly, or without its region (`de` for `de-AT`).
#[must_use]
pub fn choose<'a>(there: &'a [LanguageTag], wanted: &[&str]) -> Option<&'a LanguageTag> {
    wanted.iter().filter(|range| range.len() <= MAX_TAG_BYTES).find_map(|range| {
        let mut range = *range;
        loop {
            if let Some(found) = there.iter().find(|tag| tag.as_str().eq_ignore_ascii_case(range)) {
                return Some(found);
            }
            range = range.rsplit_once('-')?.0;
        }
    })
}

#[cfg(test)]
mod tests {
    #![expect(clippy::unwrap_used, reason = "a test may panic")]

    use super::*;

    #[test]
    fn a_header_is_read_by_weight() {
        for (header, order) in [
            ("", vec![]),
            ("de", vec!["de"]),
            ("fr;q=0.5, de , en;q=0.8", vec!["de", "en", "fr"]),
            ("de;q=0, en", vec!["en"]),
            ("*, ja;q=0.1", vec!["ja"]),
            ("a;q=x, b;q=-1, c;q=NaN, d; q=2", vec!["d"]),
            ("en-GB,en;q=0.9,,de;q=0.9", vec!["en-GB", "en", "de"]),
        ] {
            assert_eq!(accepted(header), order, "{header:?}");
        }
        assert_eq!(accepted(&"en,".repeat(10_000)).len(), MAX_ACCEPTED_LANGUAGES);
    }

    #[test]
    fn the_first_language_that_there_is_is_chosen() {
        let there: Vec<_> = ["en", "de", "pt-BR"].map(|tag| LanguageTag::try_from(tag.to_owned()).unwrap()).into();
        for (wanted, found) in [
            (&["de"][..], Some("de")),
            (&["DE-at"], Some("de")),
            (&["de-Latn-AT-1996"], Some("de")),
            (&["nl", "pt-br"], Some("pt-BR")),
            // The variant of another country does not match.
            (&["pt"], None),
            (&["nl", "x"], None),
            (&[""], None),
            (&[], None),
        ] {
            assert_eq!(choose(&there, wanted).map(LanguageTag::as_str), found, "{wanted:?}");
        }
    }
}
