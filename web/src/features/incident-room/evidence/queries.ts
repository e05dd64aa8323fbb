import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type EvidenceView } from '@watchroom/shared/collab'
import { CheckStatusSchema } from '@watchroom/shared/health'
import type { Clock } from '@watchroom/shared/kernel'
import { useEffect, useMemo } from 'react'
import { z } from 'zod'

import { FRESH_MS } from '../../../api/queryClient.ts'
import { evidenceKeys } from '../../../api/queryKeys.ts'
import { request } from '../../../api/request.ts'
import { splitIds } from '../../../api/splitIds.ts'
import { textFilter } from '../../../api/tables.ts'
import { useIncidentPart } from '../../../collab/useIncident.ts'
import { systemClock } from '../../../live/clock.ts'
import { useScreenClock } from '../../../ui/clock.tsx'

const optionalText = z
  .string()
  .nullish()
  .transform((value) => value ?? null)

function embedded<Shape extends z.ZodRawShape>(shape: Shape) {
  return z
    .object({ id: z.string(), ...shape })
    .nullish()
    .catch(null)
    .transform((row) => row ?? null)
}

const EvidenceDetailsSchema = z.object({
  id: z.string(),
  components: embedded({ name: optionalText, status: optionalText, health: optionalText, deleted_at: optionalText }),
  configs: embedded({ name: optionalText, type: optionalText, deleted_at: optionalText }),
  config_changes: embedded({ change_type: optionalText, summary: optionalText, severity: optionalText }),
  config_analysis: embedded({
    analyzer: optionalText,
    summary: optionalText,
    message: optionalText,
    status: optionalText,
  }),
  checks: embedded({ name: optionalText, type: optionalText, status: optionalText, deleted_at: optionalText }),
})
/** Names of what a piece of evidence is about, as the backend has them now. */
export type EvidenceDetails = z.infer<typeof EvidenceDetailsSchema>

const SELECT = [
  'id',
  'components(id,name,status,health,deleted_at)',
  'configs(id,name,type,deleted_at)',
  'config_changes(id,change_type,summary,severity)',
  'config_analysis(id,analyzer,summary,message,status)',
  'checks(id,name,type,status,deleted_at)',
].join(',')

/** Requests of lists within this time, in milliseconds, are combined: all hypotheses may be open at once. */
const TOGETHER_MS = 20

type Details = ReadonlyMap<string, EvidenceDetails>
let question: { readonly ids: Set<string>; readonly answer: Promise<Details> } | null = null

function askTogether(ids: readonly string[]): Promise<Details> {
  question ??= beginQuestion()
  for (const id of ids) question.ids.add(id)
  return question.answer
}

function beginQuestion(): NonNullable<typeof question> {
  const ids = new Set<string>()
  const answer = new Promise<void>((resolve) => systemClock.schedule(resolve, TOGETHER_MS)).then(() => {
    question = null
    return ask([...ids])
  })
  return { ids, answer }
}

async function ask(ids: readonly string[]): Promise<Details> {
  const answers = await Promise.all(
    splitIds(ids).map((list) =>
      request(`/api/db/evidences?id=in.(${list.join(',')})&select=${encodeURIComponent(SELECT)}`, {
        schema: z.array(EvidenceDetailsSchema),
      }),
    ),
  )
  return new Map(answers.flat().map((row) => [row.id, row]))
}

/** Evidence that is not in the backend's tables yet is missing from the answer. */
export const evidenceDetailsQuery = (ids: readonly string[]) => {
  const sorted = ids.toSorted()
  return queryOptions({
    queryKey: evidenceKeys.details(sorted),
    queryFn: async (): Promise<Details> => {
      const answer = await askTogether(sorted)
      return new Map(
        sorted.flatMap((id) => {
          const found = answer.get(id)
          return found ? [[id, found]] : []
        }),
      )
    },
    enabled: ids.length > 0,
    staleTime: FRESH_MS.checkHistory,
    // Names stay while the list of evidence changes.
    placeholderData: keepPreviousData,
  })
}

/** Between two requests for evidence that is not in the tables yet, and the maximum number of them. */
const ASK_AGAIN_MS = 2_000
const MAX_ASKED = 15
/** Between two requests for the current states while they are shown: no topic announces them. */
const NOW_MS = 30_000
/** All lists of a page refresh at the same moments, so that their requests are combined. */
const untilNextLook = (clock: Clock): number => NOW_MS - (clock.monotonic() % NOW_MS)

const NO_DETAILS: Details = new Map()

/** Details of a list of evidence; asked for again once edits that were under way have reached the tables. */
export function useEvidenceDetails(evidence: readonly EvidenceView[]): ReadonlyMap<string, EvidenceDetails> {
  const ids = useMemo(() => evidence.map(({ id }) => id), [evidence])
  const { clock } = useScreenClock()
  const isSaved = useIncidentPart((room) => room.save.state === 'saved')
  const isComplete = (details: Details): boolean => ids.every((id) => details.has(id))
  const { data, isPlaceholderData, isError, refetch } = useQuery({
    ...evidenceDetailsQuery(ids),
    // Nothing announces when what others added reaches the tables.
    refetchInterval: ({ state }) =>
      state.data === undefined || isComplete(state.data) || state.dataUpdateCount >= MAX_ASKED
        ? untilNextLook(clock)
        : ASK_AGAIN_MS,
  })
  const isIncomplete = data !== undefined && !isPlaceholderData && !isComplete(data)
  useEffect(() => {
    if (isSaved && isIncomplete) void refetch()
  }, [isSaved, isIncomplete, refetch])
  return useMemo(() => {
    if (data !== undefined || !isError) return data ?? NO_DETAILS
    // The request failed: everything about them is unknown, not loading.
    return new Map(ids.map((id) => [id, EvidenceDetailsSchema.parse({ id })]))
  }, [data, isError, ids])
}

/** Changes of a config item that are counted; more are "many". */
export const MAX_CHANGES = 50

/** How many changes a config item has seen since a moment. */
export const changesSinceQuery = (configId: string, at: string) =>
  queryOptions({
    queryKey: evidenceKeys.changesSince(configId, at),
    queryFn: async ({ signal }) => {
      const moment = encodeURIComponent(new Date(at).toISOString())
      const path = `/api/db/config_changes?select=id&config_id=eq.${encodeURIComponent(configId)}&created_at=gt.${moment}&limit=${MAX_CHANGES}`
      return (await request(path, { schema: z.array(z.object({ id: z.string() })), signal })).length
    },
    staleTime: FRESH_MS.checkHistory,
    refetchInterval: NOW_MS,
  })

const ChangeSchema = z.object({
  id: z.string(),
  change_type: optionalText,
  severity: optionalText,
  source: optionalText,
  summary: optionalText,
  external_created_by: optionalText,
  diff: optionalText,
  details: z.unknown(),
  created_at: optionalText,
})

/** One change of a config item with all that is known of it; null when it is gone. */
export const configChangeQuery = (id: string, configId: string) =>
  queryOptions({
    queryKey: evidenceKeys.configChange(id),
    queryFn: async ({ signal }) => {
      const path = `/api/db/config_changes?id=eq.${encodeURIComponent(id)}&config_id=eq.${encodeURIComponent(configId)}&select=*`
      return (await request(path, { schema: z.array(ChangeSchema), signal }))[0] ?? null
    },
  })

const AnalysisSchema = z.object({
  id: z.string(),
  analyzer: optionalText,
  analysis_type: optionalText,
  severity: optionalText,
  status: optionalText,
  source: optionalText,
  summary: optionalText,
  message: optionalText,
  analysis: z.unknown(),
  first_observed: optionalText,
  last_observed: optionalText,
})

/** One insight with all that is known of it; null when it is gone. */
export const configAnalysisQuery = (id: string) =>
  queryOptions({
    queryKey: evidenceKeys.configAnalysis(id),
    queryFn: async ({ signal }) => {
      const path = `/api/db/config_analysis?id=eq.${encodeURIComponent(id)}&select=*`
      return (await request(path, { schema: z.array(AnalysisSchema), signal }))[0] ?? null
    },
  })

/** Matches offered to choose from (second specification, section 7). */
const MAX_MATCHES = 50

const FoundConfigSchema = z.object({ id: z.string(), name: optionalText, type: optionalText })

/** Config items whose name holds a text. */
export const configSearchQuery = (text: string) =>
  queryOptions({
    queryKey: evidenceKeys.configSearch(text),
    queryFn: ({ signal }) => {
      const path = `/api/db/configs?select=id,name,type&deleted_at=is.null&order=name.asc&limit=${MAX_MATCHES}${['', ...textFilter('name', text)].join('&')}`
      return request(path, { schema: z.array(FoundConfigSchema), signal })
    },
    staleTime: FRESH_MS.never,
  })

/** The last result of a check before a moment; null when there was none, or it is no longer kept. */
export const checkThenQuery = (checkId: string, at: string) =>
  queryOptions({
    queryKey: evidenceKeys.checkThen(checkId, at),
    queryFn: async ({ signal }) => {
      const moment = encodeURIComponent(new Date(at).toISOString())
      const path = `/api/db/check_statuses?check_id=eq.${encodeURIComponent(checkId)}&time=lte.${moment}&order=time.desc&limit=1`
      const rows = await request(path, { schema: z.array(CheckStatusSchema), signal })
      return rows[0] ?? null
    },
    // The past does not change.
    staleTime: FRESH_MS.default,
  })
