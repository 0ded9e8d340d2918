//! Lists of ids in request bodies, such as `roleIds`.

use super::schema;
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use utoipa::ToSchema;
use utoipa::openapi::{RefOr, Schema};

/// The most ids that one request names: their statements stay far below what databases bind at once.
const MAX_IDS: usize = 1000;
/// The most characters of an id; longer ones name nothing.
const MAX_ID_CHARS: usize = 128;

/// At least `MIN` ids, each once, in ascending order: transactions that write the same rows take them in one order.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "Vec<String>", bound = "I: From<String> + Clone + Ord")]
pub struct IdList<I, const MIN: usize> {
    ids: Vec<I>,
    given: Vec<I>,
}

impl<I, const MIN: usize> IdList<I, MIN> {
    /// The ids.
    #[must_use]
    pub fn as_slice(&self) -> &[I] {
        &self.ids
    }

    /// The ids as they were given.
    #[must_use]
    pub fn into_given(self) -> Vec<I> {
        self.given
    }
}

impl<I: From<String> + Clone + Ord, const MIN: usize> TryFrom<Vec<String>> for IdList<I, MIN> {
    type Error = String;

    fn try_from(ids: Vec<String>) -> Result<Self, String> {
        if !(MIN..=MAX_IDS).contains(&ids.len()) {
            return Err(format!("expected {MIN} to {MAX_IDS} ids, found {}", ids.len()));
        }
        if ids.iter().any(|id| id.is_empty() || id.len() > MAX_ID_CHARS) {
            return Err(format!("expected ids of 1 to {MAX_ID_CHARS} characters"));
        }
        let given: Vec<I> = ids.into_iter().map(I::from).collect();
        let each_once = given.iter().cloned().collect::<BTreeSet<_>>().into_iter().collect();
        Ok(Self { ids: each_once, given })
    }
}

impl<I: Serialize, const MIN: usize> Serialize for IdList<I, MIN> {
    fn serialize<S: Serializer>(&self, output: S) -> Result<S::Ok, S::Error> {
        output.collect_seq(&self.ids)
    }
}

impl<I, const MIN: usize> utoipa::__dev::ComposeSchema for IdList<I, MIN> {
    fn compose(_: Vec<RefOr<Schema>>) -> RefOr<Schema> {
        schema::list(schema::text(0, None), MIN, MAX_IDS)
    }
}

impl<I, const MIN: usize> ToSchema for IdList<I, MIN> {
    fn name() -> Cow<'static, str> {
        schema::inline(format!("IdList.{MIN}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::RoleId;

    #[test]
    fn keeps_each_id_once_and_refuses_too_few_and_too_many() {
        let list =
            |ids: &[&str]| IdList::<RoleId, 1>::try_from(ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
        assert_eq!(list(&["b", "a", "b"]).map(|ids| ids.ids), Ok(vec!["a".into(), "b".into()]));
        assert_eq!(list(&["b", "a", "b"]).map(|ids| ids.given.len()), Ok(3));
        assert!(list(&[]).is_err());
        assert!(list(&["a", ""]).is_err());
        assert!(list(&["a"; MAX_IDS]).is_ok());
        assert!(list(&["a"; MAX_IDS + 1]).is_err());
    }
}
