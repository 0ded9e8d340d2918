/**
 * Realm roles without Keycloak's own, in capitals.
 */
var ArrayList = Java.type("java.util.ArrayList");
var roles = new ArrayList();

user.getRealmRoleMappingsStream().forEach(function (role) {
  var name = role.getName();
  if (name.indexOf("default-roles-") !== 0 && name !== "offline_access") {
    roles.add(name.toUpperCase());
  }
});

var stores = user.getAttributeStream("store").toArray();
if (stores.length > 0) {
  token.getOtherClaims().put("stores", Java.to(stores, "java.lang.String[]"));
}
full = user.getFirstName() + " " + user.lastName;
token.setOtherClaims("display", full.trim() + " (" + keycloakSession.getContext().getClient().getClientId() + ")");

exports = roles;
