// A Rule, from before there were Actions.
function addDepartment(user, context, callback) {
  var allowed = configuration.DEPARTMENTS.split(",");
  user.app_metadata = user.app_metadata || {};
  var department = user.app_metadata.department;
  if (!department) {
    return callback(new UnauthorizedError("Without a department there is no way in."));
  }
  if (context.clientName !== "Intranet") {
    return callback(null, user, context);
  }
  for (i = 0; i < allowed.length; i++) {
    if (allowed[i] === department) context.accessToken["https://acme.example/department"] = department;
  }
  context.idToken["https://acme.example/department"] = department;
  callback(null, user, context);
}
