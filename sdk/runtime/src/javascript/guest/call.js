// Whether a call is running, as opposed to the top-level code, whose state every call starts from.
export const call = { running: false };
