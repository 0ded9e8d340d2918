// expect: issued : names that look reserved and are not, and __proto__
export const getCustomJwtClaims = () => {
  return { "sub ": "a", "SUB": "b", "s\u0075b\u200b": "c", ["__proto__"]: { sub: "d" }, constructor: { prototype: { sub: "e" } } };
};
