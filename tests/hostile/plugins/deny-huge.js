// expect: denied : denies with a message of a megabyte
export const getCustomJwtClaims = ({ token, context, environmentVariables, api }) => {
  api.denyAccess("d".repeat(40000) + context);
};
