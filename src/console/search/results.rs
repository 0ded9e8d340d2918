//! The search results: objects of the API of all kinds, sections, and commands.

use crate::caller::{Caller, segment};
use crate::find::searched;
use crate::names::ListedUser;
use crate::section::{Section, groups};
use claimsmith_api::users::UserFields;
use form_urlencoded::byte_serialize;
use futures_util::future::{join, join3, join4};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

/// Maximum number of results per kind.
const ROWS: usize = 5;
/// Maximum number of webhooks and of API resources that are scanned: their lists have no search, and are short.
const MAX_ITEMS_SEARCHED: usize = 100;

/// Create commands: title, path, and the operation that the operator needs.
const COMMANDS: [(&str, &str, &str); 7] = [
    ("Create user", "/console/users/create", "/api/users"),
    ("Create application", "/console/applications/new", "/api/applications"),
    ("Create organization", "/console/organizations/create", "/api/organizations"),
    ("Create API resource", "/console/resources/create", "/api/resources"),
    ("Create role", "/console/roles/create", "/api/roles"),
    ("Create plugin", "/console/plugins/new", "/api/plugins/{name}"),
    ("Create webhook", "/console/webhooks/new", "/api/hooks"),
];

/// Pages within sections.
const PAGES: [(Section, &str, &str); 4] = [
    (Section::Connectors, "E-mail templates", "/console/connectors/email-templates"),
    (Section::Connectors, "Enterprise connectors", "/console/connectors/enterprise"),
    (Section::SignInExperience, "Profile fields", "/console/sign-in-experience/profile-fields"),
    (Section::SignInExperience, "Languages and texts", "/console/sign-in-experience/languages"),
];

/// A search result.
#[derive(Serialize)]
pub(super) struct SearchResult {
    pub title: String,
    /// The kind of result.
    pub about: String,
    pub path: String,
}

/// An object with a name and optionally an id.
#[derive(Default, Deserialize)]
#[serde(default)]
struct ApiObject {
    id: String,
    name: String,
    indicator: String,
}

/// Finds objects of the API. Kinds that the operator may not see are left out.
pub(super) async fn stored(caller: &Caller, search: &str) -> Vec<SearchResult> {
    let pattern: String = byte_serialize(format!("%{search}%").as_bytes()).collect();
    let plain: String = byte_serialize(search.as_bytes()).collect();
    let at_most = format!("page=1&page_size={ROWS}");
    let of = |list: &str| format!("/api/{list}?search={pattern}&{at_most}");
    // There may be a million users: a prefix search uses an index and is fast enough while the user types.
    let users = format!("{}&{at_most}", searched("/api/users", search, false));
    let (applications, organizations, roles) =
        (of("applications"), format!("/api/organizations?q={plain}&{at_most}"), of("roles"));
    let all = format!("page=1&page_size={MAX_ITEMS_SEARCHED}");
    let (resources, hooks) = (format!("/api/resources?{all}"), format!("/api/hooks?{all}"));
    let people = peek::<UserFields>(caller, &users);
    let few = join4(
        peek::<ApiObject>(caller, &applications),
        peek::<ApiObject>(caller, &organizations),
        peek::<ApiObject>(caller, &roles),
        peek::<ApiObject>(caller, "/api/plugins"),
    );
    let whole = join(peek::<ApiObject>(caller, &resources), peek::<ApiObject>(caller, &hooks));
    let (users, (applications, organizations, roles, plugins), (resources, hooks)) = join3(people, few, whole).await;
    let users = users.into_iter().map(|user| SearchResult {
        title: user.called().to_owned(),
        about: format!("User · {}", user.about()),
        path: format!("/console/users/{}", segment(&user.id)),
    });
    let mut found: Vec<_> = users.collect();
    found.extend(applications.into_iter().map(|one| one.found("Application", "applications")));
    found.extend(organizations.into_iter().map(|one| one.found("Organization", "organizations")));
    found.extend(roles.into_iter().map(|one| one.found("Role", "roles")));
    let fits = |one: &ApiObject| [&one.name, &one.id, &one.indicator].iter().any(|text| contains(text, search));
    found.extend(resources.into_iter().filter(fits).take(ROWS).map(|one| one.found("API resource", "resources")));
    found.extend(plugins.into_iter().filter(fits).take(ROWS).map(|one| one.found("Plugin", "plugins")));
    found.extend(hooks.into_iter().filter(fits).take(ROWS).map(|one| one.found("Webhook", "webhooks/hooks")));
    found
}

async fn peek<T: DeserializeOwned>(caller: &Caller, path: &str) -> Vec<T> {
    caller.peek(path).await.unwrap_or_default()
}

impl ApiObject {
    fn found(self, kind: &str, folder: &str) -> SearchResult {
        // Plugins are identified by their name.
        let id = if self.id.is_empty() { &self.name } else { &self.id };
        SearchResult { path: format!("/console/{folder}/{}", segment(id)), about: kind.to_owned(), title: self.name }
    }
}

/// Finds sections that the operator may see, and pages within them.
pub(super) fn pages(is_open: impl Fn(Section) -> bool, search: &str) -> Vec<SearchResult> {
    let within = PAGES.into_iter().filter(|(section, ..)| is_open(*section)).map(|(_, title, path)| (title, path));
    let sections = groups(&is_open).into_iter().flat_map(|(_, sections)| sections);
    let all = sections.map(|section| (section.title(), section.path())).chain(within);
    let fitting = all.filter(|(title, _)| contains(title, search));
    let found = |(title, path): (&str, &str)| SearchResult {
        title: title.to_owned(),
        about: "Page".to_owned(),
        path: path.to_owned(),
    };
    fitting.map(found).collect()
}

/// Finds objects that the operator may create.
pub(super) fn commands(caller: &Caller, search: &str) -> Vec<SearchResult> {
    let fitting = COMMANDS.iter().filter(|(title, ..)| contains(title, search));
    let allowed = fitting.filter(|(_, _, operation)| {
        let method = if operation.ends_with('}') { "PUT" } else { "POST" };
        caller.may(method, operation)
    });
    let found = |(title, path, _): &(&str, &str, &str)| SearchResult {
        title: (*title).to_owned(),
        about: "Command".to_owned(),
        path: (*path).to_owned(),
    };
    allowed.map(found).collect()
}

fn contains(text: &str, part: &str) -> bool {
    text.to_lowercase().contains(&part.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_found_by_a_part_of_their_title() {
        let titles = |search| pages(|_| true, search).into_iter().map(|found| found.title).collect::<Vec<_>>();
        assert_eq!(titles("AUDIT"), ["Audit log"]);
        assert_eq!(titles("templates"), ["E-mail templates"]);
        assert_eq!(titles("").first().map(String::as_str), Some("Overview"));
        assert!(titles("nothing of the kind").is_empty());
    }

    #[test]
    fn what_is_not_open_is_not_found() {
        let found = pages(|section| section == Section::Logs, "");
        assert_eq!(found.into_iter().map(|found| found.title).collect::<Vec<_>>(), ["Audit log"]);
    }

    #[test]
    fn plugins_are_found_by_their_names() {
        let plugin = ApiObject { name: "a b".to_owned(), ..ApiObject::default() };
        assert_eq!(plugin.found("Plugin", "plugins").path, "/console/plugins/a%20b");
    }
}
