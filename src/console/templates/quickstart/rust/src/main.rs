//! Signs users in with OpenID Connect, and calls the API with their access token.

use anyhow::Context;
use axum::extract::{Query, State};
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::{Router, routing::get};
use openidconnect::core::{CoreAuthenticationFlow, CoreClient, CoreIdToken};
use openidconnect::{
    AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointMaybeSet, EndpointNotSet, EndpointSet, IssuerUrl,
    LogoutRequest, Nonce, OAuth2TokenResponse, PkceCodeChallenge, PkceCodeVerifier, PostLogoutRedirectUrl,
    ProviderMetadataWithLogout, RedirectUrl, Scope, TokenResponse,
};
use serde::{Deserialize, Serialize};
use std::env::var;
use std::sync::Arc;
use std::time::Duration;
use tower_sessions::{MemoryStore, Session, SessionManagerLayer};

/// The client with the endpoints that discovery finds.
type Client =
    CoreClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointMaybeSet, EndpointMaybeSet>;

struct App {
    client: Client,
    metadata: ProviderMetadataWithLogout,
    http: reqwest::Client,
    scope: String,
    /// The access token is issued for this API.
    resource: String,
    api_url: String,
    post_logout_uri: PostLogoutRedirectUrl,
}

/// A sign-in that was started in this browser.
#[derive(Serialize, Deserialize)]
struct Pending {
    state: CsrfToken,
    nonce: Nonce,
    verifier: PkceCodeVerifier,
}

/// The signed-in user.
#[derive(Serialize, Deserialize)]
struct User {
    name: String,
    id_token: CoreIdToken,
    access_token: String,
}

#[derive(Deserialize)]
struct Answer {
    code: Option<String>,
    state: Option<String>,
    error: Option<String>,
}

/// An error of a request; its details are printed and not shown.
struct Failed(anyhow::Error);

impl<E: Into<anyhow::Error>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self(error.into())
    }
}

impl IntoResponse for Failed {
    fn into_response(self) -> Response {
        eprintln!("{:?}", self.0);
        (StatusCode::BAD_GATEWAY, "The sign-in failed.").into_response()
    }
}

async fn sign_in(State(app): State<Arc<App>>, session: Session) -> Result<Redirect, Failed> {
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let mut request = app
        .client
        .authorize_url(CoreAuthenticationFlow::AuthorizationCode, CsrfToken::new_random, Nonce::new_random)
        .add_scopes(app.scope.split(' ').filter(|scope| *scope != "openid").map(|scope| Scope::new(scope.to_owned())))
        .set_pkce_challenge(challenge);
    if !app.resource.is_empty() {
        request = request.add_extra_param("resource", &app.resource);
    }
    let (url, state, nonce) = request.url();
    session.insert("pending", Pending { state, nonce, verifier }).await?;
    Ok(Redirect::to(url.as_str()))
}

async fn callback(
    State(app): State<Arc<App>>,
    session: Session,
    Query(answer): Query<Answer>,
) -> Result<Response, Failed> {
    let pending: Option<Pending> = session.remove("pending").await?;
    // No sign-in was started in this browser, or it is already finished.
    let Some(pending) = pending.filter(|pending| Some(pending.state.secret()) == answer.state.as_ref()) else {
        return Ok(Redirect::to("/").into_response());
    };
    if let Some(error) = answer.error {
        return Ok((StatusCode::FORBIDDEN, format!("Not signed in: {error}.")).into_response());
    }
    let code = AuthorizationCode::new(answer.code.context("there is no code")?);
    let mut request = app.client.exchange_code(code)?.set_pkce_verifier(pending.verifier);
    if !app.resource.is_empty() {
        request = request.add_extra_param("resource", &app.resource);
    }
    let tokens = request.request_async(&app.http).await?;
    let id_token = tokens.id_token().context("there is no ID token")?.clone();
    let claims = id_token.claims(&app.client.id_token_verifier(), &pending.nonce)?;
    let name = claims.name().and_then(|name| name.get(None)).map(|name| name.to_string());
    let name = name.or_else(|| claims.preferred_username().map(|name| name.to_string()));
    let name = name.unwrap_or_else(|| claims.subject().to_string());
    // A new session id, so that one that was known before the sign-in is worth nothing.
    session.cycle_id().await?;
    let access_token = tokens.access_token().secret().clone();
    session.insert("user", User { name, id_token, access_token }).await?;
    Ok(Redirect::to("/").into_response())
}

async fn sign_out(State(app): State<Arc<App>>, session: Session) -> Result<Redirect, Failed> {
    let user: Option<User> = session.get("user").await?;
    session.flush().await?;
    let endpoint = app.metadata.additional_metadata().end_session_endpoint.clone();
    let mut request = LogoutRequest::from(endpoint.context("the server has no logout endpoint")?)
        .set_client_id(app.client.client_id().clone())
        .set_post_logout_redirect_uri(app.post_logout_uri.clone());
    if let Some(user) = user {
        request = request.set_id_token_hint(&user.id_token);
    }
    Ok(Redirect::to(request.http_get_url().as_str()))
}

async fn home(State(app): State<Arc<App>>, session: Session) -> Result<Html<String>, Failed> {
    let Some(user) = session.get::<User>("user").await? else {
        return Ok(Html("<p><a href=\"/sign-in\">Sign in</a></p>".to_owned()));
    };
    let answer = call_api(&app, &user.access_token).await;
    let [name, answer] = [&user.name, &answer].map(|text| html_escape::encode_text(text).into_owned());
    Ok(Html(format!("<p>Hello {name}. <a href=\"/sign-out\">Sign out</a></p><pre>{answer}</pre>")))
}

async fn call_api(app: &App, access_token: &str) -> String {
    if app.api_url.is_empty() {
        return "No API is configured.".to_owned();
    }
    let called = async {
        let answer = app.http.get(&app.api_url).bearer_auth(access_token).send().await?;
        Ok::<_, reqwest::Error>(format!("The API answered {}: {}", answer.status(), answer.text().await?))
    };
    called.await.unwrap_or_else(|_| format!("The API does not answer at {}.", app.api_url))
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    dotenvy::dotenv()?;
    // Redirects of the server are not followed: they could lead to internal addresses.
    let http = reqwest::Client::builder()
        .redirect(reqwest::redirect::Policy::none())
        .timeout(Duration::from_secs(10))
        .build()?;
    let metadata = ProviderMetadataWithLogout::discover_async(IssuerUrl::new(var("ISSUER")?)?, &http).await?;
    let redirect_uri = RedirectUrl::new(var("REDIRECT_URI")?)?;
    let url = redirect_uri.url().clone();
    let secret = ClientSecret::new(var("CLIENT_SECRET")?);
    let client = CoreClient::from_provider_metadata(metadata.clone(), ClientId::new(var("CLIENT_ID")?), Some(secret))
        .set_redirect_uri(redirect_uri);
    let app = App {
        client,
        metadata,
        http,
        scope: var("SCOPE")?,
        resource: var("RESOURCE")?,
        api_url: var("API_URL")?,
        post_logout_uri: PostLogoutRedirectUrl::new(var("POST_LOGOUT_URI")?)?,
    };
    // Sessions end when the server restarts. In production, use another store.
    let sessions = SessionManagerLayer::new(MemoryStore::default())
        .with_secure(url.scheme() == "https")
        .with_same_site(tower_sessions::cookie::SameSite::Lax);
    let routes = Router::new()
        .route("/", get(home))
        .route("/sign-in", get(sign_in))
        .route("/sign-out", get(sign_out))
        .route(url.path(), get(callback))
        .layer(sessions)
        .with_state(Arc::new(app));
    let address = (url.host_str().unwrap_or("localhost").to_owned(), url.port().unwrap_or(3000));
    let listener = tokio::net::TcpListener::bind(address).await?;
    axum::serve(listener, routes).await?;
    Ok(())
}
