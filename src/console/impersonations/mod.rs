//! `/console/impersonations`: who acts as which user and why; and the page of a user that starts an impersonation.

mod begin;
mod end;
pub(crate) mod view;

use crate::Console;
use crate::answer::show;
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::frame::Frame;
use crate::list::List;
use crate::logs::filter::known_person;
use crate::names::Names;
use crate::section::Section;
use askama::Template;
use axum::Router;
use axum::extract::Path;
use axum::response::Response;
use axum::routing::get;
use claimsmith_api::impersonations::ImpersonationView;
use form_urlencoded::Serializer;
use view::ImpersonationFacts;

/// The tabs of the list: query value, label, and the API's `isActive` parameter.
const STATES: [(&str, &str, &str); 3] = [("live", "Live", "true"), ("past", "Past", "false"), ("all", "All", "")];

/// The routes.
pub(crate) fn router() -> Router<Console> {
    Router::new()
        .route("/console/impersonations", get(show_list))
        .route("/console/impersonations/{id}", get(show_one))
        .route("/console/impersonations/{id}/end", get(end::ask).post(end::end))
        .route("/console/users/{id}/impersonate", get(begin::ask).post(begin::begin))
}

#[derive(Template)]
#[template(path = "impersonations/list.html")]
struct ListPage {
    frame: Frame,
    state: &'static str,
    search: String,
    ticket: String,
    person: String,
    names: Names,
    list: List<ImpersonationView>,
}

async fn show_list(caller: Caller) -> Result<Response, Failure> {
    let field = |name| caller.query(name).unwrap_or_default().to_owned();
    let (search, ticket, person) = (field("q"), field("ticket"), field("person"));
    // A search for a ticket or a user includes past impersonations by default.
    let usual = if ticket.is_empty() && person.is_empty() { "live" } else { "all" };
    let asked = caller.query("state").unwrap_or(usual);
    let (state, _, is_active) = STATES.into_iter().find(|(name, ..)| *name == asked).unwrap_or(STATES[0]);
    let user = known_person(&caller, &person).await.map_or_else(|| person.clone(), |found| found.id.into());
    let pairs = [("isActive", is_active), ("search", &search), ("ticketId", &ticket), ("userId", &user)];
    let pairs = pairs.iter().filter(|(_, value)| !value.is_empty());
    let query = Serializer::new(String::new()).extend_pairs(pairs).finish();
    let list: List<ImpersonationView> = caller.list(&format!("/api/impersonations?{query}"), caller.paging()).await?;
    let users = list.items.iter().flat_map(|one| [one.who(), &one.user_id]);
    let names = Names::load(&caller, users, list.items.iter().map(|one| &*one.application_id)).await;
    let frame = Frame::new(&caller, Section::Impersonations);
    show(&caller, &ListPage { frame, state, search, ticket, person, names, list })
}

#[derive(Template)]
#[template(path = "impersonations/show.html")]
struct ShowPage {
    frame: Frame,
    names: Names,
    one: ImpersonationView,
}

async fn show_one(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let one = find(&caller, &id).await?;
    let names = Names::load(&caller, [one.who(), &one.user_id], [&*one.application_id]).await;
    show(&caller, &ShowPage { frame: Frame::new(&caller, Section::Impersonations), names, one })
}

async fn find(caller: &Caller, id: &str) -> Result<ImpersonationView, Failure> {
    caller.get(&format!("/api/impersonations/{}", segment(id))).await
}
