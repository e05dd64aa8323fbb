import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query'
import { z } from 'zod'

import { configChangeKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { useMayRead } from '../../api/useMayRead.ts'
import { checkPath } from '../../url/checkPath.ts'
import type { LaneWindow } from './lanes.ts'

/** Beside the changes: more would hide each other. */
const MAX_MARKS = 100

/** Something else that happened, with the page about it. */
export interface LaneEvent {
  readonly id: string
  readonly at: string
  readonly text: string
  readonly path: string
}

const toIso = (moment: number): string => encodeURIComponent(new Date(moment).toISOString())

function eventsQuery<Row>(
  view: 'incidents' | 'checks',
  { from, to }: LaneWindow,
  ask: { column: string; condition?: string; select: string; row: z.ZodType<Row>; toEvent: (row: Row) => LaneEvent },
) {
  const { column, condition = '', select, row, toEvent } = ask
  return queryOptions({
    queryKey: configChangeKeys.events(view, from, to),
    queryFn: async ({ signal }) => {
      const window = `${column}=gte.${toIso(from)}&${column}=lte.${toIso(to)}`
      const path = `/api/db/${view}?${window}${condition}&select=${select}&order=${column}.desc&limit=${MAX_MARKS}`
      return (await request(path, { schema: z.array(row), signal })).map(toEvent)
    },
    placeholderData: keepPreviousData,
  })
}

const incidentsQuery = (window: LaneWindow) =>
  eventsQuery('incidents', window, {
    column: 'created_at',
    select: 'id,title,created_at',
    row: z.object({ id: z.string(), title: z.string(), created_at: z.string() }),
    toEvent: ({ id, title, created_at: at }) => ({ id, at, text: `${title} opened`, path: `/incidents/${id}` }),
  })

/** A check stores only the time of its last transition. */
const transitionsQuery = (window: LaneWindow) =>
  eventsQuery('checks', window, {
    column: 'last_transition_time',
    condition: '&deleted_at=is.null',
    select: 'id,name,status,last_transition_time',
    row: z.object({
      id: z.string(),
      name: z.string().nullish(),
      status: z.string().nullish(),
      last_transition_time: z.string(),
    }),
    toEvent: ({ id, name, status, last_transition_time: at }) => ({
      id,
      at,
      text: `${name ?? 'Check'} became ${status ?? 'unknown'}`,
      path: checkPath(id),
    }),
  })

const NONE: readonly LaneEvent[] = []

/** Incidents and the last transitions of checks in a time span, if the person may read them and the areas are on. */
export function useLaneEvents(window: LaneWindow) {
  const mayRead = useMayRead()
  const { data: incidents = NONE } = useQuery({
    ...incidentsQuery(window),
    enabled: mayRead('incident', 'incidents'),
  })
  const { data: transitions = NONE } = useQuery({
    ...transitionsQuery(window),
    enabled: mayRead('canaries', 'health'),
  })
  return { incidents, transitions }
}
