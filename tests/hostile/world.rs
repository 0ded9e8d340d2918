//! The server under attack, with one object of each kind, and the checks afterwards.

use crate::BINARY;
use crate::credentials;
use crate::receiver_http2::certificate;
use crate::report::ms;
use claimsmith_services::tokens;
use claimsmith_test_support::{Actor, Answer, Api, Browser, Home, Process};
use data_encoding::BASE64;
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::JoinHandle;
use tokio_util::sync::CancellationToken;

/// Lists and settings that hold what an attack may have left behind.
const LISTS: &[&str] = &[
    "/api/users",
    "/api/roles",
    "/api/resources",
    "/api/applications",
    "/api/organizations",
    "/api/organization-roles",
    "/api/organization-scopes",
    "/api/organization-invitations",
    "/api/hooks",
    "/api/hooks/{hook}/deliveries",
    "/api/hooks/{hook}/recent-logs",
    "/api/hook-receivers",
    "/api/plugins",
    "/api/connectors",
    "/api/connector-factories",
    "/api/sso-connectors",
    "/api/sso-connector-providers",
    "/api/email-templates",
    "/api/custom-profile-fields",
    "/api/custom-phrases",
    "/api/sign-in-exp",
    "/api/account-center",
    "/api/.well-known/sign-in-exp",
    "/api/configs/server",
    "/api/configs/id-token",
    "/api/configs/jwt-customizer",
    "/api/configs/oidc/private-keys",
    "/api/subject-tokens",
    "/api/one-time-tokens",
    "/api/issuances",
    "/api/logs",
    "/api/impersonations",
    "/api/swagger.json",
];

/// The longest that a neighbour may wait for a token: ten times what it waits beside any receiver of the corpus.
const MAX_WAIT: Duration = Duration::from_secs(3);

/// Requests that only read, to warm what grows with the first of its kind.
const WARMING: usize = 15;

/// A server and what is in it.
pub(crate) struct World {
    pub(crate) home: Arc<Home>,
    pub(crate) server: Process,
    settings: Vec<(&'static str, String)>,
    ids: Vec<(&'static str, String)>,
}

impl World {
    pub(crate) async fn new(home: Arc<Home>) -> Self {
        Self::with(home, &[]).await
    }

    /// The same with these settings. The server trusts the receivers that have a certificate.
    pub(crate) async fn with(home: Arc<Home>, settings: &[(&'static str, &'static str)]) -> Self {
        let settings = settings.iter().map(|(name, value)| (*name, (*value).to_owned()));
        let settings: Vec<_> = settings.chain([("SSL_CERT_FILE", certificate(&home))]).collect();
        let server = start(&home, &settings).await;
        let management = server.management().await;
        let mut ids = vec![
            ("public", server.demo().spa_client_id.to_string()),
            ("web", server.demo().web_client_id.to_string()),
            ("target", server.demo().resource.clone()),
            ("own_callback", format!("{}/demo/callback", server.report.base_url)),
        ];
        for (name, path, body, status) in [
            ("user", "/api/users", json!({ "username": "victim" }), 200),
            ("role", "/api/roles", json!({ "name": "r", "description": "r", "type": "User" }), 200),
            ("resource", "/api/resources", json!({ "name": "r", "indicator": "https://victim.test" }), 201),
            ("application", "/api/applications", json!({ "name": "a", "type": "MachineToMachine" }), 200),
            ("organization", "/api/organizations", json!({ "name": "o" }), 201),
            (
                "hook",
                "/api/hooks",
                json!({ "name": "h", "events": ["Role.Deleted"], "config": { "url": "http://127.0.0.1:9/hook" } }),
                201,
            ),
        ] {
            ids.push((name, management.post(path, body).await.expect(status).text("id")));
        }
        ids.extend(begin_sign_in(&server, &management).await);
        ids.extend(credentials::prepare(&home, &server, &management, &ids).await);
        let world = Self { home, server, settings, ids };
        for _ in 0..WARMING {
            world.look("the start").await;
        }
        world
    }

    /// A token of the victim for the Account API, with every scope.
    pub(crate) async fn account_token(&self) -> String {
        self.server.management().await.patch("/api/account-center", json!({ "enabled": true })).await.expect(200);
        let (user, client) = (self.fill("{user}"), self.server.demo().web_client_id.to_string());
        let scope = "openid profile email phone address custom_data identities urn:logto:scope:sessions \
                     urn:logto:scope:trusted_devices";
        let arguments = ["tokens", "mint", "--user", &user, "--client", &client, "--scope", scope];
        let minted = Process::run(BINARY, &self.home, &[], &arguments).await;
        assert!(minted.status.success(), "{}", String::from_utf8_lossy(&minted.stderr));
        String::from_utf8(minted.stdout).unwrap().trim().to_owned()
    }

    /// The text with ids in the place of names.
    pub(crate) fn fill(&self, text: &str) -> String {
        self.ids.iter().fold(text.to_owned(), |text, (name, id)| text.replace(&format!("{{{name}}}"), id))
    }

    /// The server is there, a neighbour gets a token, and what is stored can be read.
    pub(crate) async fn look(&self, after: &str) {
        self.look_at(&self.server, after).await;
        self.neighbour(after).await;
    }

    async fn look_at(&self, server: &Process, after: &str) {
        let status = server.get("/api/status").await;
        assert_eq!(status.status, 204, "after {after}: {:#}", status.body);
        let management = server.management().await;
        for list in LISTS {
            let answer = management.get(&self.fill(list)).await;
            assert_eq!(answer.status, 200, "after {after}: {list}: {:#}", answer.body);
        }
        // Whoever was about to sign in goes on.
        let cookie = self.fill("claimsmith-interaction={interaction}");
        let page = Answer::of(server.http.get(server.url("/sign-in")).header("cookie", cookie)).await;
        assert_eq!(page.status, 200, "after {after}: {:#}", page.body);
    }

    /// The exchange of a neighbour, who has nothing to do with any of this; answers its token's claims.
    pub(crate) async fn neighbour(&self, after: &str) -> Value {
        let token = self.server.customer_token().await;
        let answer = self.server.exchange(&token).send().await;
        assert_eq!(answer.status, 200, "after {after}: {:#}", answer.body);
        let jwt = self.server.verify(&answer.text("access_token"), &self.server.demo().resource).await;
        json!(jwt.claims)
    }

    /// The server over connections of their own, for attackers and neighbours: those of an attacker may be closed after any
    /// answer.
    pub(crate) fn api_beside(&self) -> Api {
        let listen = self.server.origin.trim_start_matches("http://").parse().unwrap();
        Api::new(listen, self.server.report.clone())
    }

    /// A neighbour who asks for tokens until told to stop.
    pub(crate) fn beside(&self) -> Beside {
        let (api, stop) = (self.api_beside(), CancellationToken::new());
        let stopped = stop.clone();
        let task = tokio::spawn(async move {
            let mut longest = Duration::ZERO;
            while !stopped.is_cancelled() {
                let started = Instant::now();
                api.client_credentials().send().await.expect(200);
                longest = longest.max(started.elapsed());
            }
            longest
        });
        Beside { stop, task }
    }

    /// Bytes that the server has allocated.
    pub(crate) fn memory(&self) -> u64 {
        self.server.allocated_memory()
    }

    /// Starts a second server on the same database, as the next restart will find it, and looks at what that reads. The
    /// first one goes on, so that its memory is that of all attacks.
    pub(crate) async fn start_beside(&self, after: &str) {
        let mut beside = start(&self.home, &self.settings).await;
        self.look_at(&beside, &format!("a start after {after}")).await;
        assert!(beside.terminate().await.success(), "{}", beside.stderr.text());
    }

    /// Ends it as an operator would, starts it again, and looks. Neither process has panicked.
    pub(crate) async fn restart(&mut self) {
        assert!(self.server.terminate().await.success(), "{}", self.server.stderr.text());
        self.nothing_panicked();
        self.server = start(&self.home, &self.settings).await;
        self.look("a restart").await;
        self.nothing_panicked();
    }

    fn nothing_panicked(&self) {
        let stderr = self.server.stderr.text();
        assert!(!stderr.contains("panicked"), "{stderr}");
    }
}

async fn start(home: &Home, settings: &[(&'static str, String)]) -> Process {
    let changes: Vec<_> = settings.iter().map(|(name, value)| (*name, value.as_str())).collect();
    Process::start(BINARY, home, &changes).await.unwrap()
}

/// Somebody begins to sign in: the application, its credentials, the cookie of their interaction, and the token of its
/// forms.
async fn begin_sign_in(api: &Api, management: &Actor) -> Vec<(&'static str, String)> {
    let body = json!({
        "name": "c", "type": "Traditional",
        "oidcClientMetadata": {
            "redirectUris": ["https://victim.test/callback"], "postLogoutRedirectUris": ["https://victim.test/"],
        },
    });
    let client = management.post("/api/applications", body).await.expect(200);
    let id = client.text("id");
    let request = format!(
        "/oidc/auth?client_id={id}&redirect_uri=https://victim.test/callback&response_type=code&scope=openid\
         &code_challenge=dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk&code_challenge_method=S256"
    );
    let browser = Browser::new(api);
    browser.open(&request).await.expect(303);
    let (_, interaction) = browser.interaction_cookie();
    let event = json!({ "interactionEvent": "SignIn" });
    browser.send(api.http.put(api.url("/api/experience")).json(&event)).await.expect(204);
    vec![
        ("basic", BASE64.encode(format!("{id}:{}", client.text("secret")).as_bytes())),
        ("callback", "https%3A%2F%2Fvictim.test%2Fcallback".to_owned()),
        ("csrf", tokens::hash(&format!("csrf:{interaction}"))),
        ("client", id),
        ("interaction", interaction),
    ]
}

/// A neighbour at work.
pub(crate) struct Beside {
    stop: CancellationToken,
    task: JoinHandle<Duration>,
}

impl Beside {
    /// Stops, and answers the longest that it waited for a token.
    pub(crate) async fn end(self) -> String {
        ms(self.longest().await)
    }

    /// The same, which must not be longer than ten times what any attack is known to cost.
    pub(crate) async fn end_in_time(self, attack: &str) -> String {
        let longest = self.longest().await;
        assert!(longest < MAX_WAIT, "{attack}: a neighbour waited {}", ms(longest));
        ms(longest)
    }

    async fn longest(self) -> Duration {
        self.stop.cancel();
        self.task.await.unwrap()
    }
}
