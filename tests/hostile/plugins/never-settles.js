// expect: failed : awaits what nobody resolves
export const getCustomJwtClaims = () => {
  return new Promise(() => {});
};
