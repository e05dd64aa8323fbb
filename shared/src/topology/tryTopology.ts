// `POST /canary/try/topology`: what a sync of a spec would make, before it is saved.
import { z } from 'zod'

/** Components that an answer shows. */
export const MAX_TRIED_COMPONENTS = 500

export const TryTopologyRequestSchema = z.strictObject({
  spec: z.record(z.string(), z.unknown()),
  /** The stored topology whose secrets and components count. */
  topology_id: z.guid().optional(),
})

const CountSchema = z.number().int().min(0)

const CHANGES = ['new', 'unchanged', 'changed', 'moved', 'returned'] as const

const TriedComponentSchema = z.object({
  /** Of one that is there already. */
  id: z.string().nullable(),
  /** Place of its parent in the list; parents stand before their children. */
  parent: CountSchema.nullable(),
  name: z.string(),
  type: z.string().nullable(),
  text: z.string().nullable(),
  icon: z.string().nullable(),
  hidden: z.boolean(),
  change: z.enum(CHANGES),
  /** What it would be linked to. */
  checks: CountSchema,
  configs: CountSchema,
})
export type TriedComponent = z.output<typeof TriedComponentSchema>

export const TryTopologyResponseSchema = z.object({
  total: CountSchema,
  /** Of all, also of those that the answer does not list. */
  counts: z.record(z.enum(CHANGES), CountSchema),
  components: z.array(TriedComponentSchema),
  deleted: z.object({
    total: CountSchema,
    components: z.array(z.object({ id: z.string(), name: z.string(), type: z.string().nullable() })),
  }),
  /** What could not be used. */
  problems: z.array(z.string()),
})
export type TryTopologyResponse = z.output<typeof TryTopologyResponseSchema>
