// expect: denied : a denial whose text PostgreSQL would not keep
export const getCustomJwtClaims = async ({ api }) => api.denyAccess("no\u0000pe");
