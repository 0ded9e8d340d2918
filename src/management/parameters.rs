//! Query parameters that many lists share, for their OpenAPI descriptions.

/// What a list is searched for.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct SearchParameters {
    /// A pattern (SQL `LIKE`) for any of the fields that can be searched; `search.FIELD` for one of them.
    #[param(required = false)]
    pub search: String,
    /// `like` (when not given), `exact`, `similar_to`, `posix`; `mode.FIELD` for one field.
    #[param(required = false)]
    pub mode: String,
    /// `or` (when not given) or `and`, between fields.
    #[param(required = false)]
    pub joint: String,
    /// `false` when not given.
    #[param(required = false, rename = "isCaseSensitive")]
    pub is_case_sensitive: bool,
}
