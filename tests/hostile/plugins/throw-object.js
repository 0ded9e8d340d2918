// expect: failed : throws something that is no error
export const getCustomJwtClaims = () => {
  throw { toString: () => { throw 1; }, get message() { throw 2; } };
};
