//! Languages: their tags (BCP 47), the `Accept-Language` header, and which of those there are serves somebody best
//! (RFC 4647 section 3.4).

use serde::{Deserialize, Serialize};

/// The most bytes of a tag.
const MAX_TAG_BYTES: usize = 35;
/// The most languages of a header that are looked at.
const MAX_ACCEPTED_LANGUAGES: usize = 32;

/// The languages that the server speaks by itself, English first.
pub const BUILT_IN: [&str; 6] = ["en", "de", "fr", "es", "ja", "zh"];

/// A tag such as `en` or `pt-BR`, each part in its usual case.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LanguageTag(String);

impl LanguageTag {
    /// English, in which every text is.
    #[must_use]
    pub fn english() -> Self {
        Self("en".to_owned())
    }

    /// The tag.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for LanguageTag {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        const EXPECTED: &str = "expected a language tag such as en or pt-BR";
        if text.len() > MAX_TAG_BYTES {
            return Err(EXPECTED);
        }
        let mut tag = String::with_capacity(text.len());
        for (index, part) in text.split('-').enumerate() {
            let is_part = match index {
                0 => (2..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphabetic()),
                _ => (1..=8).contains(&part.len()) && part.bytes().all(|byte| byte.is_ascii_alphanumeric()),
            };
            if !is_part {
                return Err(EXPECTED);
            }
            if index > 0 {
                tag.push('-');
            }
            match (index, part.len()) {
                (0, _) => tag.push_str(&part.to_ascii_lowercase()),
                // A region.
                (_, 2) => tag.push_str(&part.to_ascii_uppercase()),
                // A script.
                (_, 4) => {
                    let (first, rest) = part.split_at(1);
                    tag.push_str(&first.to_ascii_uppercase());
                    tag.push_str(&rest.to_ascii_lowercase());
                }
                _ => tag.push_str(&part.to_ascii_lowercase()),
            }
        }
        Ok(Self(tag))
    }
}

impl From<LanguageTag> for String {
    fn from(tag: LanguageTag) -> Self {
        tag.0
    }
}

/// The languages of an `Accept-Language` header, the best one first.
#[must_use]
pub fn accepted(header: &str) -> Vec<&str> {
    let mut weighed: Vec<(f32, &str)> = header.split(',').take(MAX_ACCEPTED_LANGUAGES).filter_map(weigh).collect();
    // Those of the same weight stay in their order.
    weighed.sort_by(|(one, _), (other, _)| other.total_cmp(one));
    weighed.into_iter().map(|(_, tag)| tag).collect()
}

/// A language with its weight, up to 1; none when it is not wanted.
fn weigh(entry: &str) -> Option<(f32, &str)> {
    let (tag, parameters) = entry.split_once(';').unwrap_or((entry, "q=1"));
    let quality: f32 = parameters.trim().strip_prefix("q=")?.trim().parse().ok()?;
    let tag = tag.trim();
    (quality > 0.0 && !tag.is_empty() && tag != "*").then_some((quality.min(1.0), tag))
}

/// The first of these that there is: as it is wanted, or in general (`de` for `de-AT`).
#[must_use]
pub fn choose<'a>(there: &'a [LanguageTag], wanted: &[&str]) -> Option<&'a LanguageTag> {
    wanted.iter().filter(|range| range.len() <= MAX_TAG_BYTES).find_map(|range| {
        let mut range = *range;
        loop {
            if let Some(found) = there.iter().find(|tag| tag.0.eq_ignore_ascii_case(range)) {
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
    fn tags_are_written_in_one_way() {
        for (text, tag) in [
            ("en", Some("en")),
            ("PT-br", Some("pt-BR")),
            ("zh-hant-tw", Some("zh-Hant-TW")),
            ("de-1996", Some("de-1996")),
            ("sl-ROZAJ", Some("sl-rozaj")),
            ("", None),
            ("e", None),
            ("en-", None),
            ("en_US", None),
            ("1e", None),
            ("en-a/b", None),
            ("en-aaaaaaaa-aaaaaaaa-aaaaaaaa-aaaaaaaa", None),
        ] {
            assert_eq!(LanguageTag::try_from(text.to_owned()).ok().map(|tag| tag.0).as_deref(), tag, "{text:?}");
        }
    }

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
            // Another country's is not what was asked for.
            (&["pt"], None),
            (&["nl", "x"], None),
            (&[""], None),
            (&[], None),
        ] {
            assert_eq!(choose(&there, wanted).map(LanguageTag::as_str), found, "{wanted:?}");
        }
    }
}
