import { keepPreviousData, queryOptions, useQueryClient } from '@tanstack/react-query'
import {
  ExplanationSchema,
  type Rehearsal,
  type RehearsalDraft,
  RehearsalSchema,
  type RuleDraft,
  type RulePreview,
  RulePreviewSchema,
  SEND_STATUSES,
  SilencePreviewSchema,
  TransitionPageSchema,
} from '@watchroom/shared/notifications'
import { notificationsTopic, silencesTopic, transitionsTopic } from '@watchroom/shared/protocol'
import { z } from 'zod'

import { notificationKeys } from '../../api/queryKeys.ts'
import { errorText, request } from '../../api/request.ts'
import { defineTable, textFilter } from '../../api/tables.ts'
import { useOnBurst } from '../../live/useOnBurst.ts'
import { useTopic } from '../../live/useTopic.ts'

const text = z.string().nullish()
const NamedSchema = z.object({ id: z.string(), name: text }).nullish()
const TeamSchema = z.object({ id: z.string(), name: text, icon: text }).nullish()
const ServicesSchema = z
  .array(z.looseObject({ connection: text, name: text }))
  .nullish()
  .catch(null)

const shared = {
  id: z.string(),
  title: text,
  name: z.string(),
  events: z.array(z.string()),
  filter: text,
  person_id: text,
  team_id: text,
  custom_services: ServicesSchema,
  repeat_interval: text,
  source: text,
  created_by: NamedSchema,
  created_at: text,
  updated_at: text,
}
const EMBEDS = 'person:person_id(id,name,avatar),team:team_id(id,name,icon),created_by(id,name,avatar)'

const RuleSummarySchema = z.object({
  ...shared,
  person: NamedSchema,
  team: TeamSchema,
  pending: z.number(),
  sent: z.number(),
  failed: z.number(),
  avg_duration_ms: z.number().nullish(),
  most_common_error: text,
})
export type RuleSummary = z.infer<typeof RuleSummarySchema>

const RuleSchema = z.object({
  ...shared,
  error: text,
  deleted_at: text,
  template: text,
  properties: z.record(z.string(), z.unknown()).nullish().catch(null),
  /** Nanoseconds. */
  wait_for: z.number().nullish(),
  group_by: z.array(z.string()).nullish(),
})
export type Rule = z.infer<typeof RuleSchema>

/** The editable part of a rule. */
export const EnteredRuleSchema = RuleSchema.pick({
  title: true,
  events: true,
  filter: true,
  person_id: true,
  team_id: true,
  custom_services: true,
  properties: true,
  repeat_interval: true,
  wait_for: true,
  group_by: true,
  template: true,
})
export type EnteredRule = z.infer<typeof EnteredRuleSchema>

/** Rules with the results of their messages. */
export const ruleSummaryTable = defineTable({
  name: 'notifications_summary',
  row: RuleSummarySchema,
  select: `*,${EMBEDS}`,
})

/** Rules as they are edited. */
export const ruleTable = defineTable({
  name: 'notifications',
  row: RuleSchema,
  select: '*,created_by(id,name,avatar)',
  filter: 'deleted_at=is.null',
})

const SendSchema = z.object({
  id: z.string(),
  created_at: z.string(),
  source_event: z.string(),
  resource_type: text,
  resource_id: z.string(),
  resource: z.looseObject({ name: text, run_id: text }).nullish(),
  rule: text,
  recipient: text,
  status: z.enum(SEND_STATUSES).nullish().catch(null),
  transition: text,
  count: z.number(),
  duration_millis: z.number().nullish(),
  attempts: z.number(),
  due_at: text,
  title: text,
  body: text,
  error: text,
  silence: z.object({ id: z.string(), description: text, until: text }).nullish(),
})
export type Send = z.infer<typeof SendSchema>

/** What was sent, and what was not and why. */
export const sendTable = defineTable({ name: 'notification_send_history_summary', row: SendSchema })

const SilenceSchema = z.object({
  id: z.string(),
  description: text,
  from: z.string(),
  until: z.string(),
  recursive: z.boolean().nullish(),
  check: NamedSchema,
  canary: NamedSchema,
  component: NamedSchema,
  config: NamedSchema,
  created_by: NamedSchema,
  updated_at: text,
})
export type Silence = z.infer<typeof SilenceSchema>

const FOUND_CANARIES = 6

const SILENCED = ['check:check_id', 'canary:canary_id', 'component:component_id', 'config:config_id']
export const silenceTable = defineTable({
  name: 'notification_silences',
  row: SilenceSchema,
  select: `*,${SILENCED.map((embed) => `${embed}(id,name)`).join(',')},created_by(id,name)`,
  filter: 'deleted_at=is.null',
})

const CanarySchema = z.object({ id: z.string(), name: z.string(), namespace: text })
const canaryTable = defineTable({
  name: 'canaries',
  row: CanarySchema,
  select: 'id,name,namespace',
  filter: 'deleted_at=is.null',
})

/** The resource search does not cover canaries. */
export const canarySearchQuery = (search: string) =>
  canaryTable.listQuery({
    filters: textFilter('name', search),
    order: { by: 'name', direction: 'asc' },
    limit: FOUND_CANARIES,
  })

/** Reads rules and their messages again when something happens to a message. */
export function useLiveNotifications() {
  const queryClient = useQueryClient()
  const live = useTopic(notificationsTopic, {})
  useOnBurst([live.rows], () => {
    for (const table of [ruleSummaryTable, ruleTable, sendTable]) void table.invalidate(queryClient)
    void queryClient.invalidateQueries({ queryKey: notificationKeys.anyTransition })
  })
  return live
}

/** Reads transitions again when there are new ones, or a rule decides on one. */
export function useLiveTransitions() {
  const queryClient = useQueryClient()
  const live = useTopic(transitionsTopic, {})
  useOnBurst([live.rows], () => void queryClient.invalidateQueries({ queryKey: notificationKeys.anyTransition }))
  return live
}

/** Reads silences again when someone saves, adds or ends one. */
export function useLiveSilences() {
  const queryClient = useQueryClient()
  const live = useTopic(silencesTopic, {})
  useOnBurst([live.rows], () => void silenceTable.invalidate(queryClient))
  return live
}

export const previewRule = (draft: RuleDraft): Promise<RulePreview> =>
  request('/api/notification/preview', { method: 'POST', body: draft, schema: RulePreviewSchema })

export const rehearseRule = (draft: RehearsalDraft): Promise<Rehearsal> =>
  request('/api/notification/rehearse', { method: 'POST', body: draft, schema: RehearsalSchema })

interface TransitionsAsk {
  readonly resource: string
  readonly event: string
  readonly limit: number
  readonly offset: number
}

/** Transitions that rules may send messages about, newest first. */
export const transitionsQuery = ({ resource, event, limit, offset }: TransitionsAsk) =>
  queryOptions({
    queryKey: notificationKeys.transitions(resource, event, limit, offset),
    queryFn: ({ signal }) => {
      const query = new URLSearchParams({
        ...(resource !== '' && { resource_id: resource }),
        ...(event !== '' && { event }),
        limit: String(limit),
        offset: String(offset),
      })
      return request(`/api/notification/transitions?${query}`, { schema: TransitionPageSchema, signal })
    },
    placeholderData: keepPreviousData,
  })

export const explanationQuery = (id: string) =>
  queryOptions({
    queryKey: notificationKeys.explanation(id),
    queryFn: ({ signal }) =>
      request(`/api/notification/transitions/${encodeURIComponent(id)}`, { schema: ExplanationSchema, signal }),
  })

export const resend = (id: string): Promise<unknown> =>
  request(`/api/notification/history/${encodeURIComponent(id)}/resend`, { method: 'POST', schema: z.unknown() })

/** @returns those that were resent, and why the first of the others was not */
export async function resendAll(
  sends: readonly Send[],
): Promise<{ readonly resent: readonly Send[]; readonly fault: string | null }> {
  const outcomes = await Promise.allSettled(sends.map(({ id }) => resend(id)))
  const refused = outcomes.find((outcome) => outcome.status === 'rejected')
  return {
    resent: sends.filter((_, at) => outcomes[at]?.status === 'fulfilled'),
    fault: refused === undefined ? null : errorText(refused.reason),
  }
}

export interface SilencePeriod {
  readonly from: string
  readonly until: string
  readonly recursive: boolean
  readonly description: string
}

/** A silence was not added or changed; the message is for the person. */
class SilenceError extends Error {
  override readonly name = 'SilenceError'
}

/** @throws SilenceError in the words of the specification (third, section 8), with the reason */
export async function addSilence(about: Readonly<Record<string, string>>, period: SilencePeriod): Promise<void> {
  try {
    await request('/api/notification/silence', { method: 'POST', body: { ...about, ...period }, schema: z.unknown() })
  } catch (error) {
    throw new SilenceError(`Failed to silence notification: ${errorText(error)}`, { cause: error })
  }
}

/** By its table, which backends without a call for it have, too. @throws SilenceError when someone else changed or deleted it meanwhile */
export async function changeSilence(silence: Silence, values: Partial<SilencePeriod>): Promise<void> {
  const { kind } = await silenceTable.update(silence, values, ['updated_at'])
  if (kind === 'changed') throw new SilenceError('Someone changed this silence. Open it again.')
  if (kind === 'gone') throw new SilenceError('Someone deleted this silence.')
}

export const silencePreviewQuery = (about: Readonly<Record<string, string>>, recursive: boolean) =>
  queryOptions({
    queryKey: notificationKeys.silencePreview(about, recursive),
    queryFn: ({ signal }) =>
      request('/api/notification/silence/preview', {
        method: 'POST',
        body: { ...about, recursive },
        schema: SilencePreviewSchema,
        signal,
      }),
  })
