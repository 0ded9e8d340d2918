//! Uniqueness of usernames, email addresses and phone numbers, compared without regard to case and notation.

use super::AccountRefusal;
use claimsmith_domain::documents::fold::{compose, fold};
use claimsmith_domain::documents::user::Email;
use claimsmith_domain::documents::username::{is_plain, written_as};
use claimsmith_domain::identifier::{Identifier, IdentifierType};
use claimsmith_domain::phone::international;
use claimsmith_domain::sign_in_experience::username_check;
use claimsmith_services::unit_of_work::UnitOfWork;
use claimsmith_storage::sign_in::settings::EXPERIENCE;
use claimsmith_storage::users::{self, Identifiers, User};
use claimsmith_storage::{self as storage, Tx};

/// A phone number as digits in international format.
pub fn phone(written: &str) -> Result<String, AccountRefusal> {
    international(written).ok_or(AccountRefusal::ImpossiblePhone)
}

/// Refuses an invalid email address. A user keeps an existing one, since earlier versions accepted more.
pub(super) fn check_email(before: Option<&str>, after: Option<&str>) -> Result<(), AccountRefusal> {
    match after {
        Some(address) if after != before && Email::try_from(address.to_owned()).is_err() => {
            Err(AccountRefusal::ImpossibleEmail)
        }
        _ => Ok(()),
    }
}

/// Composes a new username, and refuses one that the settings do not allow, or that is the email address or the phone
/// number of another user. A user keeps an existing one, and another user may take that address or number, which then
/// takes precedence at sign-in.
pub(super) async fn check_username(
    work: &mut UnitOfWork,
    before: Option<&str>,
    user: &mut User,
) -> Result<(), AccountRefusal> {
    let Some(name) = user.username.as_mut().filter(|name| Some(name.as_str()) != before && !is_plain(name)) else {
        return Ok(());
    };
    *name = compose(name).into_owned();
    let policy = EXPERIENCE.find(work).await?.username_policy;
    let checked = if work.is_by_its_person() {
        username_check::check(&policy, name)
    } else {
        username_check::check_given(&policy, name)
    };
    checked.map_err(AccountRefusal::Username)?;
    let address = Identifier { kind: written_as(name), value: name.clone() };
    let Some(wanted) = wanted(&address).filter(|_| address.kind != IdentifierType::Username) else { return Ok(()) };
    let owners = users::identified_by(work, &wanted).await?;
    if owners.iter().any(|owner| owner.id != user.id) {
        return Err(AccountRefusal::Taken(IdentifierType::Username));
    }
    Ok(())
}

/// The identifiers of a user.
pub(super) fn identifiers_of(user: &User) -> Identifiers {
    Identifiers {
        username: user.username.clone(),
        primary_email: user.primary_email.clone(),
        primary_phone: user.primary_phone.clone(),
    }
}

/// Whether a user has this username, email address or phone number. An impossible phone number is never taken.
pub async fn is_taken(tx: &mut Tx, identifier: &Identifier) -> storage::Result<bool> {
    let Some(wanted) = wanted(identifier) else { return Ok(false) };
    Ok(!users::identified_by(tx, &wanted).await?.is_empty())
}

/// The lookup key of a username, email address or phone number. `None` for an impossible phone number.
#[must_use]
pub fn wanted(identifier: &Identifier) -> Option<Identifiers> {
    let mut wanted = Identifiers { username: None, primary_email: None, primary_phone: None };
    let value = Some(identifier.value.clone());
    match identifier.kind {
        IdentifierType::Username => wanted.username = value,
        IdentifierType::Email => wanted.primary_email = value,
        IdentifierType::Phone => wanted.primary_phone = Some(international(&identifier.value)?),
    }
    Some(wanted)
}

/// Refuses a user with an identifier of another user.
pub(super) async fn refuse_taken(tx: &mut Tx, user: &User) -> Result<(), AccountRefusal> {
    let wanted = identifiers_of(user);
    let others = users::identified_by(tx, &wanted).await?;
    let taken = |of: fn(&Identifiers) -> &Option<String>| {
        let wanted = of(&wanted).as_deref().map(fold);
        let mut others = others.iter().filter(|other| other.id != user.id);
        wanted.is_some() && others.any(|other| of(&other.identifiers).as_deref().map(fold) == wanted)
    };
    if taken(|one| &one.username) {
        return Err(AccountRefusal::Taken(IdentifierType::Username));
    }
    if taken(|one| &one.primary_email) {
        return Err(AccountRefusal::Taken(IdentifierType::Email));
    }
    if taken(|one| &one.primary_phone) {
        return Err(AccountRefusal::Taken(IdentifierType::Phone));
    }
    Ok(())
}

/// The reason that a user could not be written. If another request took an identifier between the check and the write,
/// the check is repeated outside of the failed transaction to find which one.
pub(super) async fn explain(work: &UnitOfWork, error: storage::Error, user: &User) -> AccountRefusal {
    if !matches!(error, storage::Error::Conflict) {
        return error.into();
    }
    let look = async { refuse_taken(&mut work.db().read().await?, user).await };
    look.await.err().unwrap_or(AccountRefusal::Conflict)
}
