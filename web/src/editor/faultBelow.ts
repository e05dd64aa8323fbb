/** What is wrong with a place of a spec or the first thing below it. @param faults by dotted path */
export function faultBelow(faults: ReadonlyMap<string, string>, place: string): string | undefined {
  for (const [path, message] of faults) if (path === place || path.startsWith(`${place}.`)) return message
  return undefined
}
