import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type EvidenceView } from '@watchroom/shared/collab'
import { CheckStatusSchema } from '@watchroom/shared/health'
import { useEffect, useMemo } from 'react'
import { z } from 'zod'

import { FRESH_MS } from '../../../api/queryClient.ts'
import { evidenceKeys } from '../../../api/queryKeys.ts'
import { request } from '../../../api/request.ts'
import { textFilter } from '../../../api/tables.ts'
import { useIncidentPart } from '../../../collab/useIncident.ts'

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
  components: embedded({ name: optionalText, status: optionalText, health: optionalText }),
  configs: embedded({ name: optionalText, type: optionalText }),
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
  'components(id,name,status,health)',
  'configs(id,name,type)',
  'config_changes(id,change_type,summary,severity)',
  'config_analysis(id,analyzer,summary,message,status)',
  'checks(id,name,type,status,deleted_at)',
].join(',')

/** Ids in one question: an address of more than some 8,000 characters is refused on the way. */
const MAX_IDS = 150

/** One question for a whole list. Evidence that is not in the backend's tables yet is missing from the answer. */
export const evidenceDetailsQuery = (ids: readonly string[]) => {
  const sorted = ids.toSorted()
  const count = Math.ceil(sorted.length / MAX_IDS)
  const lists = Array.from({ length: count }, (_, index) => sorted.slice(index * MAX_IDS, (index + 1) * MAX_IDS))
  return queryOptions({
    queryKey: evidenceKeys.details(sorted),
    queryFn: async ({ signal }): Promise<ReadonlyMap<string, EvidenceDetails>> => {
      const ask = (list: readonly string[]) =>
        request(`/api/db/evidences?id=in.(${list.join(',')})&select=${encodeURIComponent(SELECT)}`, {
          schema: z.array(EvidenceDetailsSchema),
          signal,
        })
      const rows = (await Promise.all(lists.map(ask))).flat()
      return new Map(rows.map((row) => [row.id, row]))
    },
    enabled: ids.length > 0,
    // Names stay while a piece of evidence more or less is asked for.
    placeholderData: keepPreviousData,
  })
}

/** Between two questions for evidence that the tables do not have yet, and how many there are. */
const ASK_AGAIN_MS = 2_000
const MAX_ASKED = 15

const NO_DETAILS: ReadonlyMap<string, EvidenceDetails> = new Map()

/** Details of a list of evidence; asked for again once edits that were under way have reached the tables. */
export function useEvidenceDetails(evidence: readonly EvidenceView[]): ReadonlyMap<string, EvidenceDetails> {
  const ids = useMemo(() => evidence.map(({ id }) => id), [evidence])
  const isSaved = useIncidentPart((room) => room.save.state === 'saved')
  const isComplete = (details: ReadonlyMap<string, EvidenceDetails>): boolean => ids.every((id) => details.has(id))
  const { data, isPlaceholderData, isError, refetch } = useQuery({
    ...evidenceDetailsQuery(ids),
    // What others added reaches the tables at a moment that nobody tells us.
    refetchInterval: ({ state }) =>
      state.data === undefined || isComplete(state.data) || state.dataUpdateCount >= MAX_ASKED ? false : ASK_AGAIN_MS,
  })
  const isIncomplete = data !== undefined && !isPlaceholderData && !isComplete(data)
  useEffect(() => {
    if (isSaved && isIncomplete) void refetch()
  }, [isSaved, isIncomplete, refetch])
  return useMemo(() => {
    if (data !== undefined || !isError) return data ?? NO_DETAILS
    // There will be no answer: everything about them is unknown, and not on its way.
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

/** @throws RequestError, also when they are linked already */
export async function linkToConfig(componentId: string, configId: string): Promise<void> {
  const body = { component_id: componentId, config_id: configId, selector_id: 'manual' }
  await request('/api/db/config_component_relationships', { method: 'POST', body, schema: z.unknown() })
}

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
