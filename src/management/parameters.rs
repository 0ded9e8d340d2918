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

/// The page of a list that is always in pages.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PageParameters {
    /// From 1
    #[param(required = false)]
    pub page: u32,
    /// 1 to 100, 20 when not given
    #[param(required = false)]
    pub page_size: u32,
}

/// The page of a list that is whole when no page is requested.
#[derive(utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct OptionalPageParameters {
    /// From 1
    #[param(required = false)]
    pub page: u32,
    /// 1 to 100
    #[param(required = false)]
    pub page_size: u32,
}
