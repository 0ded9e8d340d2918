//! The setup checklist: each step links to the page where it is done, and is ticked once done.

use claimsmith_api::dashboard::CountsView;

/// A setup step.
pub(super) struct SetupStep {
    pub title: &'static str,
    pub about: &'static str,
    pub path: &'static str,
    /// The operation that the operator needs for it.
    pub operation: (&'static str, &'static str),
    pub is_done: bool,
}

/// The steps; empty once all are done.
pub(super) fn open(counts: &CountsView) -> Vec<SetupStep> {
    let steps = vec![
        SetupStep {
            title: "Create an application",
            about: "What people sign in to, or a back end that calls an API.",
            path: "/console/applications/new",
            operation: ("POST", "/api/applications"),
            is_done: counts.applications > 0,
        },
        SetupStep {
            title: "Create a user",
            about: "Or let people register themselves.",
            path: "/console/users/create",
            operation: ("POST", "/api/users"),
            // One user is the administrator who sees this.
            is_done: counts.users > 1,
        },
        SetupStep {
            title: "Write a plugin",
            about: "A few lines that add claims to tokens, or decide who gets one.",
            path: "/console/plugins/new",
            operation: ("PUT", "/api/plugins/{name}"),
            is_done: counts.plugins > 0,
        },
        SetupStep {
            title: "Add a webhook",
            about: "Another system is told of what happens here.",
            path: "/console/webhooks/new",
            operation: ("POST", "/api/hooks"),
            is_done: counts.hooks > 0,
        },
    ];
    if steps.iter().all(|step| step.is_done) { Vec::new() } else { steps }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_go_away_when_all_are_done() {
        let counts = |users, applications, plugins, hooks| CountsView {
            users,
            applications,
            roles: 0,
            resources: 0,
            organizations: 0,
            hooks,
            connectors: 0,
            plugins,
        };
        let done: Vec<_> = open(&counts(1, 0, 2, 0)).iter().map(|step| step.is_done).collect();
        assert_eq!(done, [false, false, true, false]);
        assert!(open(&counts(2, 1, 1, 1)).is_empty());
    }
}
