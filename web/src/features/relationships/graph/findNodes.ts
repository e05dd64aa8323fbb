import type { RelatedConfig } from '@watchroom/shared/catalog'

/** Ids of the items whose name or type contains a text, by name. */
export function findNodes(rows: readonly RelatedConfig[], text: string): string[] {
  const wanted = text.trim().toLowerCase()
  if (wanted === '') return []
  return rows
    .filter(({ name, type }) => `${name ?? ''} ${type}`.toLowerCase().includes(wanted))
    .toSorted((one, other) => (one.name ?? '').localeCompare(other.name ?? ''))
    .map(({ id }) => id)
}
