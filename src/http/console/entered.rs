//! Validates the form of a one-time link: the names, the email address and the password of the account.

use claimsmith_domain::id::UserId;
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::password_policy::UserInfo;
use claimsmith_domain::sign_in_experience::username_check;
use claimsmith_identity::accounts::NewUser;
use claimsmith_identity::interaction::refusal::InteractionRefusal;
use claimsmith_pages::form::FieldError;
use claimsmith_pages::frame::Frame;
use claimsmith_pages::sign_in::messages::field_error;
use claimsmith_services::app::App;
use claimsmith_storage::users::User;
use serde_json::json;

/// Maximum bytes of a password and of other fields.
const MAX_BYTES: usize = 4096;
/// Maximum characters of a name.
const MAX_NAME_CHARS: usize = 128;

/// The entered values.
#[derive(Clone, Copy, Default)]
pub(super) struct EnteredAccount<'e> {
    pub code: &'e str,
    pub identifier: &'e str,
    pub name: &'e str,
}

/// The account that the link is for.
pub(super) enum Account {
    New(Box<NewUser>),
    Known(UserId),
}

/// Validates the entered values. `known`: the user who gets a new password; otherwise an account is created.
pub(super) fn account<'f>(
    app: &App,
    frame: &'f Frame,
    known: Option<&User>,
    entered: EnteredAccount<'_>,
    password: &str,
) -> Result<Account, FieldError<'f>> {
    let required = |field| FieldError::at(field, frame.t.errors.required.as_str());
    let wrong = |refusal: &InteractionRefusal| field_error(frame, refusal).unwrap_or_else(|| required("identifier"));
    let (new, info) = if let Some(user) = known {
        (None, info_of(user))
    } else {
        let new = named(frame, entered)?;
        let [username, email] = [&new.username, &new.primary_email].map(Clone::clone);
        (Some(new), [Some(entered.name.to_owned()), username, email, None])
    };
    if password.is_empty() || password.len() > MAX_BYTES {
        return Err(required("password"));
    }
    let [name, username, email, phone] = info.each_ref().map(Option::as_deref);
    let info = UserInfo { name: name.filter(|name| !name.is_empty()), username, email, phone };
    let issues = app.passwords.issues(&frame.settings.password_policy, password, Some(&info));
    if !issues.is_empty() {
        return Err(wrong(&InteractionRefusal::Password(issues)));
    }
    Ok(match (known, new) {
        (Some(user), _) => Account::Known(user.id.clone()),
        (None, Some(new)) => Account::New(Box::new(new)),
        (None, None) => return Err(required("identifier")),
    })
}

fn info_of(user: &User) -> [Option<String>; 4] {
    [&user.name, &user.username, &user.primary_email, &user.primary_phone].map(Clone::clone)
}

/// The new user: with an email address, or with a username.
fn named<'f>(frame: &'f Frame, entered: EnteredAccount<'_>) -> Result<NewUser, FieldError<'f>> {
    let EnteredAccount { identifier, name, .. } = entered;
    let at_identifier = |error: FieldError<'f>| FieldError { field: "identifier", ..error };
    if identifier.is_empty() || identifier.len() > MAX_BYTES {
        return Err(FieldError::at("identifier", frame.t.errors.required.as_str()));
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(FieldError::at("name", format!("At most {MAX_NAME_CHARS} characters.")));
    }
    let name = Some(name.to_owned()).filter(|name| !name.is_empty());
    if identifier.contains('@') {
        let email = Identifier { kind: IdentifierType::Email, value: identifier.to_owned() }.stored();
        let Some(email) = email.filter(Identifier::may_be_given) else {
            return Err(FieldError::at("identifier", frame.t.errors.email_format.as_str()));
        };
        return Ok(NewUser { primary_email: Some(email.value), name, profile: json!({}), ..NewUser::default() });
    }
    if let Err(issue) = username_check::check(&frame.settings.username_policy, identifier) {
        let error = field_error(frame, &InteractionRefusal::Username(issue));
        return Err(error.map_or_else(|| FieldError::of_form(frame.t.errors.required.as_str()), at_identifier));
    }
    Ok(NewUser { username: Some(identifier.to_owned()), name, profile: json!({}), ..NewUser::default() })
}
