//! The Account API, `/api/my-account` and `/api/verifications`: users view and change their own account through
//! first-party applications. The rules are in [`claimsmith_identity::own_account`].

mod avatar;
mod data;
mod export;
mod factors;
mod grants;
mod identifiers;
mod impersonations;
mod password;
mod profile;
mod sessions;
mod social;
mod trusted_devices;
mod verification_codes;
mod verifications;
mod web_authn;

use super::described::{Described, DescribedRoutes};
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderValue, header};
use claimsmith_domain::documents::user_settings::{SettingsChange, UserSettings};
use claimsmith_management::unknown_method;
use claimsmith_services::app::App;
use claimsmith_web::routing::post;
use claimsmith_web::submitted_code::SubmittedCode;
use std::sync::LazyLock;
use tower_http::set_header::SetResponseHeaderLayer;
use utoipa::openapi::OpenApi;
use utoipa::openapi::path::HttpMethod;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};

/// The refusals of every route.
const REFUSALS: &[(&str, &str)] = &[
    ("400", "The body is not what the route takes, or the settings or the scopes of the token do not allow it"),
    ("401", "No valid access token with `openid`, or the change needs a fresh proof (`logto-verification-id`)"),
    ("403", "The token belongs to a third-party application, or came from an exchange"),
    ("404", "There is no such thing"),
    ("422", "The change is refused; `code` says why"),
    ("429", "Too many messages were sent"),
];

static DESCRIBED: LazyLock<(Router<App>, OpenApi)> = LazyLock::new(|| {
    let about = "What users see and change of their own account, through first-party applications.";
    let scheme = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    routes().finish("Claimsmith Account API", about, scheme)
});

/// The OpenAPI description.
pub(crate) fn description() -> &'static OpenApi {
    &DESCRIBED.1
}

/// The routes, with full paths.
pub(crate) fn router() -> Router<App> {
    let no_store = SetResponseHeaderLayer::overriding(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    // Added here, so that CORS preflights are answered before it.
    DESCRIBED.0.clone().method_not_allowed_fallback(unknown_method).layer(no_store)
}

fn done(summary: &'static str) -> Described {
    Described::new(summary).answers("204", "Done")
}

fn routes() -> DescribedRoutes {
    let routes = DescribedRoutes::new("accessToken", REFUSALS);
    verification_routes(factor_and_session_routes(data_routes(routes)))
}

fn data_routes(routes: DescribedRoutes) -> DescribedRoutes {
    routes
        .get(
            "/api/my-account",
            data::show,
            Described::new("Shows the account.")
                .returns_json("200", "What the scopes of the token and the settings show"),
        )
        .patch(
            "/api/my-account",
            data::change,
            Described::new("Changes the account.").body::<data::ChangeAccount>().returns_json("200", "The account"),
        )
        .delete("/api/my-account", export::delete, done("Deletes the account."))
        .on(
            HttpMethod::Post,
            "/api/my-account/user-assets/avatar",
            "avatar::upload",
            // The size limit of a picture is configured.
            post(avatar::upload).layer(DefaultBodyLimit::disable()),
            Described::new("Stores a picture for an hour.").file_body().returns_json("200", "`url`"),
        )
        .patch(
            "/api/my-account/profile",
            profile::merge,
            Described::new("Merges standard claims into the profile.").object_body().returns_json("200", "The profile"),
        )
        .post("/api/my-account/password", password::set, done("Sets the password.").body::<password::NewPassword>())
        .post(
            "/api/my-account/primary-email",
            identifiers::set_email,
            done("Sets the email address.").body::<identifiers::NewEmail>(),
        )
        .delete("/api/my-account/primary-email", identifiers::remove_email, done("Removes the email address."))
        .post(
            "/api/my-account/primary-phone",
            identifiers::set_phone,
            done("Sets the phone number.").body::<identifiers::NewPhone>(),
        )
        .delete("/api/my-account/primary-phone", identifiers::remove_phone, done("Removes the phone number."))
        .post(
            "/api/my-account/identities",
            identifiers::link,
            done("Links an account at a connector.").body::<identifiers::NewIdentity>(),
        )
        .put(
            "/api/my-account/identities",
            identifiers::relink,
            done("Links an account, in place of one of the same connector.").body::<identifiers::NewIdentity>(),
        )
        .delete("/api/my-account/identities/{target}", identifiers::unlink, done("Unlinks an account."))
        .get(
            "/api/my-account/export",
            export::export,
            Described::new("Exports all data of the user.").returns_json("200", "The data"),
        )
}

fn factor_and_session_routes(routes: DescribedRoutes) -> DescribedRoutes {
    routes
        .get(
            "/api/my-account/mfa-verifications",
            factors::list,
            Described::new("Lists the second factors.")
                .returns_json("200", "A list of `id`, `type`, `createdAt` and more"),
        )
        .post(
            "/api/my-account/mfa-verifications",
            factors::add,
            done("Adds a second factor.").body::<factors::NewFactor>(),
        )
        .put(
            "/api/my-account/mfa-verifications/totp",
            factors::replace_totp,
            done("Replaces the authenticator app.").body::<factors::Replacement>(),
        )
        .post(
            "/api/my-account/mfa-verifications/totp-secret/generate",
            factors::new_secret,
            Described::new("Generates a secret, without storing it.").returns_json("200", "`secret`"),
        )
        .post(
            "/api/my-account/mfa-verifications/backup-codes/generate",
            factors::new_codes,
            Described::new("Generates backup codes, without storing them.").returns_json("200", "`codes`"),
        )
        .patch(
            "/api/my-account/mfa-verifications/{verificationId}/name",
            factors::rename,
            Described::new("Renames a second factor.").body::<factors::Name>().answers("200", "Renamed"),
        )
        .delete("/api/my-account/mfa-verifications/{verificationId}", factors::remove, done("Removes a second factor."))
        .get(
            "/api/my-account/mfa-settings",
            factors::show_settings,
            Described::new("Shows whether second factors are asked for at sign-in.")
                .returns_json("200", "`skipMfaOnSignIn`"),
        )
        .patch(
            "/api/my-account/mfa-settings",
            factors::change_settings,
            Described::new("Changes whether second factors are asked for at sign-in.")
                .body::<factors::ChosenSettings>()
                .returns_json("200", "`skipMfaOnSignIn`"),
        )
        .get(
            "/api/my-account/logto-configs",
            factors::show_configs,
            Described::new("Shows the choices about second factors and passkeys.")
                .returns::<UserSettings>("200", "The choices"),
        )
        .patch(
            "/api/my-account/logto-configs",
            factors::change_configs,
            Described::new("Changes the choices about second factors and passkeys.")
                .body::<SettingsChange>()
                .returns::<UserSettings>("200", "The choices"),
        )
        .get(
            "/api/my-account/sessions",
            sessions::list,
            Described::new("Lists the sessions.").returns_json("200", "`sessions`"),
        )
        .delete(
            "/api/my-account/sessions/{sessionId}",
            sessions::end,
            done("Ends a session.").query("revokeGrantsTarget", "`all` or `firstParty`: the grants that end too"),
        )
        .get(
            "/api/my-account/grants",
            grants::list,
            Described::new("Lists the applications with access.")
                .query("appType", "`firstParty` or `thirdParty`")
                .returns_json("200", "`grants`"),
        )
        .delete("/api/my-account/grants/{grantId}", grants::revoke, done("Takes the access of an application back."))
        .get(
            "/api/my-account/impersonations",
            impersonations::list,
            Described::new("Lists who acted as the user, the latest 100.")
                .returns_json("200", "A list of `actor`, `application`, `reason` and more"),
        )
        .delete("/api/my-account/impersonations/{jti}", impersonations::end, done("Ends an impersonation."))
        .get(
            "/api/my-account/trusted-devices",
            trusted_devices::list,
            Described::new("Lists the browsers that are not asked for a second factor.")
                .query("page", "From 1")
                .query("page_size", "1 to 100")
                .returns_json("200", "A list of `id`, `userAgent`, `ip` and more"),
        )
        .delete(
            "/api/my-account/trusted-devices/{trustedDeviceId}",
            trusted_devices::end,
            done("Takes the trust in a browser back."),
        )
}

fn verification_routes(routes: DescribedRoutes) -> DescribedRoutes {
    routes
        .post(
            "/api/verifications/password",
            verifications::password,
            Described::new("Verifies the password.")
                .body::<verifications::Password>()
                .returns_json("201", "`verificationRecordId`, `expiresAt`"),
        )
        .post(
            "/api/verifications/verification-code",
            verification_codes::send,
            Described::new("Sends a code.")
                .body::<verification_codes::NewCodeBody>()
                .returns_json("201", "`verificationRecordId`, `expiresAt`"),
        )
        .post(
            "/api/verifications/verification-code/verify",
            verification_codes::verify,
            Described::new("Verifies a code.").body::<SubmittedCode>().returns_json("200", "`verificationRecordId`"),
        )
        .post(
            "/api/verifications/social",
            social::begin,
            Described::new("Begins a sign-in at a social connector.")
                .body::<social::NewAttempt>()
                .returns_json("201", "`verificationRecordId`, `expiresAt`, `authorizationUri`"),
        )
        .post(
            "/api/verifications/social/verify",
            social::verify,
            Described::new("Verifies what came back from a social connector.")
                .body::<social::Brought>()
                .returns_json("200", "`verificationRecordId`"),
        )
        .post(
            "/api/verifications/web-authn/registration",
            web_authn::register,
            Described::new("Creates the options for a new passkey.")
                .returns_json("200", "`verificationRecordId`, `expiresAt`, `registrationOptions`"),
        )
        .post(
            "/api/verifications/web-authn/registration/verify",
            web_authn::verify,
            Described::new("Verifies a new passkey.")
                .body::<web_authn::RegistrationResponse>()
                .returns_json("200", "`verificationRecordId`"),
        )
}
