//! The building blocks of the server, below its decisions: keys and tokens, plugins, webhooks, messages, passwords,
//! pictures, requests to other servers, limits. At the top is `app`, the shared state of a running server.

pub mod activity;
pub mod address_rate_limit;
pub mod app;
pub mod audit;
pub mod byte_budget;
pub mod captcha;
pub mod client_keys;
pub mod concurrency_limit;
pub mod connectors;
pub mod delivery_queue;
pub mod deployments;
pub mod egress;
pub mod encryption;
pub mod failures;
pub mod federation;
pub mod messages;
pub mod passkeys;
pub mod passwords;
pub mod pictures;
pub mod plugins;
pub mod refusal_sampling;
pub mod row_budgets;
pub mod stream_limit;
pub mod supervisor;
pub mod tokens;
pub mod unit_of_work;
pub mod verification_codes;
pub mod webhooks;
