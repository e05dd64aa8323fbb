/** Per URL: proxies accept about 8,000 characters. */
const MAX_IDS = 100

/** The ids in lists short enough for one URL each. */
export const splitIds = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, at) => ids.slice(at * MAX_IDS, (at + 1) * MAX_IDS))
