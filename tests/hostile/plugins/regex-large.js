// expect: failed : a pattern of a megabyte
export const getCustomJwtClaims = () => {
  return { matches: new RegExp("(a|b?)".repeat(200000)).test("a".repeat(1000)) };
};
