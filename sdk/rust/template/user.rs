//! {{name}}: what this function returns becomes claims of the token.

use claimsmith_plugin::{Claims, ClaimsPlugin, ClaimsRequest, Failure, claims_plugin, log};

struct Plugin;

impl ClaimsPlugin for Plugin {
    fn get_custom_jwt_claims(request: ClaimsRequest) -> Result<Claims, Failure> {
        let prefix = request.environment_variables.get("PREFIX").map_or("", String::as_str);

        // Tokens of applications themselves have no user.
        let Some(user) = request.context.user else {
            return Ok(Claims::new());
        };

        log::write(log::Level::Info, &format!("claims for {}", user.id));
        let name = user.name.or(user.username).unwrap_or(user.id);
        Ok([(format!("{prefix}display_name"), name.into())].into_iter().collect())
    }
}

claims_plugin!(Plugin);
