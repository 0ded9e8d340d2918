//! Random inputs for property tests, generated from the JSON Schema of the contract. The same seed makes the same
//! inputs.

use crate::{Case, CaseAnswer, CaseReport, Input};
use claimsmith_runtime::Kind;
use fastrand::Rng;
use serde_json::{Map, Value, json};

/// The contract's JSON.
const SCHEMA: &str = include_str!("../../schema/plugin.schema.json");
/// Edge cases of texts.
const EDGE_CASE_TEXTS: [&str; 10] =
    ["", "a", "Ada Lovelace", "\"quoted\" \\ back", "line\nfeed\ttab", "ünïcödé ✓ 🧮", "null", "{}", "0", "__proto__"];
/// The most members or items that are generated.
const MAX_MEMBERS: usize = 3;

/// Random inputs for plugins of one kind.
pub struct RandomInputs {
    schema: Value,
    kind: Kind,
    rng: Rng,
}

impl RandomInputs {
    /// The inputs of a seed.
    ///
    /// # Errors
    /// The schema is not JSON, which a test would have found.
    pub fn new(kind: Kind, seed: u64) -> serde_json::Result<Self> {
        Ok(Self { schema: serde_json::from_str(SCHEMA)?, kind, rng: Rng::with_seed(seed) })
    }

    fn value(&mut self, root: &Value, schema: &Value, depth: usize) -> Value {
        if let Some(name) = schema["$ref"].as_str().and_then(|path| path.rsplit('/').next()) {
            return self.value(root, &root["$defs"][name], depth);
        }
        let one_of = schema["type"].as_array().and_then(|types| self.rng.choice(types));
        match one_of.or(schema.get("type")).and_then(Value::as_str) {
            Some("null") => Value::Null,
            Some("boolean") => json!(self.rng.bool()),
            Some("integer") => json!(self.integer()),
            Some("string") => json!(self.text()),
            Some("array") => {
                (0..self.rng.usize(..=MAX_MEMBERS)).map(|_| self.value(root, &schema["items"], depth + 1)).collect()
            }
            Some("object") => self.object(root, schema, depth),
            _ => self.anything(depth),
        }
    }

    fn object(&mut self, root: &Value, schema: &Value, depth: usize) -> Value {
        let mut members = Map::new();
        let required = |name: &String| schema["required"].as_array().is_some_and(|list| list.contains(&json!(name)));
        for (name, of) in schema["properties"].as_object().into_iter().flatten() {
            if required(name) || self.rng.bool() {
                members.insert(name.clone(), self.value(root, of, depth + 1));
            }
        }
        match &schema["additionalProperties"] {
            Value::Object(of) => {
                for _ in 0..self.rng.usize(..=MAX_MEMBERS) {
                    let (name, value) = (self.text(), self.value(root, &Value::Object(of.clone()), depth + 1));
                    members.insert(name, value);
                }
            }
            Value::Bool(true) => {
                for _ in 0..self.rng.usize(..=MAX_MEMBERS) {
                    let (name, value) = (self.text(), self.anything(depth + 1));
                    members.insert(name, value);
                }
            }
            _ => {}
        }
        Value::Object(members)
    }

    fn anything(&mut self, depth: usize) -> Value {
        match self.rng.u8(..if depth > 5 { 4 } else { 6 }) {
            0 => Value::Null,
            1 => json!(self.rng.bool()),
            2 => json!(self.integer()),
            3 => json!(self.text()),
            4 => (0..self.rng.usize(..=MAX_MEMBERS)).map(|_| self.anything(depth + 1)).collect(),
            _ => (0..self.rng.usize(..=MAX_MEMBERS))
                .map(|_| (self.text(), self.anything(depth + 1)))
                .collect::<Map<_, _>>()
                .into(),
        }
    }

    /// Whole numbers that every JSON reader can hold.
    fn integer(&mut self) -> i64 {
        match self.rng.u8(..4) {
            0 => 0,
            1 => self.rng.i64(-10..=10),
            _ => self.rng.i64(-(1 << 53)..=1 << 53),
        }
    }

    fn text(&mut self) -> String {
        match self.rng.u8(..8) {
            0 => "x".repeat(self.rng.usize(..2000)),
            1 => (0..self.rng.usize(..12)).map(|_| self.rng.char(..)).collect(),
            _ => EDGE_CASE_TEXTS[self.rng.usize(..EDGE_CASE_TEXTS.len())].to_owned(),
        }
    }
}

/// Inputs as golden cases write them; the iterator never ends.
impl Iterator for RandomInputs {
    type Item = Value;

    fn next(&mut self) -> Option<Value> {
        let schema = std::mem::take(&mut self.schema);
        let name = match self.kind {
            Kind::Claims => "ClaimsRequest",
            Kind::WebhookTransform => "Delivery",
            Kind::Message => "OutgoingMessage",
        };
        let mut input = self.value(&schema, &schema["$defs"][name], 0);
        self.schema = schema;
        if let Some(id) = input.as_object_mut().and_then(|members| members.remove("deliveryId")) {
            input["id"] = id;
        }
        if self.kind == Kind::Message {
            let variables = input.as_object_mut().and_then(|members| members.remove("environmentVariables"));
            input = json!({ "message": input, "environmentVariables": variables.unwrap_or_else(|| json!({})) });
        }
        Some(input)
    }
}

/// A case with this input; its expected answer is not used.
///
/// # Errors
/// It is not a valid input.
pub fn case_of(input: Value) -> serde_json::Result<Case> {
    let input: Input = serde_json::from_value(input)?;
    Ok(Case {
        name: "made up".to_owned(),
        input,
        http: Vec::new(),
        cache: Vec::new(),
        instructions: None,
        expected: CaseAnswer::Claims(Map::new()),
    })
}

/// What is wrong for any input: a trap, an exceeded limit, a malformed answer, a reserved name. A failure that the
/// plugin reports, or a denial, is a valid answer.
#[must_use]
pub fn fault(report: &CaseReport) -> Option<String> {
    if !report.dropped.is_empty() {
        return Some(format!("it sets what is reserved: {}", report.dropped.join(", ")));
    }
    let told = matches!(report.outcome, "ok" | "denied" | "failed");
    match &report.actual {
        CaseAnswer::Failed(text) if !told => Some(format!("{}: {text}", report.outcome)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_makes_the_same_inputs_and_all_of_them_can_be_asked() -> serde_json::Result<()> {
        for kind in Kind::ALL {
            let (mut one, mut same, mut other) =
                (RandomInputs::new(kind, 7)?, RandomInputs::new(kind, 7)?, RandomInputs::new(kind, 8)?);
            let mut differ = false;
            for _ in 0..200 {
                let input = one.next();
                assert_eq!(input, same.next());
                differ |= input != other.next();
                let case = case_of(input.unwrap_or_default())?;
                assert!(case.input.check(kind).is_ok());
            }
            assert!(differ);
        }
        Ok(())
    }
}
