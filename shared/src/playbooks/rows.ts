import { z } from 'zod'

import { StatusSchema } from './runStatus.ts'

const text = z.string().nullish()

/** A row of `playbook_names`: what lists and choosers show. */
export const PlaybookNameSchema = z.object({
  id: z.string(),
  name: z.string(),
  title: text,
  description: text,
  category: text,
  icon: text,
})

/** A row of `playbooks` as its card shows it. */
export const PlaybookCardSchema = PlaybookNameSchema.extend({ source: text, updated_at: text })
export type PlaybookCard = z.infer<typeof PlaybookCardSchema>

const named = z.object({ id: z.string(), name: text, icon: text, type: text, config_class: text }).nullish()
const face = z.object({ id: z.string(), name: text, avatar: text }).nullish().catch(null)

/** A row of `playbook_runs` as lists show it, with the names of what it refers to. */
export const PlaybookRunSummarySchema = z.object({
  id: z.string(),
  playbook_id: z.string(),
  status: StatusSchema,
  created_at: text,
  start_time: text,
  scheduled_time: text,
  end_time: text,
  created_by: face,
  check_id: text,
  config_id: text,
  component_id: text,
  agent_id: text,
  error: text,
  /** The step that failed last; absent where one run is read with all its steps. */
  failed: z
    .array(z.object({ name: z.string(), error: text }))
    .nullish()
    .catch(null),
  playbooks: z.object({ id: z.string(), name: text, title: text, icon: text }).nullish().catch(null),
  check: named,
  config: named,
  component: named,
})
export type PlaybookRunSummary = z.infer<typeof PlaybookRunSummarySchema>

/** A row of `playbook_runs` with what it refers to. */
export const PlaybookRunSchema = PlaybookRunSummarySchema.extend({
  /** Values of parameters by name; secrets are `***`. */
  parameters: z.record(z.string(), z.unknown()).nullish().catch(null),
  /** What the playbook said when the run was asked for; absent on older servers. */
  spec: z.unknown().optional(),
  playbooks: z
    .object({ id: z.string(), name: text, title: text, icon: text, spec: z.unknown().optional() })
    .nullish()
    .catch(null),
})
export type PlaybookRun = z.infer<typeof PlaybookRunSchema>

/** A row of `playbook_run_actions` without its result: a step as the list of steps shows it. */
export const PlaybookRunActionSchema = z.object({
  id: z.string(),
  name: z.string(),
  status: StatusSchema,
  start_time: text,
  scheduled_time: text,
  end_time: text,
  error: text,
  agent_id: text,
  /** 1 for the first attempt; a retry is a row of its own. Counted by the gateway: absent in rows of the table. */
  attempt: z.number().nullish(),
})
export type PlaybookRunAction = z.infer<typeof PlaybookRunActionSchema>

/** A row of `playbook_approvals`: who approved the run, or one of its steps. */
export const PlaybookApprovalSchema = z.object({
  id: z.string(),
  /** Null: of the whole run. */
  action_id: text,
  created_at: text,
  person: face,
})
export type PlaybookApproval = z.infer<typeof PlaybookApprovalSchema>

/** One row of what there is to one run: the run itself, a step, an approval. */
export const PlaybookRunPartSchema = z.discriminatedUnion('kind', [
  PlaybookRunSchema.extend({ kind: z.literal('run') }),
  PlaybookRunActionSchema.extend({ kind: z.literal('action') }),
  PlaybookApprovalSchema.extend({ kind: z.literal('approval') }),
])
export type PlaybookRunPart = z.infer<typeof PlaybookRunPartSchema>
