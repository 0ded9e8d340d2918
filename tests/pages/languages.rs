//! The language of a page, and the operator's own words in it.

use crate::{BROWSER, html};
use claimsmith_test_support::{Answer, TestServer, both};
use serde_json::json;

/// A page for a browser of this language.
async fn browse_in(server: &TestServer, language: &str) -> Answer {
    let request = server.http.get(server.url("/signed-out")).header("accept", BROWSER);
    Answer::of(request.header("accept-language", language)).await.expect(200)
}

both!(a_page_speaks_the_readers_language, async |server: TestServer| {
    for (accepted, language, title) in [
        ("en", "en", "You are signed out"),
        ("de-CH, en;q=0.5", "de", "abgemeldet"),
        ("fr", "fr", "déconnecté"),
        ("es-MX", "es", "sesión"),
        ("ja", "ja", "サインアウト"),
        ("zh-CN", "zh", "退出"),
        ("nl", "en", "You are signed out"),
        ("\"><script>", "en", "You are signed out"),
    ] {
        let answer = browse_in(&server, accepted).await;
        let page = html(&answer);
        assert!(page.contains(&format!("<html lang=\"{language}\" dir=\"ltr\">")), "{accepted}: {page}");
        assert!(page.contains(title), "{accepted}: {page}");
        assert_eq!(answer.header("content-language"), Some(language));
    }
});

both!(the_operators_words_are_shown, async |server: TestServer| {
    let management = server.management().await;
    let words = json!({ "signed_out": { "title": "Tschüss <b>du</b>!" } });
    management.put("/api/custom-phrases/de", words).await.expect(201);
    let answer = browse_in(&server, "de").await;
    let page = html(&answer);
    assert!(page.contains("<h1 class=\"title\">Tschüss &#60;b&#62;du&#60;/b&#62;!</h1>"), "{page}");
    // What they do not say stays.
    assert!(page.contains("Sie können diese Seite schließen."), "{page}");

    let words = json!({ "signed_out": { "title": "تم تسجيل خروجك" } });
    management.put("/api/custom-phrases/ar", words).await.expect(201);
    let answer = browse_in(&server, "ar-EG").await;
    let page = html(&answer);
    assert!(page.contains("<html lang=\"ar\" dir=\"rtl\">") && page.contains("تم تسجيل خروجك"), "{page}");
    assert!(page.contains("You can close this page."), "{page}");
});
