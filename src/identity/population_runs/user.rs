//! One user of a run: the token that the user would get, and what both versions answer for it.

use super::{RunError, RunOptions};
use crate::grants::GrantRefusal;
use crate::grants::preview::{self, NotDecided};
use claimsmith_domain::id::{ApplicationId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::app::App;
use claimsmith_services::plugins::population::{Busy, Compared, PopulationRunner, class_name};
use claimsmith_services::tokens::Decision;
use serde_json::Value;
use std::sync::Arc;

/// What is the same for all users of a run.
pub(super) struct RunContext {
    pub(super) app: App,
    pub(super) application: ApplicationId,
    pub(super) options: RunOptions,
    pub(super) runner: Arc<PopulationRunner>,
}

/// The result for a user.
pub(super) enum Visit {
    /// Both versions were called; with the difference as it is kept, if it is.
    Compared(Box<Compared>, Option<Value>),
    /// There would be no such token; why, unless it is suspended.
    Skipped(Option<String>),
}

impl RunContext {
    /// Compares the answers for one user. The difference is composed only if its class is one of `kept`.
    pub(super) async fn visit(&self, user: UserId, kept: &[&str]) -> Result<Visit, RunError> {
        let decision = match self.decide(user).await? {
            Ok(decision) => decision,
            Err(skipped) => return Ok(Visit::Skipped(skipped)),
        };
        let now = self.app.clock.now_ms();
        let question = self.app.issuer.question(&decision, self.options.id_token, None, now);
        let Some(question) = question.map_err(|error| RunError::User(Box::new(error)))? else {
            return Ok(Visit::Skipped(Some("an ID token comes with the scope openid alone".to_owned())));
        };
        let compared = self.runner.compare(&question.issuance).await.map_err(|Busy| RunError::Busy)?;
        let class = class_name(compared.difference.class);
        let document =
            if kept.contains(&class) { self.runner.document(&question.issuance, &compared).await } else { None };
        Ok(Visit::Compared(Box::new(compared), document))
    }

    /// The decision of the token endpoint, or why it would refuse.
    async fn decide(&self, user: UserId) -> Result<Result<Decision, Option<String>>, RunError> {
        let parameters = self.options.parameters(&self.application, user);
        let parameters = parameters.ok_or_else(|| RunError::Over("this server has no such grant type".to_owned()))?;
        match preview::decide(&self.app, &RequestOrigin::default(), &parameters).await {
            Ok(decision) => Ok(Ok(decision)),
            Err(NotDecided::Application) => Err(RunError::Over("the application was deleted".to_owned())),
            Err(NotDecided::User | NotDecided::Actor) => Ok(Err(None)),
            Err(NotDecided::Refused(refusal)) => match refusal {
                GrantRefusal::Denied { code, description, detail } => {
                    let detail = detail.map(|detail| format!(" ({detail})")).unwrap_or_default();
                    Ok(Err(Some(format!("{}: {description}{detail}", code.text()))))
                }
                GrantRefusal::Plugin { .. } => Ok(Err(None)),
                GrantRefusal::Broken | GrantRefusal::Unavailable => Err(RunError::Busy),
                GrantRefusal::Failed(error) => Err(RunError::User(error)),
            },
        }
    }
}
