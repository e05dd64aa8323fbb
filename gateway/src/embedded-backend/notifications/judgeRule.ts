import { isUuid } from '@watchroom/shared/kernel'
// What keeps a rule from being written, whoever writes it. Of columns that are not written nothing is asked.
import {
  isGroupKey,
  NOTIFICATION_EVENTS,
  RuleDraftSchema,
  tryParseRepeatInterval,
} from '@watchroom/shared/notifications'
import { tryParseDuration } from '@watchroom/shared/time'
import { z } from 'zod'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { tryParseConnection } from '../secrets/resolveConnection.ts'
import type { JudgeRow } from '../server/judgeWrite.ts'
import { findFaults } from './previewRule.ts'

const RECIPIENTS = ['person_id', 'team_id', 'custom_services'] as const

const WrittenRuleSchema = z
  .object({
    ...RuleDraftSchema.shape,
    events: z
      .array(z.enum(NOTIFICATION_EVENTS, { error: ({ input }) => `${String(input)} is no event` }))
      .min(1, 'This field is required'),
    repeat_interval: z
      .string()
      .refine((text) => tryParseRepeatInterval(text) !== null, 'This is no length of time, for example 1h')
      .nullable(),
    /** Nanoseconds. */
    wait_for: z.number().min(0).nullable(),
    group_by: z
      .array(z.string().refine(isGroupKey, 'Known are type, status_reason, description, labels:name and tags:name'))
      .nullable(),
    properties: z
      .looseObject({
        fallback_after: z
          .string()
          .refine((text) => tryParseDuration(text) !== null, 'This is no length of time, for example 10m')
          .optional(),
      })
      .nullable(),
    person_id: z.unknown(),
    team_id: z.unknown(),
    custom_services: z
      .array(
        z.looseObject({
          // An address would show its credentials to everyone who reads rules.
          connection: z
            .string({ error: 'This field is required' })
            .refine((text) => isUuid(text) || tryParseConnection(text) !== null, 'This names no connection'),
        }),
      )
      .nullable(),
  })
  .partial()
  .superRefine((rule, context) => {
    const isNamed = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : (value ?? null) !== null)
    const [, second] = RECIPIENTS.filter((column) => isNamed(rule[column]))
    if (second !== undefined)
      context.addIssue({ code: 'custom', path: [second], message: 'A notification has one recipient.' })
  })

export function createRuleJudge(lookUp: LookUp): JudgeRow {
  return async (row) => {
    const parsed = WrittenRuleSchema.safeParse(row)
    if (!parsed.success) {
      const [issue] = parsed.error.issues
      return issue ? `${issue.path.join('.')}: ${issue.message}` : 'the rule cannot be read'
    }
    const { title, filter, template } = parsed.data
    const [fault] = await findFaults(lookUp, { events: [], title, filter, template })
    return fault ? `${fault.field}: ${fault.message}` : null
  }
}
