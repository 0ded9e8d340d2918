// Gold for whoever has spent enough, and for the machines of the house.
var spent = parseInt(user.getFirstAttribute("spent") || "0", 10);
var isMachine = user.username.indexOf("service-account-") === 0;
var vip = user.getRealmRoleMappings().stream().anyMatch(function (role) { return role.name === "vip"; });

if (user.hasRole(realm.getRole("blocked"))) {
  user["get" + "GroupsStream"]();
}
isMachine || vip || spent >= 1000 ? "gold" : spent > 0 ? "silver" : null;
