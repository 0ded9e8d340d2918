//! Whether the application could ask for such a token at all, found out before a run begins.

use super::RunOptions;
use crate::grants::preview::{self, NotDecided};
use crate::grants::{GrantErrorCode, GrantRefusal};
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::app::App;
use claimsmith_storage as storage;
use claimsmith_storage::plugins::population_runs;

/// Users that are asked about.
const USERS: i64 = 5;

/// Why the token endpoint would refuse, whoever the user is: the member of the request that it is about, and the text.
pub(super) type Refused = (&'static str, String);

/// Asks about the first users. `None` if one of them would get a token, or is refused for reasons of their own.
///
/// # Errors
/// The database's.
pub async fn probe(app: &App, application: &ApplicationId, options: &RunOptions) -> storage::Result<Option<Refused>> {
    let users = population_runs::users_after(&mut app.db.read().await?, "", USERS).await?;
    let mut refused = None;
    for user in users {
        let Some(parameters) = options.parameters(application, UserId::from(user)) else { continue };
        match preview::decide(app, &RequestOrigin::default(), &parameters).await {
            Err(NotDecided::User) => {}
            Err(NotDecided::Refused(GrantRefusal::Denied { code, description, detail })) => {
                let field = match code {
                    GrantErrorCode::InvalidTarget => "resource",
                    GrantErrorCode::InvalidScope => "scope",
                    GrantErrorCode::UnauthorizedClient | GrantErrorCode::UnsupportedGrantType => "grantType",
                    _ => return Ok(None),
                };
                let detail = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
                refused = Some((field, format!("the token endpoint would refuse: {description}{detail}")));
            }
            _ => return Ok(None),
        }
    }
    Ok(refused)
}
