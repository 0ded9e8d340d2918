//! Lists of ids in request bodies, such as `roleIds`.

use serde::Deserialize;
use std::collections::BTreeSet;

/// The most ids that one request names: their statements stay far below what databases bind at once.
const MOST: usize = 1000;
/// The most characters of an id; longer ones name nothing.
const LONGEST: usize = 128;

/// At least `MIN` ids, each once, in ascending order: transactions that write the same rows take them in one order.
#[derive(Deserialize)]
#[serde(try_from = "Vec<String>")]
pub struct IdList<const MIN: usize>(Vec<String>);

impl<const MIN: usize> IdList<MIN> {
    /// The ids.
    #[must_use]
    pub fn as_slice(&self) -> &[String] {
        &self.0
    }
}

impl<const MIN: usize> TryFrom<Vec<String>> for IdList<MIN> {
    type Error = String;

    fn try_from(ids: Vec<String>) -> Result<Self, String> {
        if !(MIN..=MOST).contains(&ids.len()) {
            return Err(format!("expected {MIN} to {MOST} ids, found {}", ids.len()));
        }
        if ids.iter().any(|id| id.is_empty() || id.len() > LONGEST) {
            return Err(format!("expected ids of 1 to {LONGEST} characters"));
        }
        Ok(Self(ids.into_iter().collect::<BTreeSet<_>>().into_iter().collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_each_id_once_and_refuses_too_few_and_too_many() {
        let list = |ids: &[&str]| IdList::<1>::try_from(ids.iter().map(|id| (*id).to_owned()).collect::<Vec<_>>());
        assert_eq!(list(&["b", "a", "b"]).map(|ids| ids.0), Ok(vec!["a".to_owned(), "b".to_owned()]));
        assert!(list(&[]).is_err());
        assert!(list(&["a", ""]).is_err());
        assert!(list(&["a"; MOST]).is_ok());
        assert!(list(&["a"; MOST + 1]).is_err());
    }
}
