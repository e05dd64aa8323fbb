import { queryOptions } from '@tanstack/react-query'
import { type LogLine, type LogPage, matchesWords, readLogPage, toWords } from '@watchroom/shared/logs'
import { z } from 'zod'

import { FRESH_MS } from '../../api/queryClient.ts'
import { logKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'

const NamedSchema = z.object({ id: z.string(), name: z.string() })
export type ComponentWithLogs = z.infer<typeof NamedSchema>

/** Components that have logs, by name. */
export const componentsWithLogsQuery = queryOptions({
  queryKey: logKeys.components,
  queryFn: ({ signal }) =>
    request('/api/db/components_with_logs?select=id,name&order=name.asc', { schema: z.array(NamedSchema), signal }),
})

const SelectorsSchema = z.array(
  z.object({
    log_selectors: z
      .array(z.object({ name: z.string() }))
      .nullish()
      .catch(null),
  }),
)

/** Names of the log selectors of a component; null when it is gone. */
export const logSelectorsQuery = (componentId: string) =>
  queryOptions({
    queryKey: logKeys.selectors(componentId),
    queryFn: async ({ signal }) => {
      const path = `/api/db/components?id=eq.${encodeURIComponent(componentId)}&select=log_selectors`
      const [component] = await request(path, { schema: SelectorsSchema, signal })
      return component === undefined ? null : (component.log_selectors ?? []).map(({ name }) => name)
    },
    enabled: componentId !== '',
  })

/** Body of `POST /logs`, without what is left to its defaults. */
export interface LogsAsk {
  readonly id: string
  readonly name: string
  readonly query?: string
  readonly start?: string
  readonly end?: string
  readonly limit?: number
  readonly page?: string
  readonly around?: string
}

const answer = z.unknown().transform((body) => readLogPage(body ?? {}))

export async function readLogs(ask: LogsAsk, signal?: AbortSignal): Promise<LogPage> {
  const page = await request('/api/logs', { method: 'POST', body: ask, schema: answer, signal })
  const words = toWords(ask.query ?? '')
  // Other backends return the newest lines regardless of the search.
  return page.results === undefined || words.length === 0
    ? page
    : { ...page, results: page.results.filter((line) => matchesWords(line, words)) }
}

/** Components whose log volume is checked. */
const MAX_ASKED = 6
const NOISE_RANGE = 'now-5m'

export interface Noise {
  readonly component: ComponentWithLogs
  readonly lines: number
}

/** The component that logs most at the moment; null if none does. */
export const noisiestQuery = (components: readonly ComponentWithLogs[]) => {
  const asked = components.slice(0, MAX_ASKED)
  return queryOptions({
    queryKey: logKeys.noisiest(asked.map(({ id }) => id)),
    queryFn: async ({ signal }): Promise<Noise | null> => {
      const noises = await Promise.allSettled(
        asked.map(async (component) => {
          const page = await readLogs({ id: component.id, name: '', start: NOISE_RANGE, limit: 1 }, signal)
          return { component, lines: page.total ?? page.results?.length ?? 0 }
        }),
      )
      const answered = noises.flatMap((noise) => (noise.status === 'fulfilled' ? [noise.value] : []))
      const [loudest] = answered.toSorted((a, b) => b.lines - a.lines)
      return loudest === undefined || loudest.lines === 0 ? null : loudest
    },
    enabled: asked.length > 0,
    staleTime: FRESH_MS.default,
  })
}

/** Lines of an export at most: some tens of megabytes in this page. */
const MAX_EXPORT = 20_000
const EXPORT_PAGE = 1_000

export interface ExportedLogs {
  /** Oldest first. */
  readonly lines: readonly LogLine[]
  /** There are older ones that were left out. */
  readonly isCut: boolean
}

/** Everything that a search finds, over all pages, up to a limit. */
export async function readAllLogs(ask: LogsAsk): Promise<ExportedLogs> {
  const lines: LogLine[] = []
  let page: string | undefined
  do {
    const next = await readLogs({ ...ask, limit: EXPORT_PAGE, ...(page === undefined ? {} : { page }) })
    lines.push(...(next.results ?? []))
    page = next.nextPage
  } while (page !== undefined && lines.length < MAX_EXPORT)
  return { lines: lines.slice(0, MAX_EXPORT).toReversed(), isCut: page !== undefined || lines.length > MAX_EXPORT }
}

/** As a file for people: a line each, with its time and its labels before what it says. */
export const toFileText = (lines: readonly Omit<LogLine, 'id'>[]): string =>
  lines
    .map(({ timestamp, labels, message }) => {
      const pairs = Object.entries(labels).map(([name, value]) => `${name}=${value}`)
      return `${[timestamp, ...pairs, message].filter(Boolean).join(' ')}\n`
    })
    .join('')
