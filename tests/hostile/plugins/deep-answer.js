// expect: failed : claims that nest deeper than any reader of them should go
export const getCustomJwtClaims = async () => {
  let deep = 1;
  for (let level = 0; level < 100; level += 1) deep = [deep];
  return { deep };
};
