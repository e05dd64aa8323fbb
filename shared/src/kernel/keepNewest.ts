/** Takes out of a map what has been in it the longest, until it has at most `max` entries. */
export function keepNewest<Key>(entries: Map<Key, unknown>, max: number): void {
  for (const oldest of entries.keys()) {
    if (entries.size <= max) return
    entries.delete(oldest)
  }
}
