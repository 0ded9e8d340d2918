//! JavaScript plugins: what an author may write, and the errors.

use crate::support::{BEHAVIOURS, ample, behave, claims, error, line_of, load, refusal, request};
use claimsmith_runtime::{CallError, Finding, Grant, Language, Level, LoadError};
use serde_json::json;

async fn refused(text: &str) -> LoadError {
    refusal(Language::JavaScript, text).await
}

#[tokio::test]
async fn the_function_may_be_written_in_every_usual_way() {
    for text in [
        "export const getCustomJwtClaims = async ({ context }) => ({ t: context.grant.subjectTokenContext.ticketId });",
        "function getCustomJwtClaims(input) { return { t: input.context.grant.subjectTokenContext.ticketId }; } // end",
        "const claims = ({ context: { grant } }) => ({ t: grant.subjectTokenContext.ticketId });\nexport default claims",
        "\u{feff}async function f(i) { return { t: i.context.grant.subjectTokenContext.ticketId } }\n\
         export { f as getCustomJwtClaims };",
    ] {
        let plugin = load(Language::JavaScript, text).await.unwrap();
        let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
        assert_eq!(claims(call), json!({ "t": "T-1" }), "{text}");
    }
}

#[tokio::test]
async fn the_function_gets_the_request() {
    let told = claims(behave("echo").await);
    let grant = "urn:ietf:params:oauth:grant-type:token-exchange";
    assert_eq!(
        told,
        json!({
            "token": { "aud": "https://api.example.com" },
            "context": { "user": { "id": "u1" }, "grant": { "type": grant, "subjectTokenContext": { "ticketId": "T-1" } } },
            "environmentVariables": { "BEHAVIOUR": "echo" },
        })
    );
}

/// Its members are parsed when they are first read, which no plugin is to notice.
#[tokio::test]
async fn what_the_function_gets_reads_like_plain_data() {
    let text = r#"export function getCustomJwtClaims({ token, context, environmentVariables, ...rest }) {
        context.user.name += "!";
        context.application = { id: "changed" };
        const { user, ...others } = { ...context };
        return {
            members: Object.keys(context), entries: Object.entries(others), rest: Object.keys(rest),
            user, again: context.user === user, absent: "organization" in context,
            token: token.text, type: context.grant.type, variable: environmentVariables.TEXT, frozen: Object.freeze(context).user.name,
        };
    }"#;
    let plugin = load(Language::JavaScript, text).await.unwrap();
    // What lies between the parts of a request, and characters that are one, two and four bytes long.
    let odd = "\u{1e}a\u{fc}\u{1f600}\u{0}\n\"\\";
    let mut request = request(&[("TEXT", odd)]);
    request.token = json!({ "text": odd }).to_string().into();
    request.context.user = Some(json!({ "name": odd }).to_string().into());
    request.context.application = Some(json!({ "id": "a" }).to_string().into());
    request.context.grant = Some(Grant { grant_type: "urn:\u{fc}".into(), subject_token_context: None });
    let told = claims(plugin.get_custom_jwt_claims(&request, &ample()).await);
    let user = json!({ "name": format!("{odd}!") });
    assert_eq!(
        told,
        json!({
            "members": ["user", "application", "grant"],
            "entries": [["application", { "id": "changed" }], ["grant", { "type": "urn:\u{fc}" }]],
            "rest": ["api"],
            "user": user, "again": true, "absent": false,
            "token": odd, "type": "urn:\u{fc}", "variable": odd, "frozen": user["name"],
        })
    );
}

#[tokio::test]
async fn a_denial_carries_its_reason() {
    assert_eq!(error(behave("deny").await), CallError::Denied("no ticket".to_owned()));
    assert_eq!(error(behave("denyLater").await), CallError::Denied("Access denied".to_owned()));
}

#[tokio::test]
async fn a_failure_says_where_in_the_authors_file() {
    let CallError::Failed(thrown) = error(behave("throwError").await) else { panic!() };
    let line = line_of(BEHAVIOURS, "new TypeError(\"no such ticket\")");
    assert!(
        thrown.starts_with(&format!("TypeError: no such ticket\n    at throwError (tickets.js:{line}:15)")),
        "{thrown}"
    );
    assert!(!thrown.contains("/claimsmith/"), "{thrown}");
    let CallError::Failed(rejected) = error(behave("reject").await) else { panic!() };
    let line = line_of(BEHAVIOURS, "new RangeError(\"later\")");
    assert!(rejected.starts_with(&format!("RangeError: later\n    at reject (tickets.js:{line}:15)")), "{rejected}");
    assert_eq!(error(behave("throwText").await), CallError::Failed("thrown: a text".to_owned()));
    assert_eq!(error(behave("throwObject").await), CallError::Failed("thrown: {\"code\":7}".to_owned()));
    let CallError::Failed(cycle) = error(behave("cycle").await) else { panic!() };
    assert!(cycle.starts_with("TypeError: circular reference"), "{cycle}");
}

#[tokio::test]
async fn the_console_writes_the_log() {
    let call = behave("logs").await;
    let lines: Vec<_> = call.logs.iter().map(|line| (line.level, line.message.as_str())).collect();
    assert_eq!(lines[0], (Level::Debug, "one 1 {\"two\":\"2n\"} [3]"));
    assert_eq!(lines[1], (Level::Info, "%s null undefined"));
    assert_eq!(lines[2..4], [(Level::Info, "info"), (Level::Warn, "warn")]);
    assert_eq!(lines[4].0, Level::Error);
    let line = line_of(BEHAVIOURS, "new Error(\"seen\")");
    assert!(lines[4].1.starts_with(&format!("Error: seen\n    at logs (tickets.js:{line}:")), "{}", lines[4].1);
    assert_eq!(lines.len(), 5);
}

#[tokio::test]
async fn what_top_level_code_writes_is_in_the_log_of_each_call() {
    let text = "console.info('ready'); const getCustomJwtClaims = () => ({});";
    let plugin = load(Language::JavaScript, text).await.unwrap();
    for _ in 0..2 {
        let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
        assert_eq!(call.logs.iter().map(|line| line.message.as_str()).collect::<Vec<_>>(), ["ready"]);
    }
}

#[tokio::test]
async fn text_and_bytes_turn_into_each_other() {
    assert_eq!(
        claims(behave("text").await),
        json!({
            "bytes": [97, 195, 169, 226, 130, 172, 240, 159, 152, 128],
            "text": "aé€😀\u{fffd}\u{fffd}\u{fffd}\u{fffd}",
            "base64": "Yf9iYWI=YWJj",
            "back": "a\u{ff}babab",
            "refused": ["RangeError", "RangeError", "RangeError", "TypeError"],
        })
    );
}

#[tokio::test]
async fn nothing_is_fetched_and_nothing_imported() {
    let CallError::Failed(fetch) = error(behave("fetch").await) else { panic!() };
    assert!(fetch.contains("fetch failed: GET https://example.com/x was not granted to this plugin"), "{fetch}");
    let CallError::Failed(import) = error(behave("importOther").await) else { panic!() };
    assert!(import.contains("a plugin is one file: it cannot import \"./other.js\""), "{import}");
    let refused = refused("// first\nimport x from './other.js'; const getCustomJwtClaims = () => x;").await;
    let text = "tickets.js:2:1: a plugin is one file: it cannot import \"./other.js\"";
    assert!(matches!(refused, LoadError::Syntax(_)), "{refused:?}");
    assert_eq!(refused.to_string(), text);
}

#[tokio::test]
async fn a_text_that_cannot_be_read_says_where() {
    let at = |line, column, end, message: &str| {
        let (line, column) = (Some(line), Some(column));
        vec![Finding { file: Some("tickets.js".to_owned()), line, column, end, message: message.to_owned() }]
    };
    let error = refused("const a = 1;\nconst b = {;").await;
    assert_eq!(error.findings(), at(2, 12, Some((2, 13)), "Unexpected token"));
    assert_eq!(error.to_string(), "tickets.js:2:12: Unexpected token");
    let error = refused("const a = 1; const a = 2;").await;
    assert_eq!(error.findings(), at(1, 7, Some((1, 8)), "Identifier `a` has already been declared"));
    let error = refused("const a = 1;\nconst a = 2;\nconst a = 3;").await;
    assert_eq!(error.findings().len(), 2, "{error}");
    let error = refused("@sealed class A {}\nconst getCustomJwtClaims = () => ({});").await;
    let LoadError::Syntax(newer) = &error else { panic!("{error:?}") };
    assert_eq!((newer[0].line, newer[0].column), (Some(1), Some(1)), "{error}");
    let error = refusal(Language::JavaScript, b"const a = 1;\n// \xff".to_vec()).await;
    assert_eq!(error.findings(), at(2, 1, None, "the text is not UTF-8"));
}

#[tokio::test]
async fn a_text_without_the_function_is_of_the_wrong_world() {
    for text in ["", "const getCustomJwtClaim = () => ({});", "const getCustomJwtClaims = 5;", "export default 5"] {
        let LoadError::WrongWorld(text) = refused(text).await else { panic!("{text}") };
        assert!(text.contains("getCustomJwtClaims"), "{text}");
    }
}

#[tokio::test]
async fn top_level_code_that_fails_is_refused_with_its_position() {
    let error = refused("let getCustomJwtClaims;\nthrow new Error('early');").await;
    let found = error.findings().remove(0);
    assert_eq!((found.file.as_deref(), found.line), (Some("tickets.js"), Some(2)));
    let LoadError::Initialization(thrown) = error else { panic!() };
    assert!(thrown.contains("Error: early\n    at <anonymous> (tickets.js:2:"), "{thrown}");
    let LoadError::Initialization(never) = refused("await new Promise(() => {}); let getCustomJwtClaims;").await else {
        panic!()
    };
    assert!(never.contains("a promise that never settles"), "{never}");
}
