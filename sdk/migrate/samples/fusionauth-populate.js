function departmentOf(user) {
  return user.data && user.data.department ? user.data.department : "none";
}

// Called when a user's token is made.
function populate(jwt, user, registration) {
  jwt.department = departmentOf(user);
  jwt.name = user.fullName;
  jwt.roles = jwt.roles.filter(function (role) { return role !== "internal"; });
  if (registration && registration.data.locale) {
    jwt.locale = registration.data.locale;
  }
  if (registration.roles.indexOf("internal") >= 0) {
    jwt.internal = true;
  }
  count = Object.keys(jwt).length;
  console.info("claims: " + count);
}
