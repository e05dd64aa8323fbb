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
export type PlaybookName = z.infer<typeof PlaybookNameSchema>

const named = z.object({ id: z.string(), name: text, icon: text, type: text, config_class: text }).nullish()

/** A row of `playbook_runs` with what it refers to. */
export const PlaybookRunSchema = z.object({
  id: z.string(),
  playbook_id: z.string(),
  status: StatusSchema,
  created_at: text,
  start_time: text,
  scheduled_time: text,
  end_time: text,
  created_by: z.object({ id: z.string(), name: text, avatar: text }).nullish().catch(null),
  /** Values of parameters by name; secrets are `***`. */
  parameters: z.record(z.string(), z.unknown()).nullish().catch(null),
  check_id: text,
  config_id: text,
  component_id: text,
  agent_id: text,
  error: text,
  playbooks: z.object({ id: z.string(), name: text, title: text, icon: text, spec: z.unknown() }).nullish().catch(null),
  check: named,
  config: named,
  component: named,
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
  /** 1 for the first attempt; a retry is a row of its own. Absent on other servers. */
  attempt: z.number().nullish(),
})
export type PlaybookRunAction = z.infer<typeof PlaybookRunActionSchema>
