//! The sections of the console, in the order of the navigation.

use crate::caller::Caller;

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
    /// Pages that belong to no section.
    None,
}

/// Groups of sections, with their headings.
const GROUPS: &[(&str, &[Section])] = &[
    ("", &[Section::Overview]),
    ("People", &[Section::Users, Section::Organizations, Section::Impersonations]),
    ("Access", &[Section::Applications, Section::Resources, Section::Roles]),
    ("Programs", &[Section::Plugins, Section::Webhooks]),
    ("Sign-in", &[Section::SignInExperience, Section::Connectors]),
    ("Server", &[Section::Logs, Section::Keys, Section::Settings, Section::Administrators]),
];

impl Section {
    /// The title.
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

    /// The path.
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

    /// The section of a page.
    pub(crate) fn of(path: &str) -> Self {
        let mut all = GROUPS.iter().flat_map(|(_, sections)| sections.iter().copied());
        let is_in = |section: &Self| *section != Self::Overview && path.starts_with(section.path());
        all.find(is_in).unwrap_or(Self::Overview)
    }

    /// The operation that its list reads. An operator without permission for it does not see the section.
    fn reads(self) -> Option<&'static str> {
        Some(match self {
            Self::Overview | Self::None => return None,
            Self::Users => "/api/users",
            Self::Organizations => "/api/organizations",
            Self::Applications => "/api/applications",
            Self::Resources => "/api/resources",
            Self::Roles | Self::Administrators => "/api/roles",
            Self::Plugins => "/api/plugins",
            Self::Webhooks => "/api/hooks",
            Self::Impersonations => "/api/impersonations",
            Self::SignInExperience => "/api/sign-in-exp",
            Self::Connectors => "/api/connectors",
            Self::Logs => "/api/logs",
            Self::Keys => "/api/configs/oidc/{keyType}",
            Self::Settings => "/api/configs/server",
        })
    }

    /// Whether the operator may see it.
    pub(crate) fn is_open_to(self, caller: &Caller) -> bool {
        self.reads().is_none_or(|operation| caller.may("GET", operation))
    }
}

/// The groups, with only the sections that are open to the operator.
pub(crate) fn groups(is_open: impl Fn(Section) -> bool) -> Vec<(&'static str, Vec<Section>)> {
    let open = |sections: &[Section]| sections.iter().copied().filter(|section| is_open(*section)).collect::<Vec<_>>();
    let all = GROUPS.iter().map(|(heading, sections)| (*heading, open(sections)));
    all.filter(|(_, sections)| !sections.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_in_the_section_that_its_path_begins_with() {
        assert_eq!(Section::of("/console"), Section::Overview);
        assert_eq!(Section::of("/console/search?q=a"), Section::Overview);
        assert_eq!(Section::of("/console/settings?q=encryption"), Section::Settings);
        assert_eq!(Section::of("/console/connectors/enterprise"), Section::Connectors);
    }

    #[test]
    fn groups_without_an_open_section_are_left_out() {
        let open = groups(|section| section == Section::Keys || section == Section::Logs);
        assert_eq!(open, [("Server", vec![Section::Logs, Section::Keys])]);
    }
}
