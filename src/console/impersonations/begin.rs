//! Starts an impersonation: asks for reason, ticket and application, creates a subject token, and makes the browser
//! POST it to the application, never in a URL (`docs/decisions/people-who-administer.md`).

use crate::answer::{show, show_as};
use crate::caller::{Caller, segment};
use crate::failure::Failure;
use crate::form::Form;
use crate::frame::Frame;
use crate::list::{List, Paging};
use crate::names::ListedUser;
use crate::posted::Posted;
use crate::section::Section;
use askama::Template;
use axum::extract::Path;
use axum::http::{HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use claimsmith_api::applications::ApplicationView;
use claimsmith_api::subject_tokens::SubjectTokenView;
use claimsmith_api::users::UserFields;
use claimsmith_domain::documents::application::CustomClientMetadata;
use serde_json::{Value, json};
use url::Url;

/// The type of a subject token (RFC 8693 section 3).
const TOKEN_TYPE: &str = "urn:ietf:params:oauth:token-type:access_token";
/// Maximum length of a reason or ticket, in characters: plugins copy them into tokens, which travel with every request.
const MAX_CHARS: usize = 200;
/// Applications per API call; the number of calls is limited too, since a select field cannot offer more.
const PAGE: u64 = 100;
const MAX_PAGES: u64 = 10;

#[derive(Template)]
#[template(path = "impersonations/begin.html")]
struct BeginPage {
    frame: Frame,
    person: UserFields,
    /// Ids and names of the applications.
    applications: Vec<(String, String)>,
    form: Form,
    problem: String,
}

impl BeginPage {
    fn body(&self) -> String {
        let Value::Object(context) = context(&self.frame.caller, &self.form) else { return String::new() };
        json!({ "userId": self.person.id, "context": context }).to_string()
    }
}

/// The page that posts the token to the application.
#[derive(Template)]
#[template(path = "impersonations/hand_over.html")]
struct HandOverPage {
    frame: Frame,
    person: UserFields,
    application: String,
    address: String,
    /// Hidden form fields: names and values. None is ever part of a URL.
    fields: Vec<(&'static str, String)>,
}

pub(super) async fn ask(caller: Caller, Path(id): Path<String>) -> Result<Response, Failure> {
    let person: UserFields = caller.get(&format!("/api/users/{}", segment(&id))).await?;
    show(&caller, &page(&caller, person, Form::default(), String::new()).await?)
}

pub(super) async fn begin(Path(id): Path<String>, Posted { caller, form }: Posted) -> Result<Response, Failure> {
    let person: UserFields = caller.get(&format!("/api/users/{}", segment(&id))).await?;
    let problem = check(&form);
    let known = applications(&caller).await?;
    let chosen = known.into_iter().find(|application| application.id == form.text("application"));
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
    let policy = policy(&caller, &address)?;
    let frame = Frame::new(&caller, Section::Impersonations);
    let mut response = show(&caller, &HandOverPage { frame, person, application: chosen.name, address, fields })?;
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_SECURITY_POLICY, policy);
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // The application sees in `Origin` that the console sent the form; the referrer contains only the origin.
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("strict-origin"));
    Ok(response)
}

/// CSP of the page that posts the token: `form-action` allows the application and this server only. The server is
/// needed because browsers apply the policy to redirects as well, and an application redirects here to sign in.
fn policy(caller: &Caller, address: &str) -> Result<HeaderValue, Failure> {
    let origin = Url::parse(address).map(|url| url.origin().ascii_serialization());
    let origin = origin.map_err(|error| Failure::broken(caller, &error))?;
    let policy = format!(
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
         base-uri 'none'; frame-ancestors 'none'; form-action 'self' {origin}"
    );
    HeaderValue::try_from(policy).map_err(|error| Failure::broken(caller, &error))
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
    let applications = applications(caller).await?.into_iter().map(|known| (known.id.into(), known.name)).collect();
    Ok(BeginPage { frame: Frame::new(caller, Section::Impersonations), person, applications, form, problem })
}

/// The applications that registered an impersonation URI and may exchange tokens.
async fn applications(caller: &Caller) -> Result<Vec<ApplicationView>, Failure> {
    let mut found = Vec::new();
    for page in 1..=MAX_PAGES {
        let list: List<ApplicationView> = caller.list("/api/applications", Paging { page, size: PAGE }).await?;
        let is_last = list.next().is_none();
        let takes_over = |one: &ApplicationView| takes_over(one.is_third_party, &one.custom_client_metadata);
        found.extend(list.items.into_iter().filter(takes_over));
        if is_last {
            break;
        }
    }
    Ok(found)
}

fn takes_over(is_third_party: bool, metadata: &CustomClientMetadata) -> bool {
    !is_third_party && metadata.allow_token_exchange == Some(true) && metadata.impersonation_uri.is_some()
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
            let read = serde_json::from_value(metadata.clone()).unwrap_or_default();
            assert_eq!(takes_over(is_third_party, &read), fits, "{metadata}");
        }
    }
}
