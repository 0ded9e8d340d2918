//! Previews of grants, decided as for a token but without a credential: nothing is presented, and nothing is used up.

use super::sign_in::{self, PresentedGrant};
use super::token_exchange::{self, ActorSource};
use super::{
    GrantFailure, GrantRefusal, RequestParameters, TokenRequest, authorization_code, authorization_request,
    client_credentials, device_code,
};
use crate::interaction::code::{self, recipient};
use claimsmith_domain::authorization::request::Consented;
use claimsmith_domain::grant::grant_type::GrantType;
use claimsmith_domain::grant::token_exchange::ACCESS_TOKEN_TYPE;
use claimsmith_domain::id::{ApplicationId, OrganizationId, SubjectTokenId, UserId};
use claimsmith_domain::origin::RequestOrigin;
use claimsmith_services::app::App;
use claimsmith_services::tokens::{ActingParty, Decision, Found, SignInCredential};
use claimsmith_storage::issuing::subject_tokens::LiveSubject;
use claimsmith_storage::users::{self, User};
use claimsmith_storage::{SharedDocument, Tx, settings};
use serde_json::Map;

/// Replaces ids and tokens that a preview does not have.
const NONE: &str = "preview";

/// The requested preview.
pub struct PreviewParameters {
    /// The application.
    pub application_id: ApplicationId,
    /// The user; none for a token of the application itself.
    pub user_id: Option<UserId>,
    /// One of the grants of the token endpoint.
    pub grant_type: GrantType,
    /// The parameter `resource`.
    pub resource: Option<String>,
    /// The parameter `organization_id`.
    pub organization_id: Option<OrganizationId>,
    /// The parameter `scope`.
    pub scope: Option<String>,
    /// The subject token's context: only for token exchange.
    pub subject_token_context: SharedDocument,
    /// The subject token, if a known one is previewed.
    pub subject_token_id: Option<SubjectTokenId>,
    /// The acting user: only for token exchange.
    pub actor_id: Option<UserId>,
}

/// The reason that there is no decision.
pub enum NotDecided {
    /// There is no such application.
    Application,
    /// There is no such user, or a suspended one.
    User,
    /// There is no such actor, or a suspended one.
    Actor,
    /// The token endpoint would refuse, or the server failed.
    Refused(GrantRefusal),
}

impl<E: Into<GrantRefusal>> From<E> for NotDecided {
    fn from(error: E) -> Self {
        Self::Refused(error.into())
    }
}

impl From<GrantFailure> for NotDecided {
    fn from(failure: GrantFailure) -> Self {
        match failure {
            GrantFailure::Refused(error) => Self::Refused(error),
            GrantFailure::Stale => Self::Refused(GrantRefusal::Unavailable),
        }
    }
}

/// Decides what the application would get now, as the token endpoint does.
pub async fn decide(app: &App, origin: &RequestOrigin, preview: &PreviewParameters) -> Result<Decision, NotDecided> {
    let (mut tx, now) = (app.db.read().await?, app.clock.now_ms());
    let snapshot = app.authorizations.current(&mut tx, now).await?;
    let client = snapshot.client(&mut tx, &preview.application_id).await?.ok_or(NotDecided::Application)?;
    let user = match &preview.user_id {
        Some(id) => Some(active(&mut tx, id).await?.ok_or(NotDecided::User)?),
        None => None,
    };
    let parameters = parameters_of(preview);
    let (audit, parameters) = (Map::new(), &parameters);
    let request = TokenRequest { app, parameters, origin, client, snapshot, found: Found::Nothing, audit, now };
    match (preview.grant_type, user) {
        (GrantType::ClientCredentials, _) => Ok(client_credentials::decide(request, tx).await?),
        (GrantType::TokenExchange, Some(user)) => exchanged(request, tx, user, preview).await,
        (grant @ (GrantType::AuthorizationCode | GrantType::RefreshToken | GrantType::DeviceCode), Some(user)) => {
            signed_in(request, tx, grant, user, preview).await
        }
        (_, None) => Err(NotDecided::User),
        (GrantType::Operator, _) => Err(GrantRefusal::unsupported_grant_type().into()),
    }
}

async fn active(tx: &mut Tx, id: &UserId) -> Result<Option<User>, NotDecided> {
    Ok(users::find(tx, id).await?.filter(|user| !user.is_suspended))
}

/// The parameters of the corresponding token request.
fn parameters_of(preview: &PreviewParameters) -> RequestParameters {
    let mut pairs = Vec::new();
    let mut put = |name: &str, value: Option<&str>| {
        // As in a form: empty parameters are omitted.
        if let Some(value) = value.filter(|value| !value.is_empty()) {
            pairs.push((name.to_owned(), value.to_owned()));
        }
    };
    put("grant_type", Some(preview.grant_type.as_str()));
    put("resource", preview.resource.as_deref());
    put("organization_id", preview.organization_id.as_deref());
    put("scope", preview.scope.as_deref());
    if preview.grant_type == GrantType::TokenExchange {
        put("subject_token", Some(NONE));
        put("subject_token_type", Some(ACCESS_TOKEN_TYPE));
    }
    RequestParameters::of_pairs(pairs)
}

async fn exchanged(
    mut request: TokenRequest<'_>,
    mut tx: Tx,
    user: User,
    preview: &PreviewParameters,
) -> Result<Decision, NotDecided> {
    let actor = match &preview.actor_id {
        None => None,
        Some(id) => {
            let actor = active(&mut tx, id).await?.ok_or(NotDecided::Actor)?;
            Some(ActingParty { id: actor.id, revision: actor.revision, jti: NONE.to_owned() })
        }
    };
    request.found = Found::Subject(LiveSubject {
        id: preview.subject_token_id.clone().unwrap_or_else(|| NONE.into()),
        hash: String::new(),
        context: preview.subject_token_context.clone(),
        user_id: user.id,
        user_revision: user.revision,
    });
    Ok(token_exchange::decide(request, tx, ActorSource::Given(actor)).await?)
}

/// As if the user had signed in now, and granted a third party everything that it requests.
async fn signed_in(
    request: TokenRequest<'_>,
    mut tx: Tx,
    grant_type: GrantType,
    user: User,
    preview: &PreviewParameters,
) -> Result<Decision, NotDecided> {
    match grant_type {
        GrantType::AuthorizationCode => authorization_code::may_use(&request.client)?,
        GrantType::DeviceCode => device_code::may_use(&request.client)?,
        _ => {}
    }
    let asked =
        authorization_request::read(request.app, &mut tx, &request.snapshot, request.parameters, &request.client)
            .await?;
    let client = request.client.clone();
    let recipient = recipient(&client);
    let consented = Consented {
        resources: asked.resources.iter().map(|resource| (resource.clone(), asked.scope.clone())).collect(),
        organizations: preview.organization_id.iter().map(ToString::to_string).collect(),
    };
    let mut authorized = code::authorized(&asked, recipient, consented);
    authorized.auth_time = request.now / 1000;
    let presented = PresentedGrant {
        user,
        id_token_config: settings::get(&mut tx, settings::ID_TOKENS).await?,
        grant_id: NONE.into(),
        family_id: NONE.to_owned(),
        authorized,
        previewed_organizations: preview.organization_id.iter().cloned().collect(),
        credential: SignInCredential::Kept(String::new()),
        refresh: None,
    };
    Ok(sign_in::decide(request, tx, grant_type, presented, None).await?)
}
