//! Durations and sizes in a configuration, for serde's `with`: integers in the unit that the key names.

macro_rules! unit {
    ($(#[$about:meta])* $name:ident, $type:ty, $of_number:expr, $to_number:expr) => {
        $(#[$about])*
        pub(super) mod $name {
            use serde::{Deserialize, Deserializer, Serialize, Serializer, de, ser};

            pub(crate) fn deserialize<'de, D: Deserializer<'de>>(input: D) -> Result<$type, D::Error> {
                let number = u32::deserialize(input)?;
                $of_number(number).ok_or_else(|| de::Error::custom("too large for this machine"))
            }

            pub(crate) fn serialize<S: Serializer>(value: &$type, output: S) -> Result<S::Ok, S::Error> {
                let number: u64 = $to_number(*value).ok_or_else(|| ser::Error::custom("too large"))?;
                number.serialize(output)
            }
        }
    };
}

unit!(
    /// A duration in seconds.
    seconds,
    std::time::Duration,
    |number: u32| Some(std::time::Duration::from_secs(number.into())),
    |value: std::time::Duration| Some(value.as_secs())
);
unit!(
    /// A duration in milliseconds.
    millis,
    std::time::Duration,
    |number: u32| Some(std::time::Duration::from_millis(number.into())),
    |value: std::time::Duration| u64::try_from(value.as_millis()).ok()
);
unit!(
    /// A size in units of 1024 bytes.
    kib,
    usize,
    |number: u32| usize::try_from(number).ok()?.checked_mul(1 << 10),
    |value: usize| u64::try_from(value >> 10).ok()
);
unit!(
    /// A size in units of 1024 * 1024 bytes.
    mib,
    usize,
    |number: u32| usize::try_from(number).ok()?.checked_mul(1 << 20),
    |value: usize| u64::try_from(value >> 20).ok()
);
