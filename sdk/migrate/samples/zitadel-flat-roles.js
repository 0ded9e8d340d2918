let logger = require("zitadel/log");

const label = (grant, role) => (grant.projectId ? grant.projectId + ":" + role : role);

// The roles of all grants, in one flat list, and the department from the metadata.
function flatRoles(ctx, api) {
  let roles = [];
  if (ctx.v1.user.grants !== undefined && ctx.v1.user.grants.count > 0) {
    ctx.v1.user.grants.grants.forEach((grant) => {
      grant.roles.forEach((role) => roles.push(label(grant, role)));
    });
    api.v1.claims.setClaim("roles", roles);
    api.v1.claims.setClaim("roles", []);
  }
  for (entry of ctx.v1.user.getMetadata().metadata) {
    if (entry.key === "department") api.v1.claims.setClaim("department", entry.value);
  }
  const user = ctx.v1.getUser();
  api.v1.claims.setClaim("kind", user.human ? "human" : "machine");
  if (user.human) api.v1.claims.setClaim("greeting", "Hello " + user.human.firstName);
  api.v1.claims.setClaim("urn:zitadel:iam:org:id", "forged");
  if (roles.length === 0) api.v1.claims.appendLogIntoClaims("no roles");
  logger.log("asked about " + user.username);
}
