import { z } from 'zod'

import type { Topic } from '../topic.ts'

const WaitingRunSchema = z.object({
  id: z.string(),
  created_at: z.string().nullish(),
  playbooks: z.object({ name: z.string(), title: z.string().nullish() }).nullish().catch(null),
})

/** A run that goes on only when people say so. */
export type WaitingRun = z.infer<typeof WaitingRunSchema>

/** Runs that wait for approval, and those one of whose steps waits for people. On every screen of those who may approve: rows are few and short. */
export const waitingRunsTopic: Topic<Record<string, never>, WaitingRun> = {
  name: 'waitingRuns',
  params: z.record(z.string(), z.never()),
  row: WaitingRunSchema,
  key: 'id',
  resource: () => 'playbook_runs',
  source: () => 'playbook_runs?status=in.(pending,waiting)',
  quotes: ['playbooks'],
}
