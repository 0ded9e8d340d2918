//! Searching lists: every mode, with the same results on both databases.

use crate::fixtures::{machine, role, scope, texts, user};
use claimsmith_test_support::{Actor, Kind, TestServer, both};
use serde_json::json;

async fn found(management: &Actor, query: &str) -> Vec<String> {
    let answer = management.get(&format!("/api/users?page_size=100&{query}")).await.expect(200);
    let mut names: Vec<String> = texts(&answer.body, "username").into_iter().map(str::to_owned).collect();
    assert_eq!(answer.header("total-number"), Some(names.len().to_string().as_str()), "{query}");
    names.sort();
    names
}

both!(users_are_found_by_what_they_are_called, async |server: TestServer| {
    let management = server.management().await;
    for (username, email, phone, name) in [
        ("x_ada", "Ada@Example.com", "442079460010", "Ada L\u{f6}velace"),
        ("x_adam", "adam@other.test", "442079460011", "Adam 100% Real"),
        ("x_Grace", "grace@example.com", "493090182012", "\u{c4}RGER_Hopper"),
    ] {
        let body = json!({ "username": username, "primaryEmail": email, "primaryPhone": phone, "name": name });
        management.post("/api/users", body).await.expect(200);
    }
    for (query, expected) in [
        ("search.username=x_ada", &["x_ada"][..]),
        ("search.username=X_ADA%25", &["x_ada", "x_adam"]),
        ("search=%25@exampl_.com&search.username=x%25&joint=and", &["x_Grace", "x_ada"]),
        ("search=%25EXAMPLE%25&isCaseSensitive=true", &[]),
        ("search.primaryEmail=ada%25", &["x_ada", "x_adam"]),
        ("search.primary_email=Ada%25&isCaseSensitive=true", &["x_ada"]),
        ("search.name=%25%C3%96VEL%25", &["x_ada"]),
        ("search.name=%C3%A4rger%25", &["x_Grace"]),
        ("search.name=a%CC%88rger%25", &["x_Grace"]),
        ("search.name=%25100%5C%25%25", &["x_adam"]),
        ("search.primaryPhone=44%25", &["x_ada", "x_adam"]),
        ("search.username=x_ad_&search.primaryPhone=493090182012", &["x_Grace", "x_ada"]),
        ("search.username=x_ada%25&search.primaryPhone=442079460011&joint=and", &["x_adam"]),
        ("search.username=X_ADA&search.username=x_grace&mode=exact", &["x_Grace", "x_ada"]),
        ("search.username=x_grace&mode.username=exact&isCaseSensitive=true", &[]),
        ("search.username=x_(ada|Grace)&mode=similar_to&isCaseSensitive=true", &["x_Grace", "x_ada"]),
        ("search.username=x_ad&mode=similar_to&isCaseSensitive=true", &[]),
        ("search.username=%5Ex_AD.*m%24&mode=posix", &["x_adam"]),
        ("search.username=AD&mode=posix&isCaseSensitive=true", &[]),
        // Not SQL.
        ("search.name=%27%20OR%201=1%20--", &[]),
        ("search.name=%22%3B%20DROP%20TABLE%20users", &[]),
    ] {
        assert_eq!(found(&management, query).await, expected, "{query}");
    }
    for query in [
        "search=",
        "search.password=a",
        "search=a%5C",
        "search=(&mode=posix",
        "search=a&mode=fuzzy",
        "search.name=a&search.name=b",
        "search=a&joint=xor",
        "search=a&mode=similar_to",
    ] {
        management.get(&format!("/api/users?{query}")).await.expect_api_error(400, "request.invalid_input");
    }
    let nul = management.get("/api/users?search=a%00").await;
    nul.expect_api_error(400, "guard.invalid_input");
    // Databases know different regular expressions; what one of them does not know is the caller's error.
    let named = "search.username=(%3FP%3Cn%3Ex_)&mode=posix&isCaseSensitive=true";
    if server.home.kind() == Kind::Postgres {
        let refused = management.get(&format!("/api/users?{named}")).await;
        refused.expect_api_error(400, "request.invalid_input");
    } else {
        assert_eq!(found(&management, named).await, ["x_Grace", "x_ada", "x_adam"]);
    }
});

both!(users_are_listed_without_those_who_are_named, async |server: TestServer| {
    let management = server.management().await;
    let role_id = role(&management, "readers", "User", &[]).await;
    let (ada, grace) = (user(&management, "x_ada").await, user(&management, "x_grace").await);
    management.post(&format!("/api/users/{ada}/roles"), json!({ "roleIds": [role_id] })).await.expect(201);
    assert_eq!(found(&management, &format!("search.username=x_%25&excludeRoleId={role_id}")).await, ["x_grace"]);
    let all = found(&management, &format!("excludeRoleId={role_id}")).await;
    assert!(all.contains(&"x_grace".to_owned()) && !all.contains(&"x_ada".to_owned()));
    let both = management.get("/api/users?excludeRoleId=a&excludeOrganizationId=b").await;
    both.expect_api_error(400, "request.invalid_input");
    // All of them are counted, not only those of the page.
    let organization = management.post("/api/organizations", json!({ "name": "x" })).await.expect(201).text("id");
    let members = json!({ "userIds": [ada, grace] });
    management.post(&format!("/api/organizations/{organization}/users"), members).await.expect(201);
    let suspended = json!({ "isSuspended": true });
    management.patch(&format!("/api/users/{grace}/is-suspended"), suspended).await.expect(200);
    let everybody = found(&management, "").await.len();
    for (query, expected) in [
        (format!("excludeRoleId={role_id}"), everybody - 1),
        (format!("excludeOrganizationId={organization}"), everybody - 2),
        ("excludeRoleId=nothing".to_owned(), everybody),
        ("isSuspended=true".to_owned(), 1),
        ("isSuspended=false".to_owned(), everybody - 1),
        (format!("isSuspended=false&excludeRoleId={role_id}"), everybody - 2),
        (format!("isSuspended=false&excludeOrganizationId={organization}"), everybody - 2),
        (format!("isSuspended=true&excludeRoleId={role_id}"), 1),
        (format!("search.username=x_%25&excludeOrganizationId={organization}"), 0),
        (format!("search.username=x_%25&excludeRoleId={role_id}"), 1),
    ] {
        assert_eq!(found(&management, &query).await.len(), expected, "{query}");
    }
    management.delete(&format!("/api/users/{grace}")).await.expect(204);
    assert_eq!(found(&management, "").await.len(), everybody - 1);
});

both!(roles_scopes_and_applications_are_found_by_what_they_are_called, async |server: TestServer| {
    let management = server.management().await;
    let (resource, read) = scope(&management, "https://orders.test", "x_orders:read").await;
    let scopes = format!("/api/resources/{resource}/scopes");
    let body = json!({ "name": "x_orders:list", "description": "\u{c4}rger sehen" });
    let list = management.post(&scopes, body).await.expect(201).text("id");
    // Another resource's scope of the same name is found in neither list.
    scope(&management, "https://books.test", "x_orders:read").await;
    let readers = role(&management, "x_R\u{e4}der", "MachineToMachine", &[&read, &list]).await;
    let path = format!("/api/roles/{readers}");
    management.patch(&path, json!({ "description": "50% of \u{c4}RGER" })).await.expect(200);
    role(&management, "x_writers", "User", &[]).await;
    let (backend, _) = machine(&management, "x_Backend").await;
    machine(&management, "x_Other").await;
    let change = json!({ "description": "For \u{d6}RDERS" });
    management.patch(&format!("/api/applications/{backend}"), change).await.expect(200);
    let holders = format!("{path}/applications");
    management.post(&holders, json!({ "applicationIds": [backend] })).await.expect(201);

    for (list, query, expected) in [
        ("/api/roles", "search=x_r%C3%84%25", &["x_R\u{e4}der"][..]),
        ("/api/roles", "search.name=x_%25", &["x_R\u{e4}der", "x_writers"]),
        ("/api/roles", "search.name=x_%25&type=User", &["x_writers"]),
        ("/api/roles", "search.description=50%5C%25%25%C3%A4rger", &["x_R\u{e4}der"]),
        ("/api/roles", "search.name=X_WRITERS&mode=exact", &["x_writers"]),
        ("/api/roles", "search.name=X_WRITERS&mode=exact&isCaseSensitive=true", &[]),
        ("/api/roles", "search.name=%27%20OR%201=1%20--", &[]),
        (&scopes, "search=X_ORDERS%25", &["x_orders:list", "x_orders:read"]),
        (&scopes, "search.description=%C3%A4rger%25", &["x_orders:list"]),
        (&scopes, "search.name=read%24&mode=posix", &["x_orders:read"]),
        (&format!("{path}/scopes"), "page=1&search=%25read", &["x_orders:read"]),
        (&format!("{path}/scopes"), "page=1&search=%25books%25", &[]),
        ("/api/applications", "page=1&search.name=x_%25", &["x_Backend", "x_Other"]),
        ("/api/applications", "page=1&search.name=x_%25&types=SPA", &[]),
        ("/api/applications", "page=1&search.description=%25%C3%B6rders", &["x_Backend"]),
        ("/api/applications", &format!("page=1&search.name=x_%25&excludeRoleId={readers}"), &["x_Other"]),
        (&holders, "search.name=x_%25", &["x_Backend"]),
        (&holders, "search.name=x_o%25", &[]),
    ] {
        let answer = management.get(&format!("{list}?{query}")).await.expect(200);
        let mut names = texts(&answer.body, "name");
        names.sort_unstable();
        assert_eq!(names, expected, "{list} {query}");
        assert_eq!(answer.header("total-number"), Some(names.len().to_string().as_str()), "{list} {query}");
    }
    // A list without a page is searched too.
    let whole = management.get("/api/applications?search=x_other").await.expect(200);
    assert_eq!((texts(&whole.body, "name"), whole.header("total-number")), (vec!["x_Other"], None));
});

both!(the_users_of_a_role_are_found_among_all, async |server: TestServer| {
    let management = server.management().await;
    let path = format!("/api/roles/{}/users", role(&management, "readers", "User", &[]).await);
    let (ada, adam) = (user(&management, "x_ada").await, user(&management, "x_adam").await);
    user(&management, "x_adele").await;
    management.post(&path, json!({ "userIds": [ada, adam] })).await.expect(201);
    for (query, expected) in
        [("search=X_AD%25", &["x_ada", "x_adam"][..]), ("search.username=x_ad__", &["x_adam"]), ("search=x_adele", &[])]
    {
        let answer = management.get(&format!("{path}?{query}")).await.expect(200);
        let mut names = texts(&answer.body, "username");
        names.sort_unstable();
        assert_eq!(names, expected, "{query}");
        assert_eq!(answer.header("total-number"), Some(names.len().to_string().as_str()), "{query}");
    }
    let second = management.get(&format!("{path}?search=x_ad%25&page_size=1&page=2")).await.expect(200);
    assert_eq!((second.body.as_array().unwrap().len(), second.header("total-number")), (1, Some("2")));
});
