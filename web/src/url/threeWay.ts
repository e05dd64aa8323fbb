/** A three-way filter: 1 includes, -1 excludes; what is in neither state (0) has no entry. */
export type ThreeWayChoice = 1 | -1
export type ThreeWayFilter = ReadonlyMap<string, ThreeWayChoice>

// Commas separate the entries and a colon separates key and state, so keys that contain them are escaped.
const encodeKey = (key: string): string => key.replaceAll(':', '____').replaceAll(',', '||||')
const decodeKey = (text: string): string => text.replaceAll('____', ':').replaceAll('||||', ',')

/** Reads `key:1,other:-1` and the form that people see, `key,!other`. Entries in any state but 1 and -1 are dropped. */
export function parseThreeWay(text: string): ThreeWayFilter {
  const filter = new Map<string, ThreeWayChoice>()
  for (const entry of text.split(',')) {
    const [, mark, key, , state] = /^(!?)([^:]*)(:(.*))?$/.exec(entry.trim()) ?? []
    if (!key) continue
    const choice = state === undefined ? (mark === '!' ? '-1' : '1') : state
    if (choice === '1' || choice === '-1') filter.set(decodeKey(key), choice === '1' ? 1 : -1)
  }
  return filter
}

/** `key:1,other:-1`: the form in the URL. Empty when nothing is chosen. */
export function stringifyThreeWay(filter: ThreeWayFilter): string {
  return Array.from(filter, ([key, choice]) => `${encodeKey(key)}:${choice}`).join()
}

/** How one entry is shown: excluded with a leading `!`. */
export function toThreeWayText(text: string, choice: ThreeWayChoice): string {
  return choice === -1 ? `!${text}` : text
}
