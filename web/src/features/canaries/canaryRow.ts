import { toCanaryOrigin } from '@watchroom/shared/health'
import { assertNever } from '@watchroom/shared/kernel'
import { z } from 'zod'

/** Row of `canaries`: the definition that checks are made from. */
export const CanaryRowSchema = z.object({
  id: z.string(),
  name: z.string(),
  namespace: z.string().nullish(),
  labels: z.record(z.string(), z.unknown()).nullish(),
  spec: z.record(z.string(), z.unknown()),
  source: z.string().nullish(),
  agent_id: z.string().nullish(),
  agents: z.object({ id: z.string(), name: z.string().nullish() }).nullish(),
  updated_at: z.string().nullish(),
  deleted_at: z.string().nullish(),
})
export type CanaryRow = z.infer<typeof CanaryRowSchema>

/** Why a definition cannot be edited here, in words, with the place where it can. */
export interface ReadOnlyReason {
  readonly text: string
  readonly link?: { readonly to: string; readonly search?: Readonly<Record<string, string>>; readonly text: string }
}

/** Null when whoever may write checks may write this one. */
export function toReadOnlyReason(row: CanaryRow): ReadOnlyReason | null {
  if (row.deleted_at) return { text: 'This check was deleted.' }
  const origin = toCanaryOrigin({ id: row.id, source: row.source, agentId: row.agent_id })
  switch (origin.kind) {
    case 'here':
      return null
    case 'agent':
      return {
        text: 'This check is run by an agent and is defined there.',
        link: {
          to: '/settings/agents',
          search: { id: origin.agentId },
          text: `Linked to ${row.agents?.name ?? 'its agent'}`,
        },
      }
    case 'push':
      return { text: 'This check is pushed from outside and is defined there.' }
    case 'file':
      return { text: 'Linked to local file. Change it in the file it was read from.' }
    case 'component':
      return {
        text: 'This check belongs to a component of the topology and is defined there.',
        link: { to: `/topology/${encodeURIComponent(origin.componentId)}`, text: 'Open the component' },
      }
    case 'resource':
      return {
        text: 'This check comes from a resource in Kubernetes. Change it in the cluster or in its repository.',
        link: { to: `/catalog/${encodeURIComponent(origin.configId)}`, text: 'Open the resource' },
      }
    default:
      return assertNever(origin, 'origin of a canary')
  }
}
