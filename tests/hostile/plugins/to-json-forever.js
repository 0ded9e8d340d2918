// expect: failed : an answer whose toJSON answers itself
export const getCustomJwtClaims = () => {
  const again = () => ({ toJSON: again, a: again });
  for (;;) JSON.stringify({ a: { toJSON: again } });
};
