//! Routes outside of the Management API that are described while they are made, so that none is missing in the OpenAPI
//! description of its API.

use axum::Router;
use axum::handler::Handler;
use axum::routing::MethodRouter;
use claimsmith_management::inline_schemas;
use claimsmith_services::app::App;
use claimsmith_web::error::ApiErrorBody;
use claimsmith_web::routing::{self, ResponseFuture};
use utoipa::ToSchema;
use utoipa::openapi::path::{HttpMethod, OperationBuilder, ParameterBuilder, ParameterIn};
use utoipa::openapi::request_body::RequestBodyBuilder;
use utoipa::openapi::schema::{ComponentsBuilder, ObjectBuilder, Schema, Type};
use utoipa::openapi::security::{SecurityRequirement, SecurityScheme};
use utoipa::openapi::{
    ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, Paths, Ref, RefOr, Required, ResponseBuilder,
};

const JSON: &str = "application/json";

/// Routes, and the description of each.
pub(crate) struct DescribedRoutes {
    router: Router<App>,
    paths: Paths,
    schemas: Vec<(String, RefOr<Schema>)>,
    /// The error responses of every route: status and meaning.
    refusals: &'static [(&'static str, &'static str)],
    /// The name of the security scheme of every route.
    security: &'static str,
}

/// The description of a route.
pub(crate) struct Described {
    summary: &'static str,
    /// Name and meaning of its query parameters.
    query: Vec<(&'static str, &'static str)>,
    body: Option<(&'static str, Content)>,
    answers: Vec<(&'static str, &'static str, Option<Content>)>,
}

/// The content of a body, and the schemas that it refers to.
#[derive(Default)]
struct Content {
    schema: Option<RefOr<Schema>>,
    schemas: Vec<(String, RefOr<Schema>)>,
}

impl Content {
    fn of<T: ToSchema>() -> Self {
        let mut schemas = vec![(T::name().into_owned(), T::schema())];
        T::schemas(&mut schemas);
        Self { schema: Some(Ref::from_schema_name(T::name()).into()), schemas }
    }

    fn object() -> Self {
        Self { schema: Some(ObjectBuilder::new().schema_type(Type::Object).into()), schemas: Vec::new() }
    }
}

impl Described {
    /// A route without parameters, body and answers, which the other functions add.
    pub(crate) fn new(summary: &'static str) -> Self {
        Self { summary, query: Vec::new(), body: None, answers: Vec::new() }
    }

    /// An optional parameter of the query.
    pub(crate) fn query(mut self, name: &'static str, about: &'static str) -> Self {
        self.query.push((name, about));
        self
    }

    /// A body of JSON.
    pub(crate) fn body<T: ToSchema>(mut self) -> Self {
        self.body = Some((JSON, Content::of::<T>()));
        self
    }

    /// A body of JSON without a schema of its own: any object.
    pub(crate) fn object_body(mut self) -> Self {
        self.body = Some((JSON, Content::object()));
        self
    }

    /// A form with a file.
    pub(crate) fn file_body(mut self) -> Self {
        self.body = Some(("multipart/form-data", Content::object()));
        self
    }

    /// An answer without a body.
    pub(crate) fn answers(mut self, status: &'static str, about: &'static str) -> Self {
        self.answers.push((status, about, None));
        self
    }

    /// An answer with a body of JSON.
    pub(crate) fn returns<T: ToSchema>(mut self, status: &'static str, about: &'static str) -> Self {
        self.answers.push((status, about, Some(Content::of::<T>())));
        self
    }

    /// An answer with a body of JSON whose members `about` names.
    pub(crate) fn returns_json(mut self, status: &'static str, about: &'static str) -> Self {
        self.answers.push((status, about, Some(Content::object())));
        self
    }
}

macro_rules! methods {
    ($($name:ident = $method:ident),+ $(,)?) => {$(
        /// A route of this method.
        pub(crate) fn $name<T, H>(self, path: &str, handler: H, described: Described) -> Self
        where
            T: 'static,
            H: Handler<T, App, Future = ResponseFuture>,
        {
            self.on(HttpMethod::$method, path, std::any::type_name::<H>(), routing::$name(handler), described)
        }
    )+};
}

impl DescribedRoutes {
    /// No routes yet; each will have these refusals and this security scheme.
    pub(crate) fn new(security: &'static str, refusals: &'static [(&'static str, &'static str)]) -> Self {
        Self {
            router: Router::new(),
            paths: Paths::new(),
            schemas: vec![(ApiErrorBody::name().into_owned(), <ApiErrorBody as utoipa::PartialSchema>::schema())],
            refusals,
            security,
        }
    }

    methods!(get = Get, post = Post, put = Put, patch = Patch, delete = Delete);

    /// The same for a route with layers. `handler`: the path of the function, of which the operation's id is made.
    pub(crate) fn on(
        mut self,
        method: HttpMethod,
        path: &str,
        handler: &str,
        route: MethodRouter<App>,
        described: Described,
    ) -> Self {
        let Described { summary, query, body, answers } = described;
        let mut segments = handler.rsplit("::");
        let (function, module) = (segments.next().unwrap_or_default(), segments.next().unwrap_or_default());
        let mut operation = OperationBuilder::new()
            .summary(Some(summary))
            .operation_id(Some(format!("{module}_{function}")))
            .security(SecurityRequirement::new::<_, [&str; 0], &str>(self.security, []));
        let text = || ObjectBuilder::new().schema_type(Type::String);
        let parameters = path.split('/').filter_map(|part| part.strip_prefix('{')?.strip_suffix('}'));
        for name in parameters {
            let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Path);
            operation = operation.parameter(parameter.required(Required::True).schema(Some(text())));
        }
        for (name, about) in query {
            let parameter = ParameterBuilder::new().name(name).parameter_in(ParameterIn::Query);
            let parameter = parameter.required(Required::False).description(Some(about));
            operation = operation.parameter(parameter.schema(Some(text())));
        }
        if let Some((kind, content)) = body {
            let body = RequestBodyBuilder::new().content(kind, self.content(content)).required(Some(Required::True));
            operation = operation.request_body(Some(body.build()));
        }
        for (status, about, content) in answers {
            let mut response = ResponseBuilder::new().description(about);
            if let Some(content) = content {
                response = response.content(JSON, self.content(content));
            }
            operation = operation.response(status, response.build());
        }
        for (status, about) in self.refusals {
            let content = ContentBuilder::new().schema(Some(Ref::from_schema_name(ApiErrorBody::name()))).build();
            let response = ResponseBuilder::new().description(*about).content(JSON, content);
            operation = operation.response(*status, response.build());
        }
        self.paths.add_path_operation(path, vec![method], operation.build());
        self.router = self.router.route(path, route);
        self
    }

    fn content(&mut self, content: Content) -> utoipa::openapi::Content {
        self.schemas.extend(content.schemas);
        ContentBuilder::new().schema(content.schema).build()
    }

    /// The routes, and their description.
    pub(crate) fn finish(self, title: &str, about: &str, scheme: SecurityScheme) -> (Router<App>, OpenApi) {
        let info = InfoBuilder::new().title(title).version(env!("CARGO_PKG_VERSION")).description(Some(about));
        let components =
            ComponentsBuilder::new().schemas_from_iter(self.schemas).security_scheme(self.security, scheme).build();
        let description = OpenApiBuilder::new().info(info.build()).paths(self.paths).components(Some(components));
        let mut description = description.build();
        inline_schemas::resolve(&mut description);
        (self.router, description)
    }
}
