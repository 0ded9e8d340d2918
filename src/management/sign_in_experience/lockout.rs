//! Refuses, on request, a change of the sign-in settings that leaves users without a way in, and names the first ones.

use claimsmith_domain::api_code::ApiCode;
use claimsmith_domain::documents::sign_in_experience::SignInExperience;
use claimsmith_domain::sign_in_experience::accepted_credentials::AcceptedCredentials;
use claimsmith_domain::sign_in_experience::checks::SettingsContext;
use claimsmith_storage::Tx;
use claimsmith_storage::users::locked_out::{self, LockedOutUser};
use claimsmith_web::error::ApiError;
use serde_json::json;

/// The number of users that a refusal names.
const NAMED: i64 = 5;

/// Refuses `after` if users can sign in by `before`, but not by `after`.
pub(super) async fn check(
    tx: &mut Tx,
    (before, after): (&SignInExperience, &SignInExperience),
    context: &SettingsContext,
) -> Result<(), ApiError> {
    let [before, after] = [before, after].map(|settings| AcceptedCredentials::of(settings, context));
    if after.includes(&before) {
        return Ok(());
    }
    let count = locked_out::count(tx, &before, &after).await?;
    if count == 0 {
        return Ok(());
    }
    let users = locked_out::list(tx, (&before, &after), NAMED).await?;
    let named = |user: LockedOutUser| {
        let name = user.label.filter(|label| !label.is_empty()).unwrap_or_else(|| user.id.to_string());
        json!({ "id": user.id, "name": name })
    };
    let users: Vec<_> = users.into_iter().map(named).collect();
    let who = if count == 1 { "1 user".to_owned() } else { format!("{count} users") };
    let message = format!("{who} could no longer sign in: none of their credentials would be accepted.");
    Err(ApiError::new(ApiCode::SignInExperiencesUsersLockedOut, message)
        .with_data(json!({ "count": count, "users": users })))
}
