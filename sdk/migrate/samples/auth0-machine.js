// Machines are told which region they work for. Two of them may not ask for everything.
const limited = new Set(["reports", "mirror"]);

const regionOf = (client, { secrets }) => client.metadata.region ?? secrets["FALLBACK_REGION"];

exports.onExecuteCredentialsExchange = async (event, api) => {
  if (limited.has(event.client.name) && event.accessToken.scope.includes("orders:write")) {
    api.access.deny("invalid_scope", `${event.client.name} may only read.`);
    return;
  }
  api.accessToken.setCustomClaim("region", regionOf(event.client, event));
  api.accessToken.setCustomClaim("audience_seen", event.resource_server?.identifier ?? null);
};
