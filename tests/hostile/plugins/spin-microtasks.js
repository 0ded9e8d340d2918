// expect: failed : an endless chain of promises
export const getCustomJwtClaims = async () => {
  for (;;) await null;
};
