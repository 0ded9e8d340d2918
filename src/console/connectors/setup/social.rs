//! The steps at the providers of social connectors.

use super::Guide;

/// Where GitLab's own service is.
pub(super) const GITLAB: &str = "https://gitlab.com";

/// The guides, by the id of the factory.
pub(super) const ALL: &[(&str, Guide)] = &[
    (
        "google",
        Guide::new(
            ("Google Cloud: clients", "https://console.cloud.google.com/auth/clients"),
            &[
                "Open the clients of your project in the Google Cloud console. Create a project first if you have none.",
                "If Google asks for it, complete the branding: app name, support email, and the audience External.",
                "Select Create client, and choose the application type Web application.",
                "Under Authorized redirect URIs, add the redirect URI above.",
                "Create the client, and copy Client ID and Client secret into the fields below.",
                "Under Audience, select Publish app. Until then, only the test users listed there can sign in.",
            ],
        ),
    ),
    (
        "github",
        Guide::new(
            ("GitHub: new OAuth app", "https://github.com/settings/applications/new"),
            &[
                "Register a new OAuth app. For an organization, open its settings, then Developer settings, OAuth Apps.",
                "Enter a name, and the URL of your website as Homepage URL.",
                "Enter the redirect URI above as Authorization callback URL. GitHub also accepts URLs below it: to let \
                 users link accounts at /account too, enter the base URL of this server instead.",
                "Register the application, and copy the Client ID into the field below.",
                "Select Generate a new client secret, and copy the secret. GitHub shows it only once.",
            ],
        ),
    ),
    (
        "azuread",
        Guide::new(
            (
                "Microsoft Entra: app registrations",
                "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
            ),
            &[
                "Under App registrations, select New registration.",
                "Choose accounts in this organizational directory only (single tenant).",
                "Under Redirect URI, choose the platform Web, enter the redirect URI above, and select Register.",
                "From the overview, copy Application (client) ID to Client ID, and Directory (tenant) ID to Tenant.",
                "Under Certificates & secrets, select New client secret, and copy its Value (not the Secret ID).",
                "Note when the secret expires: sign-in with Microsoft stops working then, until you enter a new one.",
            ],
        ),
    ),
    (
        "apple",
        Guide {
            script: Some((
                "Generate the client secret",
                "apple-secret.mjs",
                include_str!("../../templates/connectors/setup/apple_secret.txt"),
            )),
            ..Guide::new(
                (
                    "Apple Developer: identifiers",
                    "https://developer.apple.com/account/resources/identifiers/list/serviceId",
                ),
                &[
                    "Under Identifiers, create an App ID with the capability Sign in with Apple, unless you have one.",
                    "Create a Services ID. Its identifier is the Client ID.",
                    "Open the Services ID, enable Sign in with Apple, and select Configure. Choose the App ID, enter the \
                     domain of this server, and add the redirect URI above under Return URLs. Apple accepts https only, \
                     and neither localhost nor IP addresses.",
                    "Under Keys, create a key with Sign in with Apple, and download it. Apple offers the file only once.",
                    "Generate the client secret from the key with the script below. It is valid for six months at most: \
                     generate a new one before it expires.",
                ],
            )
        },
    ),
    (
        "gitlab",
        Guide::new(
            ("GitLab: applications", "https://gitlab.com/-/user_settings/applications"),
            &[
                "In your user settings, open Applications, and select Add new application. A group or an administrator of \
                 a self-managed GitLab has the same page.",
                "Enter a name, and the redirect URI above under Redirect URI (one per line).",
                "Keep Confidential selected, and select the scopes openid, profile and email.",
                "Save, and copy Application ID to Client ID, and Secret to Client secret.",
                "For a GitLab of your own, also enter its address below.",
            ],
        ),
    ),
    (
        "discord",
        Guide::new(
            ("Discord: applications", "https://discord.com/developers/applications"),
            &[
                "Select New Application, and enter a name.",
                "Open OAuth2. Under Redirects, add the redirect URI above, and save the changes.",
                "Copy the Client ID, select Reset Secret, and copy the Client secret.",
            ],
        ),
    ),
    (
        "facebook",
        Guide::new(
            ("Meta: apps", "https://developers.facebook.com/apps"),
            &[
                "Create an app with the use case Authenticate and request data from users with Facebook Login.",
                "Customize the use case: add the permission email, and under Settings add the redirect URI above to Valid \
                 OAuth Redirect URIs.",
                "Under App settings, Basic, copy App ID to Client ID, and App secret to Client secret.",
                "Enter the URL of your privacy policy there, and publish the app. Until then, only people with a role in \
                 the app can sign in.",
            ],
        ),
    ),
    (
        "linkedin",
        Guide::new(
            ("LinkedIn: apps", "https://www.linkedin.com/developers/apps"),
            &[
                "Create an app. It needs a LinkedIn page, whose administrator verifies it.",
                "Under Products, request access to Sign In with LinkedIn using OpenID Connect.",
                "Under Auth, add the redirect URI above to Authorized redirect URLs for your app.",
                "Copy Client ID and Primary Client Secret into the fields below.",
            ],
        ),
    ),
    (
        "oidc",
        Guide::new(
            ("", ""),
            &[
                "At the provider, register a confidential web client that uses the authorization code flow.",
                "Register the redirect URI above. Most providers compare it character by character.",
                "Copy Client ID and Client secret into the fields below.",
                "Enter the issuer exactly as in the provider's /.well-known/openid-configuration.",
                "Choose a target: a short name under which the identities of users are stored. It can't be changed later.",
            ],
        ),
    ),
    (
        "oauth2",
        Guide::new(
            ("", ""),
            &[
                "At the provider, register a confidential web client that uses the authorization code flow.",
                "Register the redirect URI above. Most providers compare it character by character.",
                "Copy Client ID and Client secret into the fields below.",
                "Enter the provider's authorization, token and profile endpoints, and which member of the profile is the id.",
                "Choose a target: a short name under which the identities of users are stored. It can't be changed later.",
            ],
        ),
    ),
];
