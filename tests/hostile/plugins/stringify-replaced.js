// expect: failed : replaces what writes its answer
export const getCustomJwtClaims = () => {
  JSON.stringify = () => "{\"a\":".repeat(100000);
  return {};
};
