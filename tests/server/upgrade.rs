//! Filled databases of older schemas (`upgrade/SCHEMA`, made by `upgrade/record.py`) are migrated at the start, and
//! everything in them goes on: tokens, keys, plugins, deliveries, passwords, sign-ins.

use crate::sign_in::{CALLBACK, Client};
use claimsmith_domain::clock::Clock;
use claimsmith_domain::random::Random;
use claimsmith_test_support::{Answer, Browser, Home, Kind, Process, Receiver, TestServer, both, told};
use data_encoding::BASE64URL_NOPAD;
use jsonwebtoken::decode_header;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

const PERSONAL_ACCESS_TOKEN: &str = "urn:logto:token-type:personal_access_token";
/// Between the dump and the upgrade, in milliseconds.
const LATER: i64 = 60_000;

/// The last schema before applications had an audience of client assertions.
const BEFORE_AUDIENCES: &str = "0030";

/// The folders of the schemas that are kept, oldest first.
pub(crate) fn schemas() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/server/upgrade");
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut schemas: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    schemas.sort();
    assert!(!schemas.is_empty());
    schemas
}

/// A server over a database of an older schema, with what its clients still hold.
pub(crate) struct Upgraded {
    pub(crate) server: TestServer,
    kept: Value,
}

/// What the dumps were made with: a public key of encryption, and the port of the demo.
fn settings(kept: &Value) -> [(&'static str, &str); 2] {
    let key = "BwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwcHBwc=";
    [("CLAIMSMITH_BASE_URL", kept["baseUrl"].as_str().unwrap()), ("CLAIMSMITH_ENCRYPTION_KEY", key)]
}

impl Upgraded {
    /// Over the newest one that is kept.
    pub(crate) async fn newest(home: &Arc<Home>) -> Self {
        Self::from(schemas().last().unwrap(), home).await
    }

    /// The same after a restart.
    pub(crate) async fn again(self, home: &Arc<Home>) -> Self {
        let Self { server, kept } = self;
        let clock = server.clock.clone();
        server.stop().await;
        let server = Box::pin(TestServer::start_at((clock, Random::system()), home, &settings(&kept))).await.unwrap();
        Self { server, kept }
    }

    /// Runs `claimsmith` with its settings, and answers how that ended and what it told.
    pub(crate) async fn run(&self, home: &Home, arguments: &[&str]) -> (Option<i32>, String) {
        let output = Process::run(crate::BINARY, home, &settings(&self.kept), arguments).await;
        (output.status.code(), String::from_utf8(output.stdout).unwrap())
    }

    async fn from(schema: &Path, home: &Arc<Home>) -> Self {
        Self::with_rows(schema, home, "").await
    }

    /// The same with rows that the dump has not: statements, which run before the migration.
    async fn with_rows(schema: &Path, home: &Arc<Home>, rows: &str) -> Self {
        let kind = match home.kind() {
            Kind::Sqlite => "sqlite",
            Kind::Postgres => "postgres",
        };
        let read = |ending: &str| fs::read_to_string(schema.join(format!("{kind}.{ending}"))).unwrap();
        let kept: Value = serde_json::from_str(&read("json")).unwrap();
        home.restore(&format!("{}\n{rows}", read("sql"))).await;
        fs::create_dir_all(home.data_dir()).unwrap();
        fs::write(home.data_dir().join("bootstrap.json"), kept["report"].to_string()).unwrap();
        let clock = Clock::fixed((kept["takenAt"].as_i64().unwrap() + LATER) / 1000 * 1000);
        let server = Box::pin(TestServer::start_at((clock, Random::system()), home, &settings(&kept))).await.unwrap();
        Self { server, kept }
    }

    pub(crate) fn held(&self, name: &str) -> &str {
        self.kept[name].as_str().unwrap()
    }

    /// Tokens of before hold, what was used stays used, and the script of before writes into new ones.
    async fn tokens_go_on(&self) {
        let server = &self.server;
        for token in ["accessToken", "opaqueToken"] {
            assert_eq!(server.introspect_as_web(self.held(token)).await["active"], true, "{token}");
        }
        let kid = decode_header(self.held("accessToken")).unwrap().kid.unwrap();
        let keys = server.get("/oidc/jwks").await.expect(200).body;
        assert!(keys["keys"].as_array().unwrap().iter().any(|key| key["kid"] == *kid), "{keys}");

        let issued = server.exchange(self.held("subjectToken")).access_token().await;
        let issued = claims(&issued);
        assert_eq!((&issued["ticket"], &issued["region"]), (&json!("TECH-1234"), &json!("eu")), "{issued}");
        for used in ["usedSubjectToken", "subjectToken"] {
            server.exchange(self.held(used)).send().await.expect_oauth_error(400, "invalid_request");
        }
        let personal = server.exchange(self.held("personalAccessToken"));
        let personal = personal.with("subject_token_type", PERSONAL_ACCESS_TOKEN).access_token().await;
        assert_eq!(claims(&personal)["sub"], self.kept["userId"]);
    }

    /// What the Management API tells is what was stored, and a stored plugin can be activated.
    async fn objects_are_kept(&self) {
        let management = self.server.management().await;
        let path = format!("/api/users/{}", self.held("userId"));
        let user = management.get(&path).await.expect(200);
        assert_eq!((&user["name"], &user["customData"]), (&json!("Ada Lövelace"), &json!({ "tier": "gold" })));
        let found = management.get("/api/users?search.name=%25L%C3%96VELA%25").await.expect(200);
        assert!(found.body.as_array().unwrap().iter().any(|found| found["id"] == user["id"]), "{}", found.body);
        // Servers sign in by addresses, too, since 0.1.0; one from before goes on as it was.
        let settings = management.get("/api/sign-in-exp").await.expect(200);
        let methods = settings["signIn"]["methods"].as_array().unwrap();
        let by_address = methods.iter().any(|method| method["identifier"] == "email");
        assert_eq!(by_address, self.kept["version"].is_string(), "{methods:?}");
        let roles = management.get(&format!("{path}/roles")).await.expect(200);
        assert!(roles.body.as_array().unwrap().iter().any(|role| role["name"] == "shopper"), "{}", roles.body);
        let organizations = management.get(&format!("{path}/organizations")).await.expect(200);
        assert_eq!(organizations.body[0]["name"], "Keepers");
        let invitations = management.get("/api/organization-invitations").await.expect(200);
        assert_eq!(
            (&invitations.body[0]["invitee"], &invitations.body[0]["status"]),
            (&json!("guest@example.com"), &json!("Pending"))
        );
        let experience = management.get("/api/sign-in-exp").await.expect(200);
        assert_eq!(experience["color"]["primaryColor"], "#0f766e");
        management.post("/api/plugins/ticket/versions/1/activate", Value::Null).await.expect(200);
        let logs = management.get("/api/logs?page_size=100").await.expect(200);
        assert!(logs.body.as_array().unwrap().len() > 3, "{}", logs.body);
    }

    /// Connectors, second factors, social identities and links of before, where the schema had them.
    async fn ways_to_sign_in_are_kept(&self) {
        let Some(connector) = self.kept["connectorId"].as_str() else { return };
        let management = self.server.management().await;
        let shown = management.get(&format!("/api/connectors/{connector}")).await.expect(200);
        assert_eq!(shown["connectorId"], "http-email");
        let companies = management.get("/api/sso-connectors").await.expect(200);
        assert_eq!(companies.body[0]["domains"], json!(["acme.example"]));
        let identity = management.get(&format!("/api/users/{}/identities/github", self.held("userId"))).await;
        assert_eq!(identity.expect(200)["userId"], "gh-1");
        let path = format!("/api/users/{}/mfa-verifications", self.held("carefulUserId"));
        let factors = management.get(&path).await.expect(200).body;
        let kinds: BTreeSet<&str> =
            factors.as_array().unwrap().iter().map(|factor| factor["type"].as_str().unwrap()).collect();
        assert_eq!(kinds, BTreeSet::from(["BackupCode", "Totp"]));
        let token = json!({ "email": "keeper@example.com", "token": self.held("oneTimeToken") });
        management.post("/api/one-time-tokens/verify", token.clone()).await.expect(200);
        management.post("/api/one-time-tokens/verify", token).await.expect(400);
    }

    /// A delivery that waited reaches its receiver.
    async fn deliveries_go_on(&self) {
        let receiver = Receiver::start().await;
        let path = format!("/api/hooks/{}", self.held("hookId"));
        let config = json!({ "config": { "url": receiver.url(), "retries": 3 } });
        let management = self.server.management().await;
        management.patch(&path, config).await.expect(200);
        self.server.clock.advance(Duration::from_mins(15));
        let count = self.kept["waitingDeliveries"].as_u64().unwrap_or(2);
        let waiting = receiver.wait(usize::try_from(count).unwrap()).await;
        assert!(waiting.iter().any(|told| told.json()["event"] == "User.Created"), "{:?}", waiting[0].json());
    }

    /// A person signs in with the password of before; a refresh token of before still works.
    async fn people_sign_in(&self) {
        let server = &self.server;
        let client = Client { id: self.held("applicationId").to_owned() };
        let browser = Browser::new(server);
        let page = follow(&browser, browser.open(&client.request(&[])).await).await.expect(200);
        let html = page.body.as_str().unwrap();
        let csrf = html.split_once("name=\"csrf\" value=\"").unwrap().1.split_once('"').unwrap().0;
        let form = [("csrf", csrf), ("identifier", "keeper"), ("password", self.held("password"))];
        let form = form.map(|(name, value)| (name.to_owned(), value.to_owned()));
        let code = told(&follow(&browser, browser.post("/sign-in", &form).await).await)["code"].clone();
        let tokens = client.exchange(server, &code).send().await.expect(200);
        assert!(tokens["id_token"].is_string(), "{}", tokens.body);
        if let Some(token) = self.kept["refreshToken"].as_str() {
            let refreshed = client.refresh(server, token).send().await.expect(200);
            assert_ne!(refreshed["refresh_token"], token);
        }
    }
}

/// The claims of a JWT, which has expired by the clock of this machine.
fn claims(token: &str) -> Value {
    let payload = token.split('.').nth(1).unwrap();
    serde_json::from_slice(&BASE64URL_NOPAD.decode(payload.as_bytes()).unwrap()).unwrap()
}

/// Follows redirects as long as they lead to this server.
async fn follow(browser: &Browser, mut answer: Answer) -> Answer {
    while let Some(location) = answer.header("location").map(str::to_owned).filter(|to| !to.starts_with(CALLBACK)) {
        answer = browser.open(&location).await;
    }
    answer
}

both!(applications_that_had_keys_keep_the_audiences_of_before, async |home: Arc<Home>| {
    // Keys by value and by address; on SQLite also a document that cannot be read, which is left alone.
    let (table, damaged) = match home.kind() {
        Kind::Sqlite => ("applications", "UPDATE applications SET custom_client_metadata = '{' WHERE name = 'Shop';"),
        Kind::Postgres => ("public.applications", ""),
    };
    let change = |name: &str, keys: &str| {
        format!("UPDATE {table} SET oidc_client_metadata = '{{\"redirectUris\":[],{keys}}}' WHERE name = '{name}';\n")
    };
    let rows = change("Demo web application", "\"jwks\":{\"keys\":[]}")
        + &change("Management API client", "\"jwksUri\":\"https://app.example.com/jwks\"")
        + &change("Shop", "\"jwks\":{\"keys\":[]}")
        + damaged;
    let schema = schemas().into_iter().find(|schema| schema.ends_with(BEFORE_AUDIENCES)).unwrap();
    let upgraded = Upgraded::with_rows(&schema, &home, &rows).await;
    let management = upgraded.server.management().await;
    let listed = management.get("/api/applications?clientAssertionAudience=legacy").await.expect(200);
    let names: BTreeSet<&str> =
        listed.body.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    let shop = damaged.is_empty().then_some("Shop");
    let expected = ["Demo web application", "Management API client"].into_iter().chain(shop).collect();
    assert_eq!(names, expected);
    for one in listed.body.as_array().unwrap() {
        let custom = &one["customClientMetadata"];
        assert_eq!(custom["clientAssertionAudience"], "legacy");
        let kept = if one["name"] == "Demo web application" { json!(true) } else { Value::Null };
        assert_eq!(custom["allowTokenExchange"], kept, "the rest stays: {custom}");
    }
    let (_, told) = upgraded.run(&home, &["doctor", "--offline"]).await;
    for name in names {
        assert!(told.contains(&format!("({name}): accepts the legacy audience")), "{told}");
    }
});

both!(a_server_whose_settings_were_never_saved_signs_in_by_user_names_alone, async |home: Arc<Home>| {
    let table = match home.kind() {
        Kind::Sqlite => "sign_in_experiences",
        Kind::Postgres => "public.sign_in_experiences",
    };
    let never = format!("UPDATE {table} SET settings = '{{}}';");
    // The newest one from before addresses signed in by default.
    let mut before = schemas();
    before.retain(|schema| schema.file_name().is_some_and(|name| name < "0043"));
    let upgraded = Upgraded::with_rows(before.last().unwrap(), &home, &never).await;
    let settings = upgraded.server.management().await.get("/api/sign-in-exp").await.expect(200);
    let by_name = json!({ "identifier": "username", "password": true, "verificationCode": false,
        "isPasswordPrimary": true });
    assert_eq!(settings["signIn"], json!({ "methods": [by_name] }));
    assert_eq!(settings["signInMode"], "SignInAndRegister");
});

both!(a_database_of_each_older_schema_goes_on, async |home: Arc<Home>| {
    for schema in schemas() {
        let home = Home::new(home.kind()).await;
        let upgraded = Upgraded::from(&schema, &home).await;
        upgraded.tokens_go_on().await;
        upgraded.objects_are_kept().await;
        upgraded.ways_to_sign_in_are_kept().await;
        upgraded.people_sign_in().await;
        upgraded.deliveries_go_on().await;
        let Upgraded { server, kept } = upgraded;
        server.stop().await;
        let doctor = Process::run(crate::BINARY, &home, &settings(&kept), &["doctor", "--offline"]).await;
        assert!(doctor.status.success(), "{}", String::from_utf8_lossy(&doctor.stdout));
    }
});
