import { assertNever } from '@watchroom/shared/kernel'
import { type FeatureArea, toSettingsOrigin } from '@watchroom/shared/settings'

/** A page, and the area it disappears with when that is switched off. */
interface Place {
  readonly href: string
  readonly area: FeatureArea
}

/** Where the definition of a check comes from, and whether it can be changed here. */
export type EditTarget =
  | ({ readonly kind: 'editable' } & Place)
  /** Something else owns it: changes here would be overwritten. */
  | { readonly kind: 'owned'; readonly reason: string; readonly link: ({ readonly text: string } & Place) | null }

interface Origin {
  canaryId: string
  /** Of the canary. */
  source: string | null | undefined
  agent: { id: string; name?: string | null | undefined } | null | undefined
}

export function toEditTarget({ canaryId, source, agent }: Origin): EditTarget {
  const origin = toSettingsOrigin({ id: canaryId, source, agentId: agent?.id })
  switch (origin.kind) {
    case 'here':
      return { kind: 'editable', href: `/settings/canaries/${canaryId}`, area: 'settings.health' }
    case 'agent':
      return {
        kind: 'owned',
        reason: `Defined and run by ${agent?.name ? `the agent ${agent.name}` : 'another agent'}: change it there.`,
        link: { text: 'Agent', href: `/settings/agents?id=${origin.agentId}`, area: 'agents' },
      }
    case 'push':
      return { kind: 'owned', reason: 'Pushed from outside and defined there.', link: null }
    case 'file':
      return { kind: 'owned', reason: 'Defined in a local file of the backend. Change it there.', link: null }
    case 'component':
      return {
        kind: 'owned',
        reason: 'Defined by a component of the topology.',
        link: { text: 'Component', href: `/topology/${origin.componentId}`, area: 'topology' },
      }
    case 'resource':
      return {
        kind: 'owned',
        reason: 'Defined by a custom resource. A change here would be overwritten.',
        link: { text: 'CRD', href: `/catalog/${origin.configId}`, area: 'config' },
      }
    default:
      return assertNever(origin, 'origin of a canary')
  }
}
