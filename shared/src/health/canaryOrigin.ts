import { NIL_UUID } from '../kernel/index.ts'

/** Who owns the definition of a canary. Only what is defined `here` keeps a change made in the console. */
export type CanaryOrigin =
  | { readonly kind: 'here' }
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'push' }
  | { readonly kind: 'file' }
  | { readonly kind: 'component'; readonly componentId: string }
  /** A resource in Kubernetes, as the catalog knows it. */
  | { readonly kind: 'resource'; readonly configId: string }

/** Sources whose canaries people edit here; what the product brings along (`self`, `demo`) keeps a person's changes. */
const EDITABLE_SOURCES: ReadonlySet<string> = new Set(['', 'ui', 'self', 'demo'])

/** Reads the columns `source` and `agent_id` of a canary (backend reference: source column of settings rows). */
export function toCanaryOrigin(canary: {
  id: string
  source: string | null | undefined
  agentId: string | null | undefined
}): CanaryOrigin {
  if (canary.agentId && canary.agentId !== NIL_UUID) return { kind: 'agent', agentId: canary.agentId }
  const source = canary.source ?? ''
  const word = source.toLowerCase()
  if (EDITABLE_SOURCES.has(word)) return { kind: 'here' }
  if (word === 'push') return { kind: 'push' }
  if (source === 'ConfigFile') return { kind: 'file' }
  const [owner = '', ownerId = ''] = source.split('/', 2)
  if (owner.startsWith('component') && ownerId !== '') return { kind: 'component', componentId: ownerId }
  return { kind: 'resource', configId: owner.startsWith('kubernetes') && ownerId !== '' ? ownerId : canary.id }
}
