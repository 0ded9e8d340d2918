//! Signing in and out, with a role and without.

use crate::{COOKIE, SIGN_IN_COOKIE};
use claimsmith_domain::console::ConsoleRole::{Admin, Read};
use claimsmith_storage::audit;
use claimsmith_test_support::{Browser, CONSOLE_PASSWORD, Home, TestServer, both, told};
use std::sync::Arc;

both!(somebody_with_a_role_gets_where_they_wanted, async |server: TestServer| {
    let id = server.operator("ada", &[Admin]).await;
    let browser = Browser::new(&server);
    let sent = browser.visit("/console/users?q=%26x").await.expect(303);
    let base = &server.report.base_url;
    let sign_in = format!("{base}/console/sign-in?return=%2Fconsole%2Fusers%3Fq%3D%2526x");
    assert_eq!(sent.header("location"), Some(&*sign_in));

    let asked = browser.visit(&sign_in).await.expect(303);
    assert!(asked.header("location").unwrap().starts_with(&format!("{base}/oidc/auth?")), "{:?}", asked.headers);
    let request = told(&asked);
    for (name, value) in [
        ("client_id", "claimsmith-console"),
        ("response_type", "code"),
        ("scope", "openid"),
        ("code_challenge_method", "S256"),
        ("redirect_uri", &format!("{base}/console/callback")),
        ("max_age", "1800"),
    ] {
        assert_eq!(request[name], value);
    }
    for secret in ["state", "nonce", "code_challenge"] {
        assert!(request[secret].len() >= 43, "{request:?}");
    }
    let kept = browser.cookie(SIGN_IN_COOKIE).unwrap();
    assert!(request.values().all(|value| !kept.contains(value.as_str())), "it is encrypted");

    let page = browser.follow(asked).await.expect(200);
    let fields = [("identifier", "ada"), ("password", CONSOLE_PASSWORD)];
    let mut answer = browser.fill_in(&page, "/sign-in", &fields).await.expect(303);
    while !answer.header("location").unwrap().contains("/console/callback?") {
        answer = browser.visit(answer.header("location").unwrap()).await.expect(303);
    }
    let done = browser.visit(answer.header("location").unwrap()).await.expect(303);
    assert_eq!(done.header("location"), Some(&*format!("{base}/console/users?q=%26x")));
    let cookie = done.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap());
    let cookie = cookie.filter(|value| value.starts_with("claimsmith-console=")).collect::<Vec<_>>();
    for attribute in ["HttpOnly", "SameSite=Lax", "Path=/"] {
        assert!(cookie.len() == 1 && cookie[0].contains(attribute), "{cookie:?}");
    }
    assert!(!cookie[0].contains("Secure") && !cookie[0].contains("Max-Age"), "{cookie:?}");
    assert_eq!(browser.cookie(SIGN_IN_COOKIE), None);
    let home = browser.visit("/console").await.expect(200);
    assert!(home.html().contains("ada") && home.html().contains("<small>Administrator</small>"), "{}", home.body);

    let mut tx = server.begin().await;
    let logs = audit::list_by_key(&mut tx, "Console.SignIn", 5).await.unwrap();
    assert_eq!(logs.len(), 1);
    assert_eq!(logs[0].payload["userId"], id.as_str());
});

both!(over_https_the_cookies_are_bound_to_the_host, async |home: Arc<Home>| {
    let changes = [("CLAIMSMITH_BASE_URL", "https://id.example.com"), ("CLAIMSMITH_DEMO", "false")];
    let server = TestServer::start(&home, &changes).await.unwrap();
    let answer = server.http.get(server.url("/console/sign-in")).send().await.unwrap();
    let cookie = answer.headers()["set-cookie"].to_str().unwrap();
    assert!(cookie.starts_with("__Host-console-sign-in=") && cookie.contains("; Secure"), "{cookie}");
    assert!(!cookie.contains("Domain"), "{cookie}");
    let location = answer.headers()["location"].to_str().unwrap();
    assert!(location.starts_with("https://id.example.com/oidc/auth?"), "{location}");
});

both!(somebody_without_a_role_is_told_so, async |server: TestServer| {
    server.operator("bob", &[]).await;
    for name in ["bob", "nobody"] {
        Browser::new(&server).sign_in_at("/console", name, "wrong").await.expect(422);
    }
    let mut deadlines = server.clock.deadlines();
    assert_eq!(deadlines.len(), 2, "wrong passwords are answered at a deadline");
    deadlines.dedup();
    assert_eq!(deadlines.len(), 1);
    let browser = Browser::new(&server);
    let refused = browser.sign_in_at("/console", "bob", CONSOLE_PASSWORD).await.expect(403);
    let page = refused.html();
    assert!(page.contains("The console is for administrators"), "{page}");
    assert_eq!(browser.cookie(COOKIE), None);
    let begun = audit::list_by_key(&mut server.begin().await, "Console.SignIn", 5).await.unwrap();
    assert!(begun.is_empty(), "{begun:?}");
    browser.visit("/console/users").await.expect(303);

    // Another account, or out.
    let another = "/console/sign-in?return=%2Fconsole&#38;account=another";
    assert!(page.contains(another), "{page}");
    let asked = browser.visit(&another.replace("&#38;", "&")).await.expect(303);
    assert_eq!(told(&asked)["prompt"], "select_account");
    let out = page.split("href=\"").map(|rest| rest.split('"').next().unwrap());
    let out = out.filter(|href| href.contains("/oidc/session/end")).collect::<Vec<_>>();
    let end = browser.follow(browser.visit(&out[0].replace("&#38;", "&")).await).await.expect(200);
    assert!(end.html().contains("signed out"), "{}", end.body);
    assert_eq!(browser.cookie("claimsmith-session"), None);
});

both!(signing_out_ends_the_sign_in_too, async |server: TestServer| {
    let id = server.operator("ada", &[Read]).await;
    let browser = server.at_console("ada").await;
    let thief = Browser::new(&server);
    thief.set_cookie(COOKIE, &browser.cookie(COOKIE).unwrap());
    thief.visit("/console").await.expect(200);

    let page = browser.visit("/console").await.expect(200);
    let out = browser.fill_in(&page, "/console/sign-out", &[]).await.expect(303);
    assert!(out.header("location").unwrap().contains("/oidc/session/end?id_token_hint="), "{:?}", out.headers);
    let end = browser.follow(out).await.expect(200);
    assert!(end.html().contains("signed out"), "nobody is asked: {}", end.body);
    thief.visit("/console").await.expect(303);
    let sessions = server.management().await.get(&format!("/api/users/{id}/sessions")).await.expect(200);
    assert_eq!(sessions["sessions"].as_array().map(Vec::len), Some(0), "{}", sessions.body);
});

both!(only_screens_are_returned_to, async |server: TestServer| {
    server.operator("ada", &[Read]).await;
    for path in
        ["https://evil.example/console", "//evil.example", "/account", "/console/callback?code=1", "/console\\x"]
    {
        let browser = Browser::new(&server);
        let query = form_urlencoded::Serializer::new(String::new()).append_pair("return", path).finish();
        let end = browser.sign_in_at(&format!("/console/sign-in?{query}"), "ada", CONSOLE_PASSWORD).await;
        assert!(end.expect(200).html().contains("ada"), "{path}");
    }
});

both!(the_path_with_a_slash_is_the_same_page, async |server: TestServer| {
    let base = server.report.base_url.clone();
    let answer = Browser::new(&server).visit("/console/").await.expect(303);
    assert_eq!(answer.header("location"), Some(&*format!("{base}/console")));
});

both!(a_sign_in_elsewhere_does_not_open_the_console, async |server: TestServer| {
    server.operator("ada", &[Admin]).await;
    let browser = Browser::new(&server);
    browser.sign_in_at("/account", "ada", CONSOLE_PASSWORD).await.expect(200);
    // Whatever let them in there, they prove here who they are.
    let page = browser.follow(browser.visit("/console").await).await.expect(200);
    assert!(page.html().contains("name=\"password\""), "{}", page.body);
    assert_eq!(browser.cookie(COOKIE), None);
    let fields = [("identifier", "ada"), ("password", CONSOLE_PASSWORD)];
    browser.follow(browser.fill_in(&page, "/sign-in", &fields).await).await.expect(200);
    assert!(browser.cookie(COOKIE).is_some());
    // The other way round they are signed in.
    let account = browser.visit("/account").await.expect(200);
    assert!(account.html().contains("ada"), "{}", account.body);
});
