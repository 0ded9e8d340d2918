// expect: failed : numbers that no one can hold
export const getCustomJwtClaims = () => {
  return { a: { toJSON: () => 1e308 * 10 }, b: BigInt(2) ** 200000n };
};
