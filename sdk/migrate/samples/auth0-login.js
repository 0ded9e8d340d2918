/**
 * Post-login: roles, plan and shop of the customer go into the tokens.
 */
const NAMESPACE = "https://shop.example.com/";

// Which plans may use the back office. (There was a require("lodash") here once.)
const OFFICE_PLANS = ["team", "enterprise"];

exports.onExecutePostLogin = async (event, api) => {
  const { user_id, app_metadata } = event.user;
  plan = app_metadata.plan || event.secrets.DEFAULT_PLAN;

  if (event.client.metadata.audience === "office" && !OFFICE_PLANS.includes(plan)) {
    api.access.deny(`The plan ${plan} has no back office.`);
  }

  if (event.authorization) {
    api.accessToken
      .setCustomClaim(`${NAMESPACE}roles`, event.authorization.roles)
      .idToken.setCustomClaim(`${NAMESPACE}roles`, event.authorization.roles);
  }
  api.accessToken.setCustomClaim(`${NAMESPACE}plan`, plan);
  if (event.organization) {
    api.accessToken.setCustomClaim(`${NAMESPACE}shop`, event.organization.metadata.shop ?? event.organization.name);
  }
  if (event.resource_server && event.resource_server.identifier.endsWith("/export")) {
    const demand = "multifactor";
    api[demand].enable("any");
  }
  api.idToken.setCustomClaim(`${NAMESPACE}nickname`, event.user.nickname);
  console.log(`asked about ${user_id} by ${event.client.name} (${event.transaction.protocol})`);
};
