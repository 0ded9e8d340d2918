//! The roles of a member of an organization, a user or an application, and removing it.

use super::organization::{APPLICATIONS, MEMBERS, PageHead, Tab, operation, page, roles};
use crate::answer::{done, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::model::{Described, UserFacts};
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::organization_roles::OrganizationRoleView;
use claimsmith_api::users::UserFields;
use serde_json::json;

#[derive(Template)]
#[template(path = "organizations/member.html")]
struct MemberPage {
    frame: Frame,
    head: PageHead,
    /// The path segment for this kind of member: `users` or `applications`.
    kind: &'static str,
    id: String,
    title: String,
    /// All roles for this kind of member, and the assigned ones.
    roles: Vec<OrganizationRoleView>,
    current: Vec<OrganizationRoleView>,
}

impl MemberPage {
    fn holds(&self, id: &str) -> bool {
        self.current.iter().any(|role| role.id == id)
    }

    fn operation(&self, rest: &str) -> String {
        self.head.operation(&format!("/{}/{}{rest}", self.kind, segment(&self.id)))
    }

    fn is_user(&self) -> bool {
        self.kind == "users"
    }

    /// The path of the form that removes the member.
    fn removal(&self) -> String {
        format!("{}/{}/remove", self.head.page(self.head.tab.0), segment(&self.id))
    }

    /// The path template of an operation in the OpenAPI description.
    fn described(&self, rest: &str) -> String {
        let parameter = if self.is_user() { "{userId}" } else { "{applicationId}" };
        format!("/api/organizations/{{id}}/{}/{parameter}{rest}", self.kind)
    }
}

pub(super) async fn show_member(caller: Caller, Path(at): Path<(String, String)>) -> Result<Response, Failure> {
    show(&caller, MEMBERS, &at, String::new()).await
}

pub(super) async fn show_application(caller: Caller, Path(at): Path<(String, String)>) -> Result<Response, Failure> {
    show(&caller, APPLICATIONS, &at, String::new()).await
}

pub(super) async fn save_member(Path(at): Path<(String, String)>, posted: Posted) -> Result<Response, Failure> {
    save(posted, MEMBERS, &at).await
}

pub(super) async fn save_application(Path(at): Path<(String, String)>, posted: Posted) -> Result<Response, Failure> {
    save(posted, APPLICATIONS, &at).await
}

pub(super) async fn remove_member(Path(at): Path<(String, String)>, posted: Posted) -> Result<Response, Failure> {
    remove(posted, MEMBERS, &at).await
}

pub(super) async fn remove_application(Path(at): Path<(String, String)>, posted: Posted) -> Result<Response, Failure> {
    remove(posted, APPLICATIONS, &at).await
}

/// The path segment for this kind of member.
fn kind(tab: Tab) -> &'static str {
    if tab == MEMBERS { "users" } else { "applications" }
}

async fn show(
    caller: &Caller,
    tab: Tab,
    (organization, id): &(String, String),
    alert: String,
) -> Result<Response, Failure> {
    let head = PageHead::load(caller, organization, tab).await?.with_alert(alert);
    let status = if head.alert.is_empty() { StatusCode::OK } else { StatusCode::UNPROCESSABLE_ENTITY };
    let kind = kind(tab);
    let current = caller.get(&head.operation(&format!("/{kind}/{}/roles", segment(id)))).await?;
    let title = if kind == "users" {
        let user: UserFields = caller.get(&format!("/api/users/{}", segment(id))).await?;
        user.title().to_owned()
    } else {
        let path = format!("/api/applications/{}", segment(id));
        caller.get_if_allowed::<ApplicationView>(&path).await?.map_or_else(|| id.clone(), |found| found.name)
    };
    let roles = roles(caller, kind == "applications").await?;
    let frame = Frame::new(caller, Section::Organizations);
    show_as(caller, status, &MemberPage { frame, head, kind, id: id.clone(), title, roles, current })
}

async fn save(Posted { caller, form }: Posted, tab: Tab, at: &(String, String)) -> Result<Response, Failure> {
    let chosen: Vec<&str> = form.all("role").collect();
    let path = operation(&at.0, &format!("/{}/{}/roles", kind(tab), segment(&at.1)));
    let result = caller.change(Method::PUT, &path, json!({ "organizationRoleIds": chosen })).await;
    answer(&caller, tab, at, result, "saved").await
}

async fn remove(Posted { caller, .. }: Posted, tab: Tab, at: &(String, String)) -> Result<Response, Failure> {
    let result = caller.delete(&operation(&at.0, &format!("/{}/{}", kind(tab), segment(&at.1)))).await;
    answer(&caller, tab, at, result, "removed").await
}

async fn answer(
    caller: &Caller,
    tab: Tab,
    at: &(String, String),
    result: Result<(), Failure>,
    word: &str,
) -> Result<Response, Failure> {
    match result {
        Ok(()) => Ok(done(&page(&at.0, tab.0), word)),
        Err(failure) => {
            let alert = failure.about_input()?.text();
            show(caller, tab, at, alert).await
        }
    }
}
