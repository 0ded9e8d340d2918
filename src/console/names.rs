//! Looks up the names of users and applications that a list refers to by id.

use crate::caller::{Caller, segment};
use claimsmith_api::users::UserFields;
use futures_util::future::join_all;
use serde::Deserialize;
use std::collections::{BTreeSet, HashMap};

/// Names by id.
#[derive(Default)]
pub(crate) struct Names(HashMap<String, String>);

#[derive(Deserialize)]
struct ApplicationName {
    name: String,
}

/// How lists name a user.
pub(crate) trait ListedUser {
    /// The display name.
    fn called(&self) -> &str;
    /// Secondary text that distinguishes users of the same name.
    fn about(&self) -> &str;
}

impl ListedUser for UserFields {
    fn called(&self) -> &str {
        let known = [&self.name, &self.username, &self.primary_email, &self.primary_phone];
        known.into_iter().flatten().map(String::as_str).find(|text| !text.is_empty()).unwrap_or(&self.id)
    }

    fn about(&self) -> &str {
        let known = [&self.primary_email, &self.username, &self.primary_phone];
        known.into_iter().flatten().map(String::as_str).find(|text| *text != self.called()).unwrap_or(&self.id)
    }
}

impl Names {
    /// Looks up the names; ids of deleted objects have none.
    pub(crate) async fn load<'i>(
        caller: &Caller,
        users: impl IntoIterator<Item = &'i str>,
        applications: impl IntoIterator<Item = &'i str>,
    ) -> Self {
        let unique = |ids: BTreeSet<&'i str>| ids.into_iter().filter(|id| !id.is_empty());
        let users = unique(users.into_iter().collect()).map(|id| user(caller, id));
        let applications = unique(applications.into_iter().collect()).map(|id| application(caller, id));
        let (users, applications) = futures_util::future::join(join_all(users), join_all(applications)).await;
        Self(users.into_iter().chain(applications).flatten().collect())
    }

    /// The name of an id, or the id itself.
    pub(crate) fn of<'n>(&'n self, id: &'n str) -> &'n str {
        self.0.get(id).map_or(id, String::as_str)
    }
}

async fn user(caller: &Caller, id: &str) -> Option<(String, String)> {
    let user: UserFields = caller.peek(&format!("/api/users/{}", segment(id))).await?;
    Some((id.to_owned(), user.called().to_owned()))
}

async fn application(caller: &Caller, id: &str) -> Option<(String, String)> {
    let application: ApplicationName = caller.peek(&format!("/api/applications/{}", segment(id))).await?;
    Some((id.to_owned(), application.name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn people_are_called_by_what_there_is() {
        for (user, called, about) in [
            (json!({ "id": "u1", "name": "Ada", "username": "ada" }), "Ada", "ada"),
            (json!({ "id": "u1", "name": "", "primaryEmail": "a@b.test" }), "a@b.test", "u1"),
            (json!({ "id": "u1", "name": null }), "u1", "u1"),
        ] {
            let person = crate::model::user(&user);
            assert_eq!((person.called(), person.about()), (called, about));
        }
    }
}
