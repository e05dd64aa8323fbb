import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { type EvidenceView } from '@watchroom/shared/collab'
import { CheckStatusSchema } from '@watchroom/shared/health'
import { useEffect, useMemo } from 'react'
import { z } from 'zod'

import { FRESH_MS } from '../../../../api/queryClient.ts'
import { request } from '../../../../api/request.ts'
import { useIncidentPart } from '../../../../collab/useIncident.ts'

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
    queryKey: ['incidents', 'evidence-details', sorted.join(',')],
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

const NO_DETAILS: ReadonlyMap<string, EvidenceDetails> = new Map()

/** Details of a list of evidence; asked for again once edits that were under way have reached the tables. */
export function useEvidenceDetails(evidence: readonly EvidenceView[]): ReadonlyMap<string, EvidenceDetails> {
  const ids = useMemo(() => evidence.map(({ id }) => id), [evidence])
  const isSaved = useIncidentPart((room) => room.save.state === 'saved')
  const { data, isPlaceholderData, refetch } = useQuery(evidenceDetailsQuery(ids))
  const isIncomplete = data !== undefined && !isPlaceholderData && ids.some((id) => !data.has(id))
  useEffect(() => {
    if (isSaved && isIncomplete) void refetch()
  }, [isSaved, isIncomplete, refetch])
  return data ?? NO_DETAILS
}

/** The last result of a check before a moment; null when there was none, or it is no longer kept. */
export const checkThenQuery = (checkId: string, at: string) =>
  queryOptions({
    queryKey: ['incidents', 'check-then', checkId, at],
    queryFn: async ({ signal }) => {
      const moment = encodeURIComponent(new Date(at).toISOString())
      const path = `/api/db/check_statuses?check_id=eq.${encodeURIComponent(checkId)}&time=lte.${moment}&order=time.desc&limit=1`
      const rows = await request(path, { schema: z.array(CheckStatusSchema), signal })
      return rows[0] ?? null
    },
    // The past does not change.
    staleTime: FRESH_MS.default,
  })
