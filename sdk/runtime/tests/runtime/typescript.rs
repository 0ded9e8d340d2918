//! TypeScript: types are stripped, error positions are those of the source, and stripping has limits.

use crate::support::{ample, claims, error, load, refusal, request};
use claimsmith_runtime::{CallError, Language, LoadError};
use serde_json::json;

const TEXT: &str = r#"import type { User } from "./types";

interface Input {
  context: { user?: User };
  environmentVariables: Record<string, string>;
}

enum Level { Low = 1, High, Both = Low | High }
enum Name { Gold = "gold" }

export const getCustomJwtClaims = async ({ context, environmentVariables }: Input): Promise<object> => {
  if (environmentVariables["FAIL"]) {
    const reason: string = "on purpose";

    throw new Error(reason);
  }
  return { user: context.user!.id, level: Level.Both as number, name: Name.Gold satisfies string };
};
"#;

async fn syntax(text: &str) -> String {
    match refusal(Language::TypeScript, text).await {
        error @ LoadError::Syntax(_) => error.to_string(),
        error => panic!("{error:?}"),
    }
}

/// Enum members of which each is computed from the one before.
fn doubled(from: impl Fn(usize) -> String) -> String {
    (1..40).map(|n| format!("A{n} = {}", from(n - 1))).collect::<Vec<_>>().join(", ")
}

#[tokio::test]
async fn types_are_stripped_and_positions_kept() {
    let plugin = load(Language::TypeScript, TEXT).await.unwrap();
    let call = plugin.get_custom_jwt_claims(&request(&[]), &ample()).await;
    assert_eq!(claims(call), json!({ "user": "u1", "level": 3, "name": "gold" }));
    let call = plugin.get_custom_jwt_claims(&request(&[("FAIL", "1")]), &ample()).await;
    let CallError::Failed(text) = error(call) else { panic!() };
    assert!(text.starts_with("Error: on purpose\n    at getCustomJwtClaims (tickets.ts:15:"), "{text}");
}

#[tokio::test]
async fn errors_of_syntax_say_where() {
    assert_eq!(syntax("const a: = 5;").await, "tickets.ts:1:10: Unexpected token");
    let import = "tickets.ts:1:1: a plugin is one file: it cannot import \"./x\"";
    assert_eq!(syntax("import { x } from './x'; export const getCustomJwtClaims = () => x;").await, import);
}

#[tokio::test]
async fn a_text_that_would_swell_in_the_host_is_refused() {
    let sums = doubled(|n| format!("A{n} + A{n}"));
    let text = syntax(&format!("enum E {{ A0 = 'xxxx', {sums} }}")).await;
    assert_eq!(text, "tickets.ts:1:28: an enum member cannot be computed from another by `+`: write its value out");
    let templates = doubled(|n| format!("`${{A{n}}}${{A{n}}}`"));
    assert!(syntax(&format!("enum E {{ A0 = 'xxxx', {templates} }}")).await.contains("cannot be a template"));
    let long = "x".repeat(1000);
    assert!(syntax(&format!("enum E {{ A = '{long}', B = A, C = A }}")).await.contains("at most 254 bytes"));
    assert!(syntax(&"a<".repeat(60_000)).await.contains("more than 1000 `<`"));
}

#[tokio::test]
async fn a_text_that_nests_without_end_is_refused() {
    for unit in ["(", "[", "!", "a=>", "`${", "x?1:", "if(a)"] {
        let text = unit.repeat(200_000 / unit.len());
        assert!(syntax(&text).await.starts_with("tickets.ts:1:"), "{unit}");
    }
    let nested = format!("const getCustomJwtClaims = () => 1; {}{}", "{".repeat(60_000), "}".repeat(60_000));
    let error = refusal(Language::TypeScript, nested).await;
    assert!(matches!(&error, LoadError::Initialization(text) if text.contains("its stack overflowed")), "{error}");
}

#[tokio::test]
async fn a_text_that_nobody_wrote_is_too_large() {
    let error = refusal(Language::TypeScript, " ".repeat((256 << 10) + 1)).await;
    assert_eq!(error, LoadError::TooLarge { size: (256 << 10) + 1, limit: 256 << 10 });
}
