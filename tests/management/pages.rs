//! Pagination of lists.

use crate::fixtures::{texts, user};
use claimsmith_test_support::{TestServer, both};
use std::time::Duration;

both!(a_list_is_read_page_by_page, async |server: TestServer| {
    let management = server.management().await;
    for index in 0..5 {
        server.clock.advance(Duration::from_secs(1));
        user(&management, &format!("user{index}")).await;
    }
    // Two more are the demo's.
    let first = management.get("/api/users?page_size=3&x=a%20b").await.expect(200);
    assert_eq!(texts(&first.body, "username"), ["user4", "user3", "user2"]);
    assert_eq!(first.header("total-number"), Some("7"));
    let base = format!("{}/api/users?page_size=3&x=a%20b", server.report.base_url);
    let links = format!("<{base}&page=1>; rel=\"first\", <{base}&page=2>; rel=\"next\", <{base}&page=3>; rel=\"last\"");
    assert_eq!(first.header("link"), Some(links.as_str()));
    let second = management.get("/api/users?page_size=3&page=2").await.expect(200);
    assert_eq!(texts(&second.body, "username")[..2], ["user1", "user0"]);
    let beyond = management.get("/api/users?page_size=3&page=4294967295").await.expect(200);
    assert_eq!((texts(&beyond.body, "username").len(), beyond.header("total-number")), (0, Some("7")));
});

both!(some_lists_come_whole_when_no_page_is_asked_for, async |server: TestServer| {
    let management = server.management().await;
    for path in ["/api/resources", "/api/applications"] {
        let whole = management.get(path).await.expect(200);
        assert_eq!((whole.header("total-number"), whole.header("link")), (None, None));
        let total = whole.body.as_array().unwrap().len();
        let page = management.get(&format!("{path}?page_size=1")).await.expect(200);
        assert_eq!(page.body.as_array().unwrap().len(), 1);
        assert_eq!(page.header("total-number"), Some(total.to_string().as_str()));
    }
});

both!(what_is_no_page_is_refused, async |server: TestServer| {
    let management = server.management().await;
    for path in ["/api/users", "/api/roles", "/api/resources", "/api/applications"] {
        for query in
            ["page=0", "page=-1", "page=x", "page=", "page_size=0", "page_size=101", "page_size=1.5", "page=1&page=2"]
        {
            let answer = management.get(&format!("{path}?{query}")).await;
            answer.expect_api_error(400, "guard.invalid_pagination");
        }
    }
});
