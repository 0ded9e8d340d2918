//! The sections of the console, as the navigation lists them.

/// A section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Section {
    Overview,
    Users,
    Organizations,
    Applications,
    Resources,
    Roles,
    Plugins,
    Webhooks,
    Impersonations,
    SignInExperience,
    Connectors,
    Logs,
    Keys,
    Settings,
    Administrators,
    /// A page that belongs to none.
    None,
}

/// Sections that stand together, under a heading.
pub(crate) const GROUPS: &[(&str, &[Section])] = &[
    ("", &[Section::Overview]),
    ("People", &[Section::Users, Section::Organizations, Section::Impersonations]),
    ("Access", &[Section::Applications, Section::Resources, Section::Roles]),
    ("Programs", &[Section::Plugins, Section::Webhooks]),
    ("Sign-in", &[Section::SignInExperience, Section::Connectors]),
    ("Server", &[Section::Logs, Section::Keys, Section::Settings, Section::Administrators]),
];

impl Section {
    /// Its heading.
    pub(crate) fn title(self) -> &'static str {
        match self {
            Self::Overview => "Overview",
            Self::Users => "Users",
            Self::Organizations => "Organizations",
            Self::Applications => "Applications",
            Self::Resources => "API resources",
            Self::Roles => "Roles",
            Self::Plugins => "Plugins",
            Self::Webhooks => "Webhooks",
            Self::Impersonations => "Impersonations",
            Self::SignInExperience => "Sign-in experience",
            Self::Connectors => "Connectors",
            Self::Logs => "Audit log",
            Self::Keys => "Signing keys",
            Self::Settings => "Settings",
            Self::Administrators => "Administrators",
            Self::None => "",
        }
    }

    /// Where it is.
    pub(crate) fn path(self) -> &'static str {
        match self {
            Self::Overview | Self::None => "/console",
            Self::Users => "/console/users",
            Self::Organizations => "/console/organizations",
            Self::Applications => "/console/applications",
            Self::Resources => "/console/resources",
            Self::Roles => "/console/roles",
            Self::Plugins => "/console/plugins",
            Self::Webhooks => "/console/webhooks",
            Self::Impersonations => "/console/impersonations",
            Self::SignInExperience => "/console/sign-in-experience",
            Self::Connectors => "/console/connectors",
            Self::Logs => "/console/logs",
            Self::Keys => "/console/keys",
            Self::Settings => "/console/settings",
            Self::Administrators => "/console/administrators",
        }
    }
}
