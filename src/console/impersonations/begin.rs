//! Starts an impersonation: asks for reason, ticket and application, creates a subject token, and makes the browser
//! POST it to the application, never in a URL (`docs/decisions/people-who-administer.md`).

use crate::answer::{show, show_as};
use crate::applications::impersonation::{is_possible, page_for};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::hand_over::{self, HandOver};
use crate::list::{List, Paging};
use crate::names::ListedUser;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{Method, StatusCode};
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::subject_tokens::SubjectTokenView;
use claimsmith_api::users::UserFields;
use serde_json::{Value, json};

/// The type of a subject token (RFC 8693 section 3).
const TOKEN_TYPE: &str = "urn:ietf:params:oauth:token-type:access_token";
/// Maximum length of a reason or ticket, in characters: plugins copy them into tokens, which travel with every request.
const MAX_CHARS: usize = 200;
/// Applications per API call; the number of calls is limited too, since a select field cannot offer more.
const PAGE: u64 = 100;
const MAX_PAGES: u64 = 10;
/// Applications that are offered for being set up.
const MAX_CANDIDATES: usize = 10;

#[derive(Template)]
#[template(path = "impersonations/begin.html")]
struct BeginPage {
    frame: Frame,
    person: UserFields,
    /// Ids and names of the applications.
    applications: Vec<(String, String)>,
    /// Applications that could be set up for it, where none is: their names and the page for that.
    candidates: Vec<(String, String)>,
    form: Form,
    problem: String,
}

impl BeginPage {
    fn body(&self) -> String {
        let Value::Object(context) = context(&self.frame.caller, &self.form) else { return String::new() };
        json!({ "userId": self.person.id, "context": context }).to_string()
    }
}

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let person: UserFields = caller.get(&format!("/api/users/{}", segment(&id))).await?;
    show(&caller, &page(&caller, person, Form::default(), String::new()).await?)
}

pub(super) async fn begin(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let person: UserFields = caller.get(&format!("/api/users/{}", segment(&id))).await?;
    let problem = check(&form);
    let known = own_applications(&caller).await?.into_iter();
    let chosen = known.filter(takes_over).find(|application| application.id == form.text("application"));
    let address = chosen.as_ref().and_then(|application| application.custom_client_metadata.impersonation_uri.clone());
    let (Some(chosen), Some(address), None) = (chosen, address, problem) else {
        let (field, problem) = problem.unwrap_or(("application", "Choose an application."));
        let problem = form.refuse(field, problem);
        return show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page(&caller, person, form, problem).await?);
    };
    let body = json!({ "userId": person.id, "context": context(&caller, &form) });
    let made: SubjectTokenView = match caller.write(Method::POST, "/api/subject-tokens", body).await {
        Ok(made) => made,
        Err(failure) => {
            let problem = failure.about_input()?.text();
            return show_as(&caller, StatusCode::UNPROCESSABLE_ENTITY, &page(&caller, person, form, problem).await?);
        }
    };
    let fields = vec![
        ("subject_token", made.subject_token),
        ("subject_token_type", TOKEN_TYPE.to_owned()),
        ("user_id", person.id.to_string()),
        ("reason", form.text("reason").to_owned()),
        ("ticket_id", form.text("ticket").to_owned()),
    ];
    let title = format!("{} opens as {}", chosen.name, person.called());
    let note = "If nothing happens, continue by hand. The token works once, within a few minutes.";
    let handed = HandOver { title, note, application: chosen.name, address, fields };
    hand_over::respond(&caller, Section::Impersonations, handed)
}

/// The validation error of a form, if any, with its field.
fn check(form: &Form) -> Option<(&'static str, &'static str)> {
    for (field, missing) in [
        ("reason", "Say why: the reason stands in the audit log and in the token."),
        ("ticket", "Name the ticket that it is for."),
    ] {
        match form.text(field).chars().count() {
            0 => return Some((field, missing)),
            count if count > MAX_CHARS => return Some((field, "Reason and ticket have at most 200 characters each.")),
            _ => {}
        }
    }
    None
}

/// The context that plugins and the audit log receive.
fn context(caller: &Caller, form: &Form) -> Value {
    let operator = &caller.operator().user_id;
    json!({ "ticketId": form.text("ticket"), "reason": form.text("reason"), "supportEngineerId": **operator })
}

async fn page(caller: &Caller, person: UserFields, form: Form, problem: String) -> Result<BeginPage, Failure> {
    let (ready, others): (Vec<_>, Vec<_>) = own_applications(caller).await?.into_iter().partition(takes_over);
    let applications = ready.into_iter().map(|known| (known.id.into(), known.name)).collect();
    let candidates = others.into_iter().filter(is_possible).take(MAX_CANDIDATES);
    let candidates = candidates.map(|known| (page_for(&known), known.name)).collect();
    let frame = Frame::new(caller, Section::Impersonations);
    Ok(BeginPage { frame, person, applications, candidates, form, problem })
}

/// The applications of the operator's own.
async fn own_applications(caller: &Caller) -> Result<Vec<ApplicationView>, Failure> {
    let mut found = Vec::new();
    for page in 1..=MAX_PAGES {
        let list: List<ApplicationView> = caller.list("/api/applications", Paging { page, size: PAGE }).await?;
        let is_last = list.next().is_none();
        found.extend(list.items.into_iter().filter(|one| !one.is_third_party));
        if is_last {
            break;
        }
    }
    Ok(found)
}

/// Whether an application has registered an impersonation URI and may exchange tokens.
fn takes_over(application: &ApplicationView) -> bool {
    let metadata = &application.custom_client_metadata;
    !application.is_third_party && metadata.allow_token_exchange == Some(true) && metadata.impersonation_uri.is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_and_a_ticket_are_needed() {
        let long = "x".repeat(201);
        for (reason, ticket, fits) in [("r", "t", true), (" ", "t", false), ("r", "", false), (&*long, "t", false)] {
            let fields = [("reason", reason), ("ticket", ticket)].map(|(name, text)| (name.into(), text.into()));
            assert_eq!(check(&Form::of(fields.into())).is_none(), fits, "{reason:?} {ticket:?}");
        }
    }

    #[test]
    fn only_own_applications_with_an_address_take_tokens_over() {
        let address = "https://a.test/";
        for (metadata, is_third_party, fits) in [
            (json!({ "allowTokenExchange": true, "impersonationUri": address }), false, true),
            (json!({ "impersonationUri": address }), false, false),
            (json!({ "allowTokenExchange": true }), false, false),
            (json!({ "allowTokenExchange": true, "impersonationUri": address }), true, false),
        ] {
            let application = serde_json::from_value(json!({
                "tenantId": "default", "id": "desk", "name": "Desk", "type": "SPA", "customClientMetadata": metadata,
                "oidcClientMetadata": { "redirectUris": [], "postLogoutRedirectUris": [] }, "customData": {},
                "isThirdParty": is_third_party, "appLevelAccessControlEnabled": false, "createdAt": 0,
            }));
            assert_eq!(application.is_ok_and(|application| takes_over(&application)), fits, "{metadata}");
        }
    }
}
