//! The steps at the providers of enterprise connectors.

use super::Guide;

/// The guide of a provider, if it has one.
pub(in crate::connectors) fn guide(provider: &str) -> Option<&'static Guide> {
    ALL.iter().find(|(name, _)| *name == provider).map(|(_, guide)| guide)
}

/// The guides, by the name of the provider.
const ALL: &[(&str, Guide)] = &[
    (
        "OIDC",
        Guide::new(
            ("", ""),
            &[
                "Ask the company's IT to register a confidential web client that uses the authorization code flow.",
                "Send them the redirect URI above to register.",
                "Enter the issuer, Client ID and Client secret that they send you.",
                "Enter the domains of the company's email addresses: their users sign in there.",
            ],
        ),
    ),
    (
        "AzureAdOidc",
        Guide::new(
            (
                "Microsoft Entra: app registrations",
                "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
            ),
            &[
                "In the company's tenant, under App registrations, select New registration.",
                "Choose accounts in this organizational directory only (single tenant).",
                "Under Redirect URI, choose the platform Web, enter the redirect URI above, and select Register.",
                "From the overview, copy Application (client) ID to Client ID, and Directory (tenant) ID to Tenant ID.",
                "Under Certificates & secrets, select New client secret, and copy its Value (not the Secret ID).",
                "Under Token configuration, add the optional claim email to ID tokens.",
            ],
        ),
    ),
    (
        "GoogleWorkspace",
        Guide::new(
            ("Google Cloud: clients", "https://console.cloud.google.com/auth/clients"),
            &[
                "Open the clients of a project that belongs to the company's Google Workspace.",
                "If Google asks for it, complete the branding, with the audience Internal.",
                "Select Create client, and choose the application type Web application.",
                "Under Authorized redirect URIs, add the redirect URI above.",
                "Copy Client ID and Client secret into the fields below, and enter the company's domains.",
            ],
        ),
    ),
    (
        "Okta",
        Guide::new(
            ("Okta: sign in to the Admin Console", "https://login.okta.com/"),
            &[
                "In the Admin Console, open Applications, and select Create App Integration.",
                "Choose OIDC – OpenID Connect, then Web Application.",
                "Under Sign-in redirect URIs, replace the example with the redirect URI above.",
                "Under Assignments, choose who may sign in, and save.",
                "Copy Client ID and Client secret into the fields below. The issuer is the URL of the Okta organization, such \
                 as https://acme.okta.com.",
            ],
        ),
    ),
];
