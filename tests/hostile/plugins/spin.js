// expect: failed : runs without end
export const getCustomJwtClaims = () => {
  for (;;);
};
