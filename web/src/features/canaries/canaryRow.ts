import { NIL_UUID } from '@watchroom/shared/kernel'
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

/** Sources whose definitions people write in this console; `self` and `demo` come with the product and are theirs to change. */
const EDITABLE_SOURCES = new Set(['', 'ui', 'self', 'demo'])

/** Null when whoever may write checks may write this one. */
export function toReadOnlyReason(row: CanaryRow): ReadOnlyReason | null {
  const source = row.source ?? ''
  if (row.deleted_at) return { text: 'This check was deleted.' }
  if (row.agent_id && row.agent_id !== NIL_UUID) {
    return {
      text: 'This check is run by an agent and is defined there.',
      link: {
        to: '/settings/agents',
        search: { id: row.agent_id },
        text: `Linked to ${row.agents?.name ?? 'its agent'}`,
      },
    }
  }
  if (EDITABLE_SOURCES.has(source.toLowerCase())) return null
  if (source.toLowerCase() === 'push') return { text: 'This check is pushed from outside and is defined there.' }
  if (source === 'ConfigFile') return { text: 'Linked to local file. Change it in the file it was read from.' }
  const [kind = '', ownerId = ''] = source.split('/')
  if (kind === 'component') {
    return {
      text: 'This check belongs to a component of the topology and is defined there.',
      link: { to: `/topology/${encodeURIComponent(ownerId)}`, text: 'Open the component' },
    }
  }
  const configId = kind === 'kubernetes' && ownerId !== '' ? ownerId : row.id
  return {
    text: 'This check comes from a resource in Kubernetes. Change it in the cluster or in its repository.',
    link: { to: `/catalog/${encodeURIComponent(configId)}`, text: 'Open the resource' },
  }
}
