// expect: failed : denies with characters that not every database keeps
export const getCustomJwtClaims = ({ token, context, environmentVariables, api }) => {
  api.denyAccess("no\0\ud800\u001b[31m" + typeof context);
};
