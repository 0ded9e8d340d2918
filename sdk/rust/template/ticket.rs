//! {{name}}: what this function returns becomes claims of the token.

use claimsmith_plugin::{Claims, ClaimsPlugin, ClaimsRequest, Failure, claims_plugin, log};

struct Plugin;

impl ClaimsPlugin for Plugin {
    fn get_custom_jwt_claims(request: ClaimsRequest) -> Result<Claims, Failure> {
        let prefix = request.environment_variables.get("PREFIX").map_or("", String::as_str);

        // What a backend said about an impersonation; of other tokens there is nothing to say.
        let Some(said) = request.context.grant.and_then(|grant| grant.subject_token_context) else {
            return Ok(Claims::new());
        };
        let Some(Some(ticket)) = said.get("ticketId") else {
            return Err(Failure::Denied("Name the ticket.".to_owned()));
        };

        let user = request.context.user.and_then(|user| user.username);
        log::write(log::Level::Info, &format!("acting for {}", user.unwrap_or_default()));
        Ok([(format!("{prefix}ticket_id"), ticket.clone())].into_iter().collect())
    }
}

claims_plugin!(Plugin);
