//! The shared state of a running server, created once and available to every handler.

use crate::activity::ActivityCounts;
use crate::address_rate_limit::{AddressRateLimit, GUESSES, NEW_INTERACTIONS};
use crate::captcha::ProviderClient;
use crate::client_keys::RemoteKeys;
use crate::deployments::{BreakerKeeper, Follower, LogTail, Recordings};
use crate::egress::Egress;
use crate::encryption::Cipher;
use crate::federation::Federation;
use crate::messages::{MailboxKey, Messages};
use crate::passkeys::Passkeys;
use crate::passwords::Passwords;
use crate::pictures::Pictures;
use crate::plugins::Plugins;
use crate::refusal_sampling::RefusalSampler;
use crate::row_budgets::{RowBudgets, RowHolder};
use crate::stream_limit::StreamLimit;
use crate::supervisor::Tasks;
use crate::tokens::{Algorithm, AuthorizationCache, Backpressure, GroupCommit, Issuer, RequestStates};
use crate::webhooks::delivery::DeliveryContext;
use crate::webhooks::receivers::Receivers;
use claimsmith_config::Config;
use claimsmith_domain::clock::Clock;
use claimsmith_domain::disposable_domains::DisposableDomains;
use claimsmith_domain::id::UserId;
use claimsmith_domain::outsider_rows::RowKind;
use claimsmith_domain::random::{self, Random};
use claimsmith_storage::Db;
use std::net::IpAddr;
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The server's parts. Cheap to clone.
#[derive(Clone)]
pub struct App(Arc<AppParts>);

/// This process, as one of the server's nodes.
#[derive(Clone, Debug)]
pub struct ThisNode {
    /// Different at each start.
    pub id: String,
    /// Unix milliseconds.
    pub started_at: i64,
}

/// The parts of an [`App`].
pub struct AppParts {
    /// The effective configuration.
    pub config: Config,
    /// The time.
    pub clock: Clock,
    /// Random bytes of issued values.
    pub random: Random,
    /// This process.
    pub node: ThisNode,
    /// Counts of this node's activity.
    pub activity: Arc<ActivityCounts>,
    /// The database.
    pub db: Db,
    /// Authorization data, cached.
    pub authorizations: AuthorizationCache,
    /// The state that token requests begin with.
    pub request_states: RequestStates,
    /// Issues tokens for decisions.
    pub issuer: Issuer,
    /// Backpressure: delays writes while token requests are being retried.
    pub backpressure: Backpressure,
    /// Keys of clients with a `jwks_uri`.
    pub client_keys: RemoteKeys,
    /// Signs users in at other servers.
    pub federation: Federation,
    /// Captcha providers.
    pub captcha: ProviderClient,
    /// Domains of disposable email addresses.
    pub disposable_domains: DisposableDomains,
    /// How many sign-ins an address may begin.
    pub interactions: AddressRateLimit,
    /// How fast one address may try passwords here.
    pub sign_in_attempts: AddressRateLimit,
    /// How many rows callers without credentials of the operator may create.
    pub row_budgets: RowBudgets,
    /// Samples refused token requests for the audit log.
    pub refusals: RefusalSampler,
    /// The plugins.
    pub plugins: Plugins,
    /// Recordings of the plugins' calls.
    pub recordings: Recordings,
    /// Notifies about new lines in the plugin log.
    pub log_tail: LogTail,
    /// How many streams a session has open.
    pub streams: StreamLimit,
    /// Keeps the plugins in sync with the database.
    pub deployments: Follower,
    /// Keeps the circuit breakers of the plugins.
    pub breakers: BreakerKeeper,
    /// Is cancelled when the server stops: endless responses end then.
    pub stopping: CancellationToken,
    /// Encrypts secrets at rest.
    pub cipher: Arc<Cipher>,
    /// Password hashing, and the policy of new passwords.
    pub passwords: Passwords,
    /// Processes uploaded pictures.
    pub pictures: Pictures,
    /// `WebAuthn` ceremonies of passkeys.
    pub passkeys: Passkeys,
    /// Delivers webhooks and logout notifications.
    pub delivery: Arc<DeliveryContext>,
    /// Messages to users.
    pub messages: Messages,
    /// Opens the mailbox of a demo server.
    pub mailbox_key: MailboxKey,
}

impl App {
    /// Wires the parts. The workers of the queues start here, as `tasks`, and the plugins are loaded from here on.
    /// Webhooks may be sent to more addresses than other requests.
    #[must_use]
    pub fn new(
        config: Config,
        (clock, random): (Clock, Random),
        (db, cipher): (Db, Arc<Cipher>),
        (passwords, disposable_domains): (Passwords, DisposableDomains),
        plugins: Plugins,
        (egress, webhook_egress): (Arc<Egress>, Arc<Egress>),
        tasks: &Tasks,
    ) -> Self {
        // Not from `random`, so that this does not change what a test sets.
        let node = ThisNode { id: random::id(21).unwrap_or_default(), started_at: clock.now_ms() };
        let activity = Arc::new(ActivityCounts::default());
        let group_commit = GroupCommit::start(&db, &clock, tasks);
        let request_states = RequestStates::start(&db, &clock, tasks);
        let identity = (config.server.base_url.issuer(), Algorithm::from(config.tokens.signing_algorithm));
        let issuer = Issuer::new(identity, plugins.clone(), group_commit, random.clone());
        let refusals = RefusalSampler::start(&db, &clock, tasks);
        let federation = Federation::new(Arc::clone(&egress), clock.clone());
        let messages = Messages {
            db: db.clone(),
            clock: clock.clone(),
            max_texts_per_hour: config.sessions.max_texts_per_hour,
            cipher: Arc::clone(&cipher),
            egress: Arc::clone(&egress),
            plugins: plugins.clone(),
            settings: config.webhooks.clone(),
            management_resource: config.tokens.management_resource.clone(),
            plugin_time: config.plugins.budget,
            activity: Arc::clone(&activity),
        };
        let captcha = ProviderClient::new(Arc::clone(&egress));
        let client_keys = RemoteKeys::new(egress, clock.clone(), tasks);
        let here = (node.id.clone(), clock.clone());
        let deployments = Follower::new(db.clone(), cipher.clone(), plugins.clone(), here);
        tasks.spawn("deployments", deployments.clone().run(config.plugins.poll, tasks.stopping()));
        let breakers = BreakerKeeper::new((&db, &clock), &node.id, &plugins);
        tasks.spawn("plugin breakers", breakers.clone().run(config.plugins.poll, tasks.stopping()));
        let recordings = Recordings::new((&db, &clock), &random, &cipher, &plugins);
        tasks.spawn("plugin recordings", recordings.clone().follow(tasks.stopping()));
        tasks.spawn("recorded calls of plugins", recordings.clone().write(tasks.stopping()));
        let log_tail = LogTail::new(&db);
        tasks.spawn("plugin log streams", log_tail.clone().run(tasks.stopping()));
        let delivery = DeliveryContext {
            db: db.clone(),
            clock: clock.clone(),
            cipher: Arc::clone(&cipher),
            plugins: plugins.clone(),
            egress: webhook_egress,
            settings: config.webhooks.clone(),
            budget: config.plugins.budget,
            activity: Arc::clone(&activity),
            receivers: Receivers::new((&db, &clock), &cipher, &config.server.base_url),
        };
        let passkeys = Passkeys::new(&config.server.base_url);
        Self(Arc::new(AppParts {
            config,
            clock,
            random,
            node,
            activity,
            backpressure: Backpressure::new(&db),
            db,
            authorizations: AuthorizationCache::new(cipher.clone()),
            request_states,
            issuer,
            client_keys,
            federation,
            captcha,
            disposable_domains,
            interactions: AddressRateLimit::new(NEW_INTERACTIONS),
            sign_in_attempts: AddressRateLimit::new(GUESSES),
            row_budgets: RowBudgets::new(),
            refusals,
            plugins,
            recordings,
            log_tail,
            streams: StreamLimit::default(),
            deployments,
            breakers,
            stopping: tasks.stopping(),
            cipher,
            passwords,
            pictures: Pictures::new(),
            passkeys,
            delivery: Arc::new(delivery),
            messages,
            mailbox_key: MailboxKey::generate(),
        }))
    }
}

impl App {
    /// Uses up the budget of a kind of rows for an address: as if it had created them.
    pub fn use_up_rows(&self, kind: RowKind, address: IpAddr) {
        self.row_budgets.use_up(kind, &RowHolder::Address(address), self.clock.now_ms());
    }

    /// The same for a user.
    pub fn use_up_rows_of_user(&self, kind: RowKind, id: &UserId) {
        self.row_budgets.use_up(kind, &RowHolder::User(id.to_string()), self.clock.now_ms());
    }
}

impl std::ops::Deref for App {
    type Target = AppParts;

    fn deref(&self) -> &AppParts {
        &self.0
    }
}
