import type { Resource } from '../access/index.ts'

/**
 * What `POST /resources/search` finds, and whose right to read opens it. The real server knows the first three; it leaves
 * out the others as it leaves out a kind of which nothing was found.
 */
export const SEARCH_KINDS = {
  checks: 'canaries',
  components: 'topologies',
  configs: 'database',
  incidents: 'incident',
  playbooks: 'playbooks',
  people: 'database',
  connections: 'connections',
} as const satisfies Record<string, Resource>
export type SearchKind = keyof typeof SEARCH_KINDS

export const SEARCH_KIND_NAMES = Object.keys(SEARCH_KINDS) as SearchKind[]
