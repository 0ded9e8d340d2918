// expect: failed : an answer whose getter throws
export const getCustomJwtClaims = () => {
  return { get claim() { throw new Error("not yours"); } };
};
