import { z } from 'zod'

import type { Topic } from '../topic.ts'

const WaitingRunSchema = z.object({
  id: z.string(),
  created_at: z.string().nullish(),
  playbooks: z.object({ name: z.string(), title: z.string().nullish() }).nullish().catch(null),
  /** Ids of those whose word counts; null: of everyone who may run playbooks. */
  people: z.array(z.string()).nullable().catch(null),
  /** Ids of those who are not asked: they have said so already, or asked for the run where its playbook wants someone else. */
  without: z.array(z.string()).catch([]),
  /** Approvers that the playbook names and for whom nobody here can approve, as it names them. */
  unable: z.array(z.string()).catch([]),
})

/** A run that goes on only when people say so. */
export type WaitingRun = z.infer<typeof WaitingRunSchema>

/** Whether a run waits for this person's decision. */
export const isAwaited = ({ people, without }: WaitingRun, personId: string): boolean =>
  (people === null || people.includes(personId)) && !without.includes(personId)

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
