//! `claimsmith plugin convert`: what a script demands and cannot have here is refused: at the conversion where its text shows
//! it, otherwise when it runs, whatever the script does with the error.

use super::convert::{convert, run};
use super::write;
use claimsmith_test_support::{Home, Kind};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// A script of a system that runs the demand of each case, which its own text does not show.
struct Demanding {
    name: &'static str,
    from: &'static [&'static str],
    text: &'static str,
}

const ACTION: Demanding = Demanding {
    name: "action",
    from: &["auth0"],
    text: "exports.onExecutePostLogin = async (event, api) => {
  new Function('event', 'api', event.secrets.DEMAND)(event, api);
  api.accessToken.setCustomClaim('done', true);
};
",
};
const RULE: Demanding = Demanding {
    name: "rule",
    from: &["auth0"],
    text: "function rule(user, context, callback) {
  new Function('user', 'context', configuration.DEMAND)(user, context);
  context.accessToken.done = true;
  callback(null, user, context);
}
",
};
const LOGTO: Demanding = Demanding {
    name: "logto",
    from: &["logto"],
    text: "const getCustomJwtClaims = async ({ token, context, environmentVariables, api }) => {
  new Function('token', 'context', 'api', environmentVariables.DEMAND)(token, context, api);
  return { done: true };
};
",
};
const KEYCLOAK: Demanding = Demanding {
    name: "keycloak",
    from: &["keycloak", "--claim", "done"],
    text: "new Function(user.getFirstAttribute('demand'))();\nexports = true;\n",
};
const ZITADEL: Demanding = Demanding {
    name: "zitadel",
    from: &["zitadel"],
    text: "function demand(ctx, api) {
  const { value } = ctx.v1.user.getMetadata().metadata.find(({ key }) => key === 'demand');
  new Function('ctx', 'api', value)(ctx, api);
  api.v1.claims.setClaim('done', true);
}
",
};
const FUSIONAUTH: Demanding = Demanding {
    name: "fusionauth",
    from: &["fusionauth"],
    text: "function populate(jwt, user, registration, context) {
  new Function('jwt', 'user', 'registration', 'context', user.data.demand)(jwt, user, registration, context);
  jwt.done = true;
}
",
};

/// The input of a case with this demand.
fn input(demand: &str) -> Value {
    let scope = json!({ "id": "s1", "name": "read", "description": null, "resourceId": "q1" });
    json!({
        "token": {
            "kind": "AccessToken", "clientId": "a1", "aud": "https://api.example.com", "scope": "read write", "jti": "j1",
        },
        "context": {
            "user": {
                "id": "u1", "username": "ada", "primaryEmail": "ada@example.com", "primaryPhone": null, "name": "Ada",
                "avatar": null, "identities": { "github": { "userId": "g1" } }, "profile": {}, "applicationId": null,
                "isSuspended": false, "hasPassword": true, "lastSignInAt": 1, "createdAt": 1, "updatedAt": 1,
                "customData": {
                    "demand": demand, "email_verified": true, "emailVerified": true, "isEmailVerified": true,
                    "isPhoneVerified": true, "verified": true,
                },
                "roles": [{ "id": "r1", "name": "buyer", "description": null, "scopes": [scope] }],
                "organizations": [{ "id": "o1", "name": "North", "description": null }],
                "organizationRoles": [{ "organizationId": "o1", "roleId": "r2", "roleName": "manager" }],
            },
            "application": {
                "id": "a1", "name": "Shop", "description": null, "type": "SPA", "customData": {}, "isThirdParty": false,
                "createdAt": 1,
            },
            "organization": { "id": "o1", "name": "North", "description": null, "customData": {} },
        },
        "environmentVariables": { "DEMAND": demand, "REALM": "shop", "PROJECT_ID": "p1" },
    })
}

/// Converts the script, and runs each demand: it fails with this text, or runs to its end.
async fn check(home: &Home, script: &Demanding, demands: &[(String, Option<&str>)]) {
    let Demanding { name, from, text } = script;
    convert(home, from, &format!("{name}.js"), text).await.ok();
    let case = |(index, (demand, refused)): (usize, &(String, Option<&str>))| {
        let expected = match refused {
            Some(refused) => json!({ "failed": format!("{refused}: Claimsmith has nothing like it") }),
            None => json!({ "claims": { "done": true } }),
        };
        json!({ "name": format!("{index}: {demand}"), "input": input(demand), "expected": expected })
    };
    let cases: Vec<Value> = demands.iter().enumerate().map(case).collect();
    write(home, &format!("{name}/{name}.cases.json"), &Value::from(cases).to_string());
    let told = run(home, &["test", name]).await.ok();
    assert!(told.ends_with(" 0 failed\n"), "{told}");
}

/// Demands of a script, each with what the refusal names, if it is refused.
type Demands = &'static [(&'static str, Option<&'static str>)];

/// What the scripts of each system demand.
const DEMANDS: [(&Demanding, Demands); 6] = [
    (
        &ACTION,
        &[
            ("api.multifactor.enable('any')", Some("api.multifactor")),
            ("api.redirect.sendUserTo('https://example.com')", Some("api.redirect")),
            ("api.accessToken.removeScope('write')", Some("api.accessToken.removeScope")),
            ("api.cache = {}", Some("api.cache = …")),
            ("'prompt' in api", Some("api.prompt")),
            ("event.user.groups", Some("user.groups")),
            ("event.user.enrolledFactors", Some("user.enrolledFactors")),
            ("'logins_count' in event.user", Some("user.logins_count")),
            ("event.stats.logins_count", Some("event.stats")),
            ("event.client.strategy", Some("event.client.strategy")),
            ("event.organization.connection", Some("event.organization.connection")),
            ("event.transaction.acr_values", Some("event.transaction.acr_values")),
            ("event.user.identities[0].access_token", Some("user.identities[0].access_token")),
            // Ways around a plain read.
            ("try { event.user.groups } catch {}", Some("user.groups")),
            ("try { event.user.groups } catch { api.accessToken.addScope }", Some("user.groups")),
            ("({ ...event.user }).groups", Some("all members of user")),
            ("Object.assign({}, event.user).groups", Some("all members of user")),
            ("JSON.parse(JSON.stringify(event.user)).groups", Some("all members of user")),
            ("event.user.hasOwnProperty('groups')", Some("user.groups")),
            ("Object.hasOwn(event.user, 'groups')", Some("user.groups")),
            ("Reflect.get(event.user, 'groups')", Some("user.groups")),
            ("event.user.groups = ['all']", Some("user.groups = …")),
            ("event.user.email = 'eve@example.com'", Some("user.email = …")),
            ("delete event.user.email", Some("delete user.email")),
            ("Object.defineProperty(event.user, 'groups', { value: 1 })", Some("user.groups = …")),
            ("Object.setPrototypeOf(event.user, { groups: [] })", Some("the prototype of user")),
            ("api.accessToken.setCustomClaim('user', event.user)", Some("all members of user")),
            // What is there, also where it is not set.
            (
                "event.user.app_metadata = event.user.app_metadata || {}; event.user.app_metadata.plan; \
                 event.user.family_name; 'phone_number' in event.user; console.log(event, [event.user])",
                None,
            ),
        ],
    ),
    (
        &RULE,
        &[
            ("context.multifactor = { provider: 'any' }", Some("context.multifactor = …")),
            ("context['redirect'] = { url: 'https://example.com' }", Some("context.redirect = …")),
            ("try { context.multifactor = {} } catch {}", Some("context.multifactor = …")),
            ("if (context.stats.loginsCount > 1) return", Some("context.stats")),
            ("'multifactor' in context", Some("context.multifactor")),
            ("user.groups", Some("user.groups")),
            ("user.multifactor", Some("user.multifactor")),
            ("context.accessToken.scope = ['read']", Some("context.accessToken.scope = …")),
            (
                "context.accessToken.scope.includes('read'); context.idToken.n = context.idToken.n || []; \
                 context.authorization.roles; context.clientMetadata.x",
                None,
            ),
        ],
    ),
    (
        &LOGTO,
        &[
            ("context.user.mfaVerificationFactors.length", Some("user.mfaVerificationFactors")),
            ("'ssoIdentities' in context.user", Some("user.ssoIdentities")),
            ("context.user.roles[0].scopes[0].resource", Some("user.roles[].scopes[].resource")),
            ("context.session", Some("context.session")),
            ("api.revoke", Some("api.revoke")),
            ("context.grant?.type; context.interaction; context.user.customData.x; token.gty", None),
        ],
    ),
    (
        &KEYCLOAK,
        &[
            ("user.getGroupsStream()", Some("user.getGroupsStream")),
            ("if (!user.groups) throw 1", Some("user.groups")),
            ("'groups' in user", Some("user.groups")),
            ("try { userSession.getNote('acr') } catch (error) {}", Some("userSession.getNote")),
            ("token.setAcr('gold')", Some("token.setAcr")),
            ("user.email = 'eve@example.com'", Some("user.email = …")),
            ("Java.type('java.lang.System')", Some("Java.type(\"java.lang.System\")")),
            ("user.getAttributes().get('x'); Java.type('java.util.stream.Collectors').toList()", None),
        ],
    ),
    (
        &ZITADEL,
        &[
            ("api.v1.user.setMetadata('a', 1)", Some("api.v1.user.setMetadata")),
            ("ctx.v1.authRequest", Some("ctx.v1.authRequest")),
            ("'httpRequest' in ctx.v1", Some("ctx.v1.httpRequest")),
            ("ctx.v1.user.grants.grants[0].orgName", Some("grant.orgName")),
            ("ctx.v1.getUser().human.gender", Some("user.human.gender")),
            ("ctx.v1.getUser().machine; ctx.v1.org.getMetadata().count", None),
        ],
    ),
    (
        &FUSIONAUTH,
        &[
            ("user.memberships.length", Some("user.memberships")),
            ("'twoFactor' in user", Some("user.twoFactor")),
            ("registration.insertInstant", Some("registration.insertInstant")),
            ("context.jwtConfiguration", Some("context.jwtConfiguration")),
            ("jwt.exp = 1", Some("jwt.exp = …")),
            ("Object.assign(jwt, { scope: 'all' })", Some("jwt.scope = …")),
            ("jwt.authenticationType", Some("jwt.authenticationType")),
            ("delete jwt.roles; jwt.groups || user.lastName; Object.keys(jwt)", None),
        ],
    ),
];

#[tokio::test]
async fn what_a_running_script_demands_is_granted_or_refused_and_never_skipped() {
    let home = Home::new(Kind::Sqlite).await;
    for (script, demands) in DEMANDS {
        let demands: Vec<_> = demands.iter().map(|(demand, refused)| ((*demand).to_owned(), *refused)).collect();
        check(&home, script, &demands).await;
    }
}

/// Every object of which `sdk/migrate/SYSTEM.toml` says what is known, as a script of this kind writes it.
const OBJECTS: [(&str, &[(&Demanding, &str)]); 5] = [
    (
        "auth0",
        &[
            (&ACTION, "event"),
            (&ACTION, "event.user"),
            (&RULE, "user"),
            (&RULE, "context"),
            (&ACTION, "event.client"),
            (&ACTION, "event.organization"),
            (&ACTION, "event.resource_server"),
            (&ACTION, "event.transaction"),
            (&ACTION, "event.accessToken"),
            (&ACTION, "event.authorization"),
            (&ACTION, "api"),
            (&ACTION, "api.access"),
            (&ACTION, "api.idToken"),
        ],
    ),
    (
        "logto",
        &[
            (&LOGTO, "context"),
            (&LOGTO, "context.user"),
            (&LOGTO, "context.user"),
            (&LOGTO, "context.application"),
            (&LOGTO, "context.organization"),
            (&LOGTO, "token"),
            (&LOGTO, "api"),
        ],
    ),
    (
        "keycloak",
        &[
            (&KEYCLOAK, "user"),
            (&KEYCLOAK, "token"),
            (&KEYCLOAK, "realm"),
            (&KEYCLOAK, "userSession"),
            (&KEYCLOAK, "keycloakSession"),
            (&KEYCLOAK, "keycloakSession.getContext()"),
            (&KEYCLOAK, "keycloakSession.context.client"),
        ],
    ),
    (
        "zitadel",
        &[
            (&ZITADEL, "ctx"),
            (&ZITADEL, "ctx.v1"),
            (&ZITADEL, "ctx.v1.claims"),
            (&ZITADEL, "ctx.v1.user"),
            (&ZITADEL, "ctx.v1.user.grants"),
            (&ZITADEL, "ctx.v1.org"),
            (&ZITADEL, "ctx.v1.getUser()"),
            (&ZITADEL, "ctx.v1.getUser().human"),
            (&ZITADEL, "api"),
            (&ZITADEL, "api.v1"),
            (&ZITADEL, "api.v1.userinfo"),
        ],
    ),
    ("fusionauth", &[(&FUSIONAUTH, "user"), (&FUSIONAUTH, "registration")]),
];

#[tokio::test]
async fn the_converter_lets_through_what_the_adapters_know() {
    let home = Home::new(Kind::Sqlite).await;
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("sdk/migrate");
    let scripts = [&ACTION, &RULE, &LOGTO, &KEYCLOAK, &ZITADEL, &FUSIONAUTH];
    let mut demands: Vec<Vec<(String, Option<&str>)>> = vec![Vec::new(); scripts.len()];
    for (system, written) in OBJECTS {
        let rules: toml::Table = fs::read_to_string(folder.join(format!("{system}.toml"))).unwrap().parse().unwrap();
        let objects = rules["object"].as_array().unwrap();
        assert_eq!(objects.len(), written.len(), "{system}");
        for (object, (script, expression)) in objects.iter().zip(written) {
            let known = serde_json::to_string(&object["known"]).unwrap();
            let index = scripts.iter().position(|one| one.name == script.name).unwrap();
            demands[index].push((format!("for (const name of {known}) ({expression})[name]"), None));
            demands[index].push((format!("({expression})['never' + 'Known']"), Some("neverKnown")));
        }
    }
    for (script, demands) in scripts.into_iter().zip(demands) {
        check(&home, script, &demands).await;
    }
}

#[tokio::test]
async fn demands_that_a_text_shows_are_refused_at_the_conversion() {
    let home = Home::new(Kind::Sqlite).await;
    let rule =
        |line: &str| format!("function (user, context, callback) {{\n  {line}\n  callback(null, user, context);\n}}\n");
    let action = |line: &str| format!("exports.onExecutePostLogin = async (event, api) => {{\n  {line}\n}};\n");
    let logto =
        |line: &str| format!("const getCustomJwtClaims = async ({{ context }}) => {{\n  {line}\n  return {{}};\n}};\n");
    let zitadel = |line: &str| format!("function a(ctx, api) {{\n  {line}\n}}\n");
    let lambda = |line: &str| format!("function populate(jwt, user, registration) {{\n  {line}\n}}\n");
    let table: [(&[&str], String, &str); 27] = [
        (&["auth0"], rule("context.multifactor = { provider: 'any' };"), "context.multifactor"),
        (&["auth0"], rule("context.redirect = { url };"), "context.redirect"),
        (&["auth0"], rule("if (user.groups.includes('a')) return;"), "user.groups"),
        (&["auth0"], rule("if (context.stats.loginsCount > 1) return;"), "context.stats"),
        (&["auth0"], rule("if ('groups' in user) return;"), "'groups' in user"),
        (&["auth0"], rule("const { email, groups } = user;"), "{ email, groups } = user"),
        (&["auth0"], rule("user.email = user.email.toLowerCase();"), "user.email"),
        (&["auth0"], rule("context.accessToken.scope = [];"), "context.accessToken.scope"),
        (&["auth0"], rule("auth0.users.updateAppMetadata(user.user_id, {});"), "auth0.users"),
        (&["auth0"], action("api.multifactor.enable('any');"), "api.multifactor"),
        (&["auth0"], action("if (event.user?.enrolledFactors.length) return;"), "event.user?.enrolledFactors"),
        (&["auth0"], action("if (event.user[\"groups\"]) return;"), "event.user[\"groups\"]"),
        (&["auth0"], action("const { user } = event; if (user.logins_count) return;"), "user.logins_count"),
        (&["auth0"], action("const all = JSON.parse(JSON.stringify(event));"), "JSON.stringify(event)"),
        (
            &["auth0"],
            format!("{}exports.onExecutePreUserRegistration = 1;", action("")),
            "exports.onExecutePreUserRegistration",
        ),
        (&["logto"], logto("if (context.user.mfaVerificationFactors) return {};"), "mfaVerificationFactors"),
        (&["logto"], logto("const { user } = context; if (user.groups) return {};"), "user.groups"),
        (&["logto"], format!("export {}", logto("")), "export"),
        (&["keycloak", "--claim", "a"], "\nexports = user.getGroupsStream();".to_owned(), "getGroupsStream"),
        (&["keycloak", "--claim", "a"], "\nexports = userSession.getNote('a');".to_owned(), "userSession.getNote"),
        (
            &["keycloak", "--claim", "a"],
            "\nexports = user.serviceAccountClientLink;".to_owned(),
            "user.serviceAccountClientLink",
        ),
        (&["zitadel"], zitadel("api.v1.user.setMetadata('a', 1);"), "api.v1.user.setMetadata"),
        (&["zitadel"], zitadel("if (ctx.v1.authRequest) return;"), "ctx.v1.authRequest"),
        (&["fusionauth"], lambda("if (user.memberships.length) return;"), ".memberships"),
        (&["fusionauth"], lambda("if (user.tenantId) return;"), "user.tenantId"),
        (&["fusionauth"], lambda("jwt.exp = 1;"), "jwt.exp"),
        (&["fusionauth"], lambda("if (registration.verified) return;"), "registration.verified"),
    ];
    for (from, text, found) in table {
        let told = convert(&home, from, "script.js", &text).await.fails(1);
        let line = if text.starts_with("export ") { 1 } else { 2 };
        let line = if found.starts_with("exports.") { 4 } else { line };
        assert!(told.contains(&format!("line {line}: {found}")), "{found}: {told}");
        assert!(!home.folder().join("script").exists(), "{found}");
    }
    // All of them are named at once, each with its line.
    let both = rule("context.multifactor = {};\n  context.redirect = {};");
    let told = convert(&home, &["auth0"], "script.js", &both).await.fails(1);
    assert!(told.contains("line 2: context.multifactor") && told.contains("line 3: context.redirect"), "{told}");
    // What only looks like it is converted.
    let harmless = action(
        "const user = await (await fetch('https://auth0.com/api.multifactor')).json(); // event.user.groups
  if (user.groups || 'plan' in event.user.app_metadata || this.user.groups) api.access.deny('no');
  const { plan } = event.user.app_metadata; event.user.app_metadata.plan = plan; if (event.user.email == plan) return;",
    );
    convert(&home, &["auth0"], "harmless.js", &harmless).await.ok();
}
