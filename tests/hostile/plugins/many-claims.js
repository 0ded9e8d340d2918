// expect: failed : answers a hundred thousand names
export const getCustomJwtClaims = () => {
  return Object.fromEntries(Array.from({ length: 100000 }, (_, at) => [`c${at}`, at]));
};
