// expect: failed : an answer that nests 300 deep
export const getCustomJwtClaims = () => {
  let deep = {};
  for (let at = 0; at < 300; at += 1) deep = { deep };
  return deep;
};
