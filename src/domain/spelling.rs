//! Enums of values that have a name on the wire and in the database: one table of spellings for each.

/// Defines an enum with the spelling of each value, for JSON, for texts and for columns.
macro_rules! spelled {
    ($(#[$about:meta])* pub enum $Type:ident { $($(#[$doc:meta])* $Value:ident = $spelling:tt,)+ }) => {
        $(#[$about])*
        pub enum $Type { $($(#[$doc])* #[serde(rename = $spelling)] $Value,)+ }

        impl $Type {
            /// All values, in the order of their definition.
            pub const ALL: [Self; [$($spelling),+].len()] = [$(Self::$Value),+];

            /// Its name on the wire and in the database.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$Value => $spelling),+ }
            }

            /// The value with this name.
            #[must_use]
            pub fn parse(name: &str) -> Option<Self> {
                Self::ALL.into_iter().find(|one| one.as_str() == name)
            }
        }
    };
}

pub(crate) use spelled;
