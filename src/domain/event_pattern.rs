//! Event patterns of a hook: a name, a family such as `User.*`, or all events, `*`.

use super::event::EventType;
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;

/// A set of events.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(into = "String")]
pub enum EventPattern {
    /// This one.
    One(EventType),
    /// All events whose names begin with this word and a dot, except those that only their own name selects.
    Family(&'static str),
    /// The base catalogue; other events are selected by name (`docs/decisions/events-by-name-only.md`).
    All,
}

/// A text that is not an event pattern.
#[derive(Debug, thiserror::Error)]
#[error("expected the name of an event, such as User.Created, a family of them, such as User.*, or *")]
pub struct NoPattern;

impl EventPattern {
    /// Whether the pattern matches this event.
    #[must_use]
    pub fn matches(self, event: EventType) -> bool {
        match self {
            Self::One(one) => one == event,
            Self::Family(family) => event.family() == Some(family) && !event.is_beside_its_family(),
            Self::All => event.is_specified(),
        }
    }

    /// The patterns that match this event: its name, and its family and all events unless only its name selects it.
    pub fn matching(event: EventType) -> impl Iterator<Item = Self> {
        let wider = event.family().map(Self::Family).into_iter().chain([Self::All]);
        [Self::One(event)].into_iter().chain(wider.filter(move |pattern| pattern.matches(event)))
    }

    /// All valid patterns.
    pub fn all() -> impl Iterator<Item = Self> {
        let mut families: Vec<&str> = EventType::ALL.iter().filter_map(|event| event.family()).collect();
        families.dedup();
        let ones = EventType::ALL.iter().map(|event| Self::One(*event));
        ones.chain(families.into_iter().map(Self::Family)).chain([Self::All])
    }
}

impl fmt::Display for EventPattern {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::One(event) => formatter.write_str(event.as_str()),
            Self::Family(family) => write!(formatter, "{family}.*"),
            Self::All => formatter.write_str("*"),
        }
    }
}

impl From<EventPattern> for String {
    fn from(pattern: EventPattern) -> Self {
        pattern.to_string()
    }
}

impl TryFrom<String> for EventPattern {
    type Error = NoPattern;

    fn try_from(text: String) -> Result<Self, NoPattern> {
        let found = match text.strip_suffix(".*") {
            Some(family) => EventType::ALL.iter().filter_map(|e| e.family()).find(|f| *f == family).map(Self::Family),
            None if text == "*" => Some(Self::All),
            None => EventType::ALL.iter().find(|event| event.as_str() == text).map(|event| Self::One(*event)),
        };
        found.ok_or(NoPattern)
    }
}

impl<'de> Deserialize<'de> for EventPattern {
    fn deserialize<D: Deserializer<'de>>(input: D) -> Result<Self, D::Error> {
        Self::try_from(String::deserialize(input)?).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Option<EventPattern> {
        EventPattern::try_from(text.to_owned()).ok()
    }

    #[test]
    fn a_family_is_what_its_events_are_about() {
        let family = read("Organization.*");
        assert_eq!(family, Some(EventPattern::Family("Organization")));
        let matched = |pattern: &str| {
            let pattern = read(pattern);
            EventType::ALL.iter().filter(|event| pattern.is_some_and(|pattern| pattern.matches(**event))).count()
        };
        let table = [
            ("*", 25),
            ("User.*", 4),
            ("Organization.*", 4),
            ("OrganizationRole.*", 4),
            ("PostSignIn", 1),
            ("PostSignInAdaptiveMfaTriggered", 1),
            ("User.Roles.Updated", 1),
            ("Organization.Membership.Roles.Updated", 1),
            ("TrustedDevice.*", 2),
            ("Identifier.Lockout", 1),
            ("Message.RateLimited", 1),
            ("Grant.LimitExceeded", 1),
            ("Plugin.*", 2),
            ("User", 0),
        ];
        for (pattern, count) in table {
            assert_eq!(matched(pattern), count, "{pattern}");
        }
    }

    #[test]
    fn an_event_is_found_by_the_patterns_that_match_it() {
        for event in EventType::ALL {
            let expected: Vec<EventPattern> = EventPattern::all().filter(|pattern| pattern.matches(event)).collect();
            assert_eq!(EventPattern::matching(event).collect::<Vec<_>>(), expected, "{}", event.as_str());
        }
    }

    #[test]
    fn only_what_there_is_can_be_named() {
        for text in ["", "User", "User.", "user.*", "Us*", "User.Data.*", "Post*", "**", "User.Created ", "Nothing.*"] {
            assert!(read(text).is_none(), "{text}");
        }
        for pattern in EventPattern::all() {
            assert_eq!(read(&pattern.to_string()), Some(pattern));
        }
    }
}
