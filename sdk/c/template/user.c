/* {{name}}: what this function answers becomes claims of the token. */

#include "shapes.h"

bool exports_plugin_get_custom_jwt_claims(plugin_claims_request_t *request, plugin_json_t *claims, plugin_failure_t *failure) {
  (void)failure;
  cs_writer answer = {0};

  /* Tokens of applications themselves have no user. */
  if (request->context.user.is_some) {
    const cs_text user = cs_of(request->context.user.val);
    cs_log(CLAIMSMITH_PLUGIN_LOG_LEVEL_INFO, cs_user_id(user));
    cs_text name = cs_user_name(user);
    if (!name.at || cs_is(name, "null")) name = cs_user_username(user);
    if (!name.at || cs_is(name, "null")) name = cs_user_id(user);
    if (name.at) cs_add(&answer, cs_variable(request->environment_variables, "PREFIX"), "display_name", name);
  }

  *claims = cs_object(&answer);
  return true;
}
