/** Where one check is shown, over the board. */
export const checkPath = (id: string): string => `/health?checkId=${encodeURIComponent(id)}`
