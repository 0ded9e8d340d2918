// The names of the user's roles, for resource servers that decide by role.
//
// TypeScript works as it is: types are stripped when the file is loaded, not checked. They help your editor.

interface Role {
  name: string;
}

interface Request {
  context: { user?: { roles?: Role[] } };
  environmentVariables: { ROLES_CLAIM?: string };
}

export const getCustomJwtClaims = ({ context, environmentVariables }: Request): Record<string, string[]> => {
  // A token of an application itself represents no user.
  if (!context.user) return {};

  const { ROLES_CLAIM = "roles" } = environmentVariables;
  const names = (context.user.roles ?? []).map((role: Role) => role.name);

  // Sorted, so that the same roles always give the same token.
  return { [ROLES_CLAIM]: names.sort() };
};
