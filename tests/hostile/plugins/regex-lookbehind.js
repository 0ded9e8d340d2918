// expect: issued : the same, looking behind
export const getCustomJwtClaims = () => {
  return { matches: /(?<=^(a|aa)+)c$/.test("a".repeat(60)) };
};
