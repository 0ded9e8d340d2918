//! `[limits]`: the limits of one plugin, where they differ from the server's defaults.

use crate::{Kind, Limits};
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// Limits that a manifest sets; absent ones are the server's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LimitSettings {
    /// Wall-clock milliseconds of one call.
    pub deadline_ms: Option<u32>,
    /// MiB of linear memory.
    pub memory_mib: Option<u32>,
    /// KiB of the JSON answer.
    pub output_kib: Option<u32>,
    /// Instructions of one golden case, unless the case names others. They are not counted in production.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub instructions: Option<u64>,
}

/// How far a manifest may raise a limit, unless an operator says otherwise. A call has no more time than all plugins of
/// one issuance share.
pub const MAX_LIMITS: Limits =
    Limits { deadline: Duration::from_secs(2), memory: 256 << 20, output: 64 << 10, log: 64 << 10 };

/// Bytes of the answer of a webhook transform or a message plugin: as many as a delivery may have. It cannot be raised.
const MAX_REQUEST_OUTPUT_BYTES: usize = 256 << 10;

impl LimitSettings {
    /// These limits of a plugin of this kind over `defaults`, none above `max`.
    #[must_use]
    pub fn over(&self, kind: Kind, defaults: &Limits, max: &Limits) -> Limits {
        let output = |limits: &Limits| match kind {
            Kind::Claims => limits.output,
            Kind::WebhookTransform | Kind::Message => MAX_REQUEST_OUTPUT_BYTES,
        };
        let deadline = self.deadline_ms.map_or(defaults.deadline, |ms| Duration::from_millis(ms.into()));
        let memory = self.memory_mib.map_or(defaults.memory, |mib| scaled(mib, 1 << 20));
        let wanted = self.output_kib.map_or(output(defaults), |kib| scaled(kib, 1 << 10));
        Limits {
            deadline: deadline.min(max.deadline),
            memory: memory.min(max.memory),
            output: wanted.min(output(max)),
            log: defaults.log,
        }
    }

    pub(super) fn check(&self) -> Result<(), (String, String)> {
        let all = [("deadline_ms", self.deadline_ms), ("memory_mib", self.memory_mib), ("output_kib", self.output_kib)];
        let zero = all.iter().find(|(_, value)| *value == Some(0)).map(|(key, _)| *key);
        match zero.or_else(|| (self.instructions == Some(0)).then_some("instructions")) {
            Some(key) => Err((format!("limits.{key}"), "a plugin cannot work with 0".to_owned())),
            None => Ok(()),
        }
    }
}

fn scaled(count: u32, unit: usize) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX).saturating_mul(unit)
}
