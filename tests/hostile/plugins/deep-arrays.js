// expect: failed : an answer that nests 7000 deep, as text
export const getCustomJwtClaims = () => {
  return { a: { toJSON: () => JSON.parse("[".repeat(7000) + "]".repeat(7000)) } };
};
