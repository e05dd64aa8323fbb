import type { LogLine } from './createLogLines.ts'

/** Drops the heights of lines that left: they would stay for as long as the page is open. */
export function forgetSizes(sizes: Map<number | string | bigint, number>, lines: readonly LogLine[]): void {
  // Those that are here have one each at most: there is nothing to look for until there are more.
  if (sizes.size <= lines.length) return
  const known = new Set<number | string | bigint>(lines.map(({ id }, index) => id ?? index))
  for (const key of sizes.keys()) if (!known.has(key)) sizes.delete(key)
}
