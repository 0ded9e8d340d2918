//! Who a call is about, and whether a version in a rollout answers it. The choice depends on the plugin and the user
//! alone, not on the version or the node: raising the share never moves anybody back.

use super::ids::id_in;
use claimsmith_domain::documents::rollout::Audience;
use claimsmith_runtime::Context;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::collections::HashSet;

/// Positions of keys; a percent has 100 of them.
const POSITIONS: u64 = 10_000;

/// Who a call is about.
#[derive(Clone, Debug, Default)]
pub(super) struct Affinity<'a> {
    pub(super) user: Option<Cow<'a, str>>,
    pub(super) application: Option<&'a str>,
    pub(super) organization: Option<Cow<'a, str>>,
    /// The `webhook-id` of a delivery.
    pub(super) delivery: Option<&'a str>,
}

/// Who is chosen.
#[derive(Debug, Default)]
pub(super) struct Chosen {
    share: u8,
    applications: HashSet<String>,
    organizations: HashSet<String>,
    users: HashSet<String>,
}

impl<'a> Affinity<'a> {
    /// Of a token: for this application, in this context.
    pub(super) fn of_token(application: &'a str, context: &'a Context) -> Self {
        Self {
            user: context.user.as_deref().and_then(id_in),
            application: Some(application),
            organization: context.organization.as_deref().and_then(id_in),
            delivery: None,
        }
    }

    /// Of a webhook delivery.
    pub(super) fn of_delivery(id: &'a str) -> Self {
        Self { delivery: Some(id), ..Self::default() }
    }

    /// What decides: the user; without one the delivery, or else the application.
    fn key(&self) -> Option<(&'static str, &str)> {
        let user = self.user.as_deref().map(|id| ("user", id));
        let delivery = self.delivery.map(|id| ("delivery", id));
        user.or(delivery).or(self.application.map(|id| ("application", id)))
    }
}

impl Chosen {
    pub(super) fn new(share: u8, audience: Audience) -> Self {
        let Audience { applications, organizations, users } = audience;
        Self {
            share: share.min(100),
            applications: applications.into_iter().collect(),
            organizations: organizations.into_iter().collect(),
            users: users.into_iter().collect(),
        }
    }

    /// Whether a call of this plugin is among those. A list takes precedence over the share.
    pub(super) fn has(&self, plugin: &str, who: &Affinity<'_>) -> bool {
        let listed = |list: &HashSet<String>, id: Option<&str>| id.is_some_and(|id| list.contains(id));
        listed(&self.users, who.user.as_deref())
            || listed(&self.applications, who.application)
            || listed(&self.organizations, who.organization.as_deref())
            || match who.key() {
                Some(key) => position(plugin, key) < u64::from(self.share) * (POSITIONS / 100),
                None => self.share == 100,
            }
    }
}

/// The position of a key for a plugin, below [`POSITIONS`]. It never changes: users would move between versions.
fn position(plugin: &str, (kind, id): (&str, &str)) -> u64 {
    let hash = Sha256::new()
        .chain_update(b"claimsmith rollout\0")
        .chain_update(plugin)
        .chain_update(b"\0")
        .chain_update(kind)
        .chain_update(b"\0")
        .chain_update(id)
        .finalize();
    let mut first = [0; 8];
    first.copy_from_slice(&hash[..8]);
    u64::from_be_bytes(first) % POSITIONS
}

#[cfg(test)]
mod tests {
    use super::*;

    fn user(id: &str) -> Affinity<'_> {
        Affinity { user: Some(id.into()), application: Some("shop"), ..Affinity::default() }
    }

    fn share(share: u8) -> Chosen {
        Chosen::new(share, Audience::default())
    }

    #[test]
    fn raising_the_share_never_moves_anybody_back() {
        let ids: Vec<String> = (0..2_000).map(|number| format!("user-{number}")).collect();
        let mut before = 0;
        for percent in 0..=100 {
            let now: Vec<&String> = ids.iter().filter(|id| share(percent).has("plan", &user(id))).collect();
            let next = share((percent + 1).min(100));
            assert!(now.iter().all(|id| next.has("plan", &user(id))), "{percent}");
            assert!(now.len() >= before);
            before = now.len();
            // Five standard deviations of 2000 draws.
            let expected = 20 * usize::from(percent);
            assert!(now.len().abs_diff(expected) <= 112, "{percent}: {}", now.len());
        }
        assert!(!share(0).has("plan", &user("user-1")) && share(100).has("plan", &user("user-1")));
    }

    #[test]
    fn a_choice_is_the_same_on_every_node_and_depends_on_plugin_and_user() {
        // Positions never change, or users would move when a server is updated.
        for (kind, id, expected) in [("user", "ada", 7541), ("application", "shop", 6288), ("delivery", "msg_1", 5485)]
        {
            assert_eq!(position("plan", (kind, id)), expected, "{kind} {id}");
        }
        let all: Vec<String> = (0..200).map(|number| format!("user-{number}")).collect();
        let of = |plugin: &str| all.iter().filter(|id| share(50).has(plugin, &user(id))).count();
        let both = all.iter().filter(|id| share(50).has("plan", &user(id)) && share(50).has("tier", &user(id)));
        assert!(both.count() < of("plan").min(of("tier")), "plugins choose independently");
        // The application is of no account where there is a user.
        let elsewhere = Affinity { application: Some("blog"), ..user("user-7") };
        for percent in [10, 50, 90] {
            assert_eq!(share(percent).has("plan", &elsewhere), share(percent).has("plan", &user("user-7")));
        }
    }

    #[test]
    fn a_list_takes_precedence_over_the_share() {
        let lists = || Audience {
            applications: vec!["shop".to_owned()],
            organizations: vec!["acme".to_owned()],
            users: vec!["ada".to_owned()],
        };
        let chosen = Chosen::new(0, lists());
        let by = |user: Option<&'static str>, application: Option<&'static str>, organization: Option<&'static str>| {
            let (user, organization) = (user.map(Cow::Borrowed), organization.map(Cow::Borrowed));
            chosen.has("plan", &Affinity { user, application, organization, delivery: None })
        };
        assert!(by(Some("ada"), Some("blog"), None));
        assert!(by(Some("bob"), Some("shop"), None));
        assert!(by(Some("bob"), Some("blog"), Some("acme")));
        assert!(!by(Some("bob"), Some("blog"), Some("other")) && !by(None, None, None));
        assert!(!chosen.has("plan", &Affinity::of_delivery("ada")), "a delivery is no user");
        assert!(Chosen::new(100, Audience::default()).has("plan", &Affinity::default()));
    }
}
