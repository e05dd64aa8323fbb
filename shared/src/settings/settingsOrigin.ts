import { assertNever, NIL_UUID } from '../kernel/index.ts'

/** Who owns the definition of a settings row. Only what is defined `here` keeps a change made in the console. */
export type SettingsOrigin =
  | { readonly kind: 'here' }
  | { readonly kind: 'agent'; readonly agentId: string }
  | { readonly kind: 'push' }
  | { readonly kind: 'file' }
  | { readonly kind: 'component'; readonly componentId: string }
  /** A resource in Kubernetes, as the catalog knows it. */
  | { readonly kind: 'resource'; readonly configId: string }

/** Sources whose rows people edit here; what the product brings along (`self`, `demo`) keeps a person's changes. */
const EDITABLE_SOURCES: ReadonlySet<string> = new Set(['', 'ui', 'self', 'demo'])

/** Reads the columns `source` and `agent_id` (backend reference: source column of settings rows). */
export function toSettingsOrigin(row: {
  id: string
  source: string | null | undefined
  agentId: string | null | undefined
}): SettingsOrigin {
  if (row.agentId && row.agentId !== NIL_UUID) return { kind: 'agent', agentId: row.agentId }
  const source = row.source ?? ''
  const word = source.toLowerCase()
  if (EDITABLE_SOURCES.has(word)) return { kind: 'here' }
  if (word === 'push') return { kind: 'push' }
  if (source === 'ConfigFile') return { kind: 'file' }
  const [owner = '', ownerId = ''] = source.split('/', 2)
  if (owner.startsWith('component') && ownerId !== '') return { kind: 'component', componentId: ownerId }
  return { kind: 'resource', configId: owner.startsWith('kubernetes') && ownerId !== '' ? ownerId : row.id }
}

/** Why something cannot be edited here, in words, with the place where it can. */
export interface ReadOnlyReason {
  readonly text: string
  readonly link?: { readonly to: string; readonly search?: Readonly<Record<string, string>>; readonly text: string }
}

interface OwnedRow {
  readonly id: string
  readonly source?: string | null | undefined
  readonly agent_id?: string | null | undefined
  readonly deleted_at?: string | null | undefined
}

/**
 * Null when whoever may write the table may write this row.
 *
 * @param noun what the row is, for example `check`
 */
export function toReadOnlyReason(noun: string, row: OwnedRow, agentName?: string | null): ReadOnlyReason | null {
  if (row.deleted_at) return { text: `This ${noun} was deleted.` }
  const origin = toSettingsOrigin({ id: row.id, source: row.source, agentId: row.agent_id })
  switch (origin.kind) {
    case 'here':
      return null
    case 'agent':
      return {
        text: `This ${noun} belongs to an agent and is defined there.`,
        link: {
          to: '/settings/agents',
          search: { id: origin.agentId },
          text: `Linked to ${agentName ?? 'its agent'}`,
        },
      }
    case 'push':
      return { text: `This ${noun} is pushed from outside and is defined there.` }
    case 'file':
      return { text: 'Linked to local file. Change it in the file it was read from.' }
    case 'component':
      return {
        text: `This ${noun} belongs to a component of the topology and is defined there.`,
        link: { to: `/topology/${encodeURIComponent(origin.componentId)}`, text: 'Open the component' },
      }
    case 'resource':
      return {
        text: `This ${noun} comes from a resource in Kubernetes. Change it in the cluster or in its repository.`,
        link: { to: `/catalog/${encodeURIComponent(origin.configId)}`, text: 'Open the resource' },
      }
    default:
      return assertNever(origin, 'origin of a settings row')
  }
}

interface AgentRow {
  readonly agent?: { readonly id: string; readonly name?: string | null | undefined } | null | undefined
}

/** Who defines a row, in a word or by name. */
export function toOriginWord({ id, source, agent_id, agent }: OwnedRow & AgentRow): string {
  const origin = toSettingsOrigin({ id, source, agentId: agent_id ?? agent?.id })
  switch (origin.kind) {
    case 'here':
      return source ?? ''
    case 'agent':
      return agent?.name ?? 'Agent'
    case 'push':
      return 'Pushed'
    case 'file':
      return 'Local file'
    case 'component':
      return 'Component'
    case 'resource':
      return 'Kubernetes'
    default:
      return assertNever(origin, 'origin of a settings row')
  }
}
