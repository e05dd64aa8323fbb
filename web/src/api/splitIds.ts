/** In one address: proxies take some 8,000 characters of it. */
const MAX_IDS = 100

/** Lists of ids, each of which one address can name. */
export const splitIds = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, at) => ids.slice(at * MAX_IDS, (at + 1) * MAX_IDS))
