import { NIL_UUID } from '@watchroom/shared/kernel'

/** Where the definition of a check comes from, and whether it can be changed here. */
export type EditTarget =
  | { readonly kind: 'editable'; readonly href: string }
  /** Something else owns it: changes here would be overwritten. */
  | { readonly kind: 'owned'; readonly reason: string; readonly link: { text: string; href: string } | null }

interface Origin {
  canaryId: string
  /** Of the canary. */
  source: string | null | undefined
  agent: { id: string; name?: string | null | undefined } | null | undefined
}

/** Sources whose canaries people edit here; what the product brings along (`self`, `demo`) keeps a person's changes. */
const EDITABLE_SOURCES: ReadonlySet<string> = new Set(['', 'ui', 'self', 'demo'])

/** Reads the origin of a canary (backend reference: source column of settings rows). */
export function toEditTarget({ canaryId, source, agent }: Origin): EditTarget {
  if (agent && agent.id !== NIL_UUID) {
    const name = agent.name || 'another agent'
    return {
      kind: 'owned',
      reason: `Defined by the agent ${name}, which pushes it here. Change it there.`,
      link: { text: 'Agent', href: `/settings/agents?id=${agent.id}` },
    }
  }
  const origin = source ?? ''
  const [owner = '', id = ''] = origin.split('/', 2)
  if (EDITABLE_SOURCES.has(origin.toLowerCase())) {
    return { kind: 'editable', href: `/settings/canaries/${canaryId}` }
  }
  if (origin.toLowerCase() === 'push') {
    return { kind: 'owned', reason: 'Pushed from outside and defined there.', link: null }
  }
  if (origin === 'ConfigFile') {
    return { kind: 'owned', reason: 'Defined in a local file of the backend. Change it there.', link: null }
  }
  if (owner.startsWith('component') && id !== '') {
    return {
      kind: 'owned',
      reason: 'Defined by a component of the topology.',
      link: { text: 'Component', href: `/topology/${id}` },
    }
  }
  const configId = owner.startsWith('kubernetes') && id !== '' ? id : canaryId
  return {
    kind: 'owned',
    reason: 'Defined by a custom resource. A change here would be overwritten.',
    link: { text: 'CRD', href: `/catalog/${configId}` },
  }
}
