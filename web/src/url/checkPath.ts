/** URL of a check's panel, over the board. */
export const checkPath = (id: string): string => `/health?checkId=${encodeURIComponent(id)}`
