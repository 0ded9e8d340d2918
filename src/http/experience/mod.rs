//! The Interaction API, `/api/experience`: the steps of a sign-in or a registration, for custom pages. It is bound to
//! the browser's cookies; the rules are in [`claimsmith_identity::interaction`].

mod avatar;
mod captcha;
mod consent;
mod factors;
mod federated;
mod identification;
mod interaction;
mod mfa_code;
mod one_time_token;
mod passkeys;
mod profile;
mod profile_mfa;
mod submit;
mod verification;
mod verification_code;

use super::described::{Described, DescribedRoutes};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, header};
use claimsmith_services::app::App;
use claimsmith_web::routing::post;
use claimsmith_web::submitted_code::SubmittedCode;
use std::sync::LazyLock;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, SecurityScheme};
use verification::Verified;

/// The refusals of every step.
const REFUSALS: &[(&str, &str)] = &[
    ("400", "The body is not what the step takes, or the step does not fit the interaction"),
    ("401", "The proof is not accepted"),
    ("403", "The settings, or the origin of the request, do not allow it"),
    ("404", "The browser has no such interaction, or it has no such verification"),
    ("422", "The step is refused; `code` says why"),
    ("429", "Too many messages were sent"),
    ("503", "Too many steps were made"),
];

static DESCRIBED: LazyLock<(Router<App>, OpenApi)> = LazyLock::new(|| {
    let cookie = ApiKeyValue::with_description("claimsmith_interaction", "The cookie of the browser's interaction.");
    let about = "The steps of a sign-in or a registration, for custom pages.";
    let scheme = SecurityScheme::ApiKey(ApiKey::Cookie(cookie));
    routes().finish("Claimsmith Interaction API", about, scheme)
});

/// The OpenAPI description.
pub(crate) fn description() -> &'static OpenApi {
    &DESCRIBED.1
}

/// The routes, with full paths.
pub(crate) fn router() -> Router<App> {
    let no_store = SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    DESCRIBED.0.clone().layer(no_store)
}

fn done(summary: &'static str) -> Described {
    Described::new(summary).answers("204", "Done")
}

fn verified(summary: &'static str) -> Described {
    Described::new(summary).returns::<Verified>("200", "The verification")
}

fn routes() -> DescribedRoutes {
    profile_routes(factor_routes(verification_routes(step_routes(DescribedRoutes::new("interaction", REFUSALS)))))
}

fn step_routes(routes: DescribedRoutes) -> DescribedRoutes {
    const PROGRESS: &str =
        "`interactionEvent`, `userId`, `profile`, `mfa`, `captcha`, `verificationRecords`, `trustedDevice`";
    const CONSENT: &str =
        "`application`, `user`, `organizations`, `missingOIDCScope`, `missingResourceScopes`, `redirectUri`";
    const CONTINUES: &str = "Where the browser continues";
    let start = done("Begins the interaction, or restarts it.").body::<interaction::Begin>();
    let switch = done("Switches to another event.").body::<interaction::Switch>();
    let connectors =
        Described::new("Lists the enterprise connectors of an email address.").query("email", "The address");
    let connectors = connectors.returns::<federated::ConnectorIds>("200", "Their ids");
    let puzzle = Described::new("Generates a puzzle that keeps programs out.");
    let identify =
        done("Identifies the user by a verification, or creates them.").answers("201", "The user was created");
    let submit = Described::new("Signs the user in, or replaces a forgotten password: then without a body.");
    let decide = Described::new("Grants or denies what an application asks for.").body::<consent::Decision>();
    routes
        .put("/api/experience", interaction::start, start)
        .put("/api/experience/interaction-event", interaction::switch, switch)
        .get(
            "/api/experience/interaction",
            interaction::show,
            Described::new("Shows the progress.").returns_json("200", PROGRESS),
        )
        .get("/api/experience/sso-connectors", federated::list_connectors, connectors)
        .post(
            "/api/experience/preflight/captcha",
            captcha::ask,
            puzzle.returns::<captcha::NewPuzzle>("200", "The puzzle"),
        )
        .post(
            "/api/experience/identification",
            identification::identify,
            identify.body::<identification::Identification>(),
        )
        .post("/api/experience/submit", submit::submit, submit.returns::<submit::Redirect>("200", CONTINUES))
        .get(
            "/api/interaction/consent",
            consent::show,
            Described::new("Shows what an application asks for.").returns_json("200", CONSENT),
        )
        .post("/api/interaction/consent", consent::decide, decide.returns::<consent::Redirect>("200", CONTINUES))
        .delete("/api/interaction", consent::abort, done("Ends the sign-in: the application gets `access_denied`."))
}

fn verification_routes(routes: DescribedRoutes) -> DescribedRoutes {
    routes
        .post(
            "/api/experience/verification/password",
            verification::verify_password,
            verified("Verifies a password.").body::<verification::Credentials>(),
        )
        .post(
            "/api/experience/verification/new-password-identity",
            verification::new_password_identity,
            verified("Stores username and password of a new user.").body::<verification::NewCredentials>(),
        )
        .post(
            "/api/experience/verification/verification-code",
            verification_code::send_code,
            verified("Sends a code by email or text message.").body::<verification_code::NewCodeBody>(),
        )
        .post(
            "/api/experience/verification/verification-code/verify",
            verification_code::verify_code,
            verified("Verifies a code.").body::<SubmittedCode>(),
        )
        .post(
            "/api/experience/verification/social/{connectorId}/authorization-uri",
            federated::begin_social,
            Described::new("Begins a sign-in at a social connector.")
                .body::<federated::NewAttempt>()
                .returns::<federated::AuthorizationRedirect>("200", "Where the browser goes"),
        )
        .post(
            "/api/experience/verification/social/{connectorId}/verify",
            federated::verify_social,
            verified("Verifies what came back from a social connector.").body::<federated::Brought>(),
        )
        .post(
            "/api/experience/verification/sso/{connectorId}/authorization-uri",
            federated::begin_enterprise,
            Described::new("Begins a sign-in at an enterprise connector.")
                .body::<federated::NewAttempt>()
                .returns::<federated::AuthorizationRedirect>("200", "Where the browser goes"),
        )
        .post(
            "/api/experience/verification/sso/{connectorId}/verify",
            federated::verify_enterprise,
            verified("Verifies what came back from an enterprise connector.").body::<federated::Brought>(),
        )
        .post(
            "/api/experience/verification/mfa-verification-code",
            mfa_code::send_code,
            verified("Sends a code as a second factor.").body::<mfa_code::NewCodeBody>(),
        )
        .post(
            "/api/experience/verification/mfa-verification-code/verify",
            mfa_code::verify_code,
            verified("Verifies a code as a second factor.").body::<mfa_code::Typed>(),
        )
        .post(
            "/api/experience/verification/one-time-token/verify",
            one_time_token::verify_token,
            verified("Uses the token of a link.").body::<one_time_token::Token>(),
        )
}

fn factor_routes(routes: DescribedRoutes) -> DescribedRoutes {
    routes
        .post(
            "/api/experience/verification/totp/secret",
            factors::new_totp_secret,
            Described::new("Generates a secret for an authenticator app.")
                .returns::<factors::TotpSecret>("200", "The secret"),
        )
        .post(
            "/api/experience/verification/totp/verify",
            factors::verify_totp,
            verified("Verifies a code of an authenticator app.").body::<factors::TotpCode>(),
        )
        .post(
            "/api/experience/verification/backup-code/generate",
            factors::generate_backup_codes,
            Described::new("Generates backup codes.").returns::<factors::Codes>("200", "The codes"),
        )
        .post(
            "/api/experience/verification/backup-code/verify",
            factors::verify_backup_code,
            verified("Verifies a backup code.").body::<factors::BackupCode>(),
        )
        .post(
            "/api/experience/verification/web-authn/registration",
            passkeys::register,
            Described::new("Creates the options for a new passkey.")
                .returns::<passkeys::Registration>("200", "The options"),
        )
        .post(
            "/api/experience/verification/web-authn/registration/verify",
            passkeys::verify_registration,
            verified("Verifies a new passkey.").body::<passkeys::PasskeyResponse>(),
        )
        .post(
            "/api/experience/verification/web-authn/authentication",
            passkeys::authenticate,
            Described::new("Creates the options for a passkey as a second factor.")
                .returns::<passkeys::Authentication>("200", "The options"),
        )
        .post(
            "/api/experience/verification/web-authn/authentication/verify",
            passkeys::verify_authentication,
            verified("Verifies a passkey as a second factor.").body::<passkeys::PasskeyResponse>(),
        )
        .post(
            "/api/experience/preflight/sign-in-passkey/authentication",
            passkeys::preflight,
            Described::new("Creates the options for any passkey of this server.")
                .returns::<passkeys::Authentication>("200", "The options"),
        )
        .post(
            "/api/experience/verification/sign-in-passkey/authentication",
            passkeys::ask_to_sign_in,
            Described::new("Creates the options for the passkeys of a user.")
                .body::<passkeys::Whose>()
                .returns::<passkeys::Authentication>("200", "The options"),
        )
        .post(
            "/api/experience/verification/sign-in-passkey/authentication/verify",
            passkeys::verify_sign_in,
            verified("Verifies a passkey for sign-in.").body::<passkeys::SignInAnswer>(),
        )
}

fn profile_routes(routes: DescribedRoutes) -> DescribedRoutes {
    routes
        .post(
            "/api/experience/profile",
            profile::add,
            done("Stages a part of the profile.").body::<profile::NewProfileValue>(),
        )
        .put(
            "/api/experience/profile/password",
            profile::reset_password,
            done("Stages the password that replaces a forgotten one.").body::<profile::NewPassword>(),
        )
        .post(
            "/api/experience/profile/mfa",
            profile_mfa::bind,
            done("Stages a second factor.").body::<profile_mfa::Factor>(),
        )
        .post(
            "/api/experience/profile/mfa/passkey",
            profile_mfa::bind_passkey,
            done("Stages a passkey for sign-in.").body::<profile_mfa::Passkey>(),
        )
        .post(
            "/api/experience/profile/mfa/passkey-skipped",
            profile_mfa::skip_passkey,
            done("Records that the user declines a passkey."),
        )
        .post(
            "/api/experience/profile/mfa/mfa-enabled",
            profile_mfa::enable,
            done("Records that the user wants a second factor."),
        )
        .post(
            "/api/experience/profile/mfa/mfa-skipped",
            profile_mfa::skip,
            done("Records that the user postpones a second factor."),
        )
        .post(
            "/api/experience/profile/mfa/mfa-suggestion-skipped",
            profile_mfa::skip_suggestion,
            done("Records that the user declines a further second factor."),
        )
        .post(
            "/api/experience/profile/mfa/trusted-device",
            profile_mfa::trust_device,
            done("Records that the user trusts the browser."),
        )
        .on(
            HttpMethod::Post,
            "/api/experience/user-assets/avatar",
            "avatar::upload",
            // The size limit of a picture is configured.
            post(avatar::upload).layer(DefaultBodyLimit::disable()),
            Described::new("Stores a picture of a user who registers.").file_body().returns_json("200", "`url`"),
        )
}
