// expect: failed : one name of a megabyte
export const getCustomJwtClaims = () => {
  return { ["n".repeat(1 << 20)]: 1 };
};
