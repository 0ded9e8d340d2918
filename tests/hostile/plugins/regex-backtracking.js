// expect: failed : a pattern that tries everything
export const getCustomJwtClaims = () => {
  return { matches: /^(a+)+$/.test(`${"a".repeat(60)}b`) };
};
