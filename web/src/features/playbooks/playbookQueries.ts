import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  type Parameter,
  ParameterSchema,
  type PlaybookCard,
  PlaybookCardSchema,
  PlaybookNameSchema,
  TARGET_KINDS,
  type TargetKind,
} from '@watchroom/shared/playbooks'
import { ofAnyAgent, type ResourceSelector } from '@watchroom/shared/resources'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { playbookKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { defineTable } from '../../api/tables.ts'
import type { PlaybookTarget } from './queries.ts'

const text = z.string().nullish()

const PlaybookRowSchema = PlaybookCardSchema.extend({
  /** As it was written. Absent in lists. */
  spec: z.record(z.string(), z.unknown()).optional().catch({}),
  deleted_at: text,
})
export type PlaybookRow = z.infer<typeof PlaybookRowSchema>

export const playbookTable = defineTable({
  name: 'playbooks',
  row: PlaybookRowSchema,
  select: 'id,name,title,category,description,icon,source,updated_at',
  selectOne: '*',
  filter: 'deleted_at=is.null',
})

/** As many as anyone has; the cards are found by search. */
const MAX_PLAYBOOKS = 2_000

const BY_TITLE = { order: { by: 'title', direction: 'asc' }, limit: MAX_PLAYBOOKS } as const

/** All cards by REST, for as long as the live link is down. */
export const fetchPlaybooks = (signal: AbortSignal): Promise<PlaybookCard[]> =>
  request(playbookTable.listPath(BY_TITLE), { schema: z.array(PlaybookCardSchema), signal })

/** What lists of runs can be narrowed to. */
const playbookNamesTable = defineTable({ name: 'playbook_names', row: PlaybookNameSchema })

export const playbookNamesQuery = playbookNamesTable.listQuery(BY_TITLE)

const keyOfTarget = ({ kind, id }: PlaybookTarget): Record<string, string> => ({ [`${kind}_id`]: id })

/** What a playbook asks for when it runs on a resource: defaults are what their templates say of it. */
export const parametersQuery = (id: string, target: PlaybookTarget) =>
  queryOptions({
    queryKey: playbookKeys.parameters(id, `${target.kind} ${target.id}`),
    queryFn: async ({ signal }): Promise<Parameter[]> => {
      const answer = await request(`/api/playbook/${encodeURIComponent(id)}/params`, {
        method: 'POST',
        body: { id, ...keyOfTarget(target) },
        schema: z.object({ params: z.array(ParameterSchema).nullish() }),
        signal,
      })
      return answer.params ?? []
    },
    staleTime: FRESH_MS.never,
  })

/** @returns id of the run */
export async function runPlaybook(
  id: string,
  target: PlaybookTarget | null,
  params: Readonly<Record<string, string>>,
): Promise<string> {
  const answer = await request('/api/playbook/run', {
    method: 'POST',
    body: { id, ...(target === null ? {} : keyOfTarget(target)), params },
    schema: z.object({ run_id: z.string() }),
  })
  return answer.run_id
}

const FoundSchema = z.object({ id: z.string(), name: text, type: text, namespace: text })
export type FoundResource = z.infer<typeof FoundSchema>
const FoundByKindSchema = z.object({
  configs: z.array(FoundSchema).nullish(),
  components: z.array(FoundSchema).nullish(),
  checks: z.array(FoundSchema).nullish(),
})

const LIST_OF = { config: 'configs', component: 'components', check: 'checks' } as const
/** Matches shown; a longer list is searched, not scrolled. */
const MAX_FOUND = 50

/** Resources of a kind that one of the selectors means, by the beginning of a text. */
export const resourcesQuery = (kind: TargetKind, selectors: readonly ResourceSelector[], text: string) =>
  queryOptions({
    queryKey: playbookKeys.options(kind, text.trim(), JSON.stringify(selectors)),
    queryFn: async ({ signal }): Promise<FoundResource[]> => {
      const found = await request('/api/resources/search', {
        method: 'POST',
        body: { limit: MAX_FOUND, [LIST_OF[kind]]: toSelectors(selectors, text.trim()) },
        schema: FoundByKindSchema,
        signal,
      })
      return found[LIST_OF[kind]] ?? []
    },
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })

/** While someone types, what they type is looked for within each selector (reference of the backend, 4.5). */
function toSelectors(selectors: readonly ResourceSelector[], text: string): ResourceSelector[] {
  const wanted = selectors.length === 0 ? [{ agent: 'all' }] : ofAnyAgent(selectors)
  return text === '' ? wanted : wanted.map(({ id: _, ...selector }) => ({ ...selector, search: text }))
}

/** One of them by its name, for whoever comes with an id. */
export const resourceNameQuery = ({ kind, id }: PlaybookTarget) => {
  const table = { config: 'config_items', component: 'components', check: 'checks' }[kind]
  return defineTable({ name: table, row: z.object({ id: z.string(), name: text }), select: 'id,name' }).oneQuery(id)
}

/** A JSON Schema of this server, by its path. */
export const jsonSchemaQuery = (path: string) =>
  queryOptions({
    queryKey: playbookKeys.schema(path),
    queryFn: ({ signal }) => request(path, { schema: z.record(z.string(), z.unknown()), signal }),
  })

export const isTargetKind = (kind: string): kind is TargetKind => TARGET_KINDS.some((known) => known === kind)
