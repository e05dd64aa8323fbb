// Components as the backend answers them (backend reference 6.4). What cannot be read is absent: one odd field hides no card.
import { z } from 'zod'

const text = z.string().nullish().catch(null)
const figure = z.number().nullish().catch(null)
const flag = z.boolean().nullish().catch(null)
const ids = z.array(z.string()).nullish().catch(null)
const labels = z.record(z.string(), z.string()).nullish().catch(null)
const counts = z.record(z.string(), z.number()).nullish().catch(null)
const severities = z.record(z.string(), z.record(z.string(), z.number())).nullish().catch(null)

const LinkSchema = z.object({ type: text, url: z.string(), label: text, text, icon: text, tooltip: text })

export const ComponentPropertySchema = z.object({
  name: z.string(),
  label: text,
  /** Says whose it is, before the label. */
  namespace: text,
  tooltip: text,
  icon: text,
  type: text,
  color: text,
  order: figure,
  headline: flag,
  text,
  value: figure,
  unit: text,
  max: figure,
  min: figure,
  status: text,
  lastTransition: text,
  links: z.array(LinkSchema).nullish().catch(null),
})
export type ComponentProperty = z.infer<typeof ComponentPropertySchema>

/** The list without the ones that cannot be read. */
const properties = z
  .array(z.unknown())
  .transform((list) => list.flatMap((property) => ComponentPropertySchema.safeParse(property).data ?? []))
  .nullish()
  .catch(null)

const ComponentSummarySchema = z.object({
  healthy: figure,
  unhealthy: figure,
  warning: figure,
  mixed: figure,
  info: figure,
  unknown: figure,
  incidents: severities,
  /** Each once, where `incidents` counts evidence. Only our own backend says. */
  open_incidents: figure,
  insights: severities,
  checks: counts,
})

/** Something that fails, and the way to it from a component that is bad because of it. */
const CauseSchema = z.object({
  /** What was said of the component itself is a `component`; an expression of its own may make it bad, too. */
  kind: z.enum(['check', 'config', 'component', 'expression']),
  /** Of the check or the item; else of the component. */
  id: z.string(),
  name: z.string(),
  since: text,
  /** Components from the one below to the one that fails; empty where that is the bad one itself. */
  path: z.array(z.object({ id: z.string(), name: z.string() })),
})
export type Cause = z.infer<typeof CauseSchema>

export const ComponentFieldsSchema = z.object({
  id: z.string(),
  name: z.string().catch(''),
  text,
  topology_id: text,
  agent_id: text,
  parent_id: text,
  external_id: text,
  namespace: text,
  type: text,
  topology_type: text,
  icon: text,
  labels,
  hidden: flag,
  silenced: flag,
  status: text,
  health: text,
  status_reason: text,
  description: text,
  lifecycle: text,
  tooltip: text,
  owner: text,
  schedule: text,
  config_id: text,
  path: text,
  is_leaf: flag,
  logs: z
    .array(z.object({ name: text }))
    .nullish()
    .catch(null),
  properties,
  summary: ComponentSummarySchema.nullish().catch(null),
  /** Why it is bad: what failed first comes first. Only our own backend says. */
  because: z.array(CauseSchema).nullish().catch(null),
  children: ids,
  parents: ids,
  /** Of its parts as many are there as the page has no room for; hidden ones are counted apart. */
  more: figure,
  more_hidden: figure,
  cost_per_minute: figure,
  cost_total_1d: figure,
  cost_total_7d: figure,
  cost_total_30d: figure,
  created_by: text,
  created_at: text,
  updated_at: text,
  deleted_at: text,
})
export type Component = z.infer<typeof ComponentFieldsSchema> & { components?: Component[] | null | undefined }

export const ComponentSchema: z.ZodType<Component> = ComponentFieldsSchema.extend({
  components: z.lazy(() => z.array(ComponentSchema)).nullish(),
})

/** What `GET /canary/api/topology` answers. */
export const TopologyAnswerSchema = z.object({
  components: z.array(ComponentSchema).nullish(),
  healthStatuses: ids,
  teams: ids,
  types: ids,
  tags: z.record(z.string(), z.array(z.string())).nullish().catch(null),
  /** Where the next question may start (ADR 1). */
  cursor: text,
  /** As many stand beside the components at the top of the page as it has no room for. */
  more: figure,
  more_hidden: figure,
  /** Of a list these are different since the cursor that was asked with; of a page nothing is. */
  partial: flag,
})
export type TopologyAnswer = z.infer<typeof TopologyAnswerSchema>
