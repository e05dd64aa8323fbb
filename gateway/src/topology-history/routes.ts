// The past of the topology over HTTP: a page as it was, what happened in a range, and what differs between two instants.
import { TOPOLOGY_HISTORY_ROUTES, TOPOLOGY_NEWS_ROUTES } from '@watchroom/shared/access'
import type { Clock } from '@watchroom/shared/kernel'
import { topologyTopic } from '@watchroom/shared/protocol'
import {
  type Burst,
  cutTopology,
  isComponentSort,
  RecordedBurstsSchema,
  SHOWN_CARDS,
  SHOWN_LEVELS,
  type TopologyQuery,
} from '@watchroom/shared/topology'
import {
  InstantSchema,
  NAMED_BELOW,
  PastDiffSchema,
  PastPageSchema,
  PastTransitionsSchema,
  type RecordedEstate,
  SHOWN_DIFFERENCES,
  toEstateDiff,
  toPastEstate,
  toRecordedBursts,
} from '@watchroom/shared/topology/history'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { z } from 'zod'

import type { Identity, Sights } from '../access/contract.ts'
import { createBatcher } from '../platform/createBatcher.ts'
import { CodedError } from '../platform/errors.ts'
import { createDefineRoute, registerRoutes, type RoutePolicy, type RouteTable } from '../platform/http/defineRoute.ts'
import type { HistoryStore } from './createHistoryStore.ts'
import { topologyHistoryErrors } from './errors.ts'

const MAX_LISTED = 1_000
/** What is older is history, not news. */
const RECENT_MS = 10 * 60_000
const MAX_DIFFERENCES = 100_000
/** Cards that someone has gone on to. */
const MAX_CARDS = 100_000

export interface TopologyHistoryRoutesDeps {
  readonly store: HistoryStore
  /** Without a database nothing is recorded. */
  readonly hasDatabase: boolean
  readonly sights: Pick<Sights, 'showsAll'>
  readonly clock: Clock
  readonly policy: RoutePolicy<Identity>
}

/** How far the clock of whoever asks may be ahead. */
const AHEAD_MS = 60_000

const id = z.guid().optional()
/** `All` lets everything through, as in the topology of now. */
const word = z
  .string()
  .max(1_000)
  .optional()
  .transform((text) => (text === 'All' ? undefined : text))

const PageQuerySchema = z.object({
  at: InstantSchema,
  id,
  status: word,
  type: word,
  agent_id: word,
  labels: z
    .string()
    .max(2_000)
    .refine(
      (text) => text === '' || text.split(',').every((pair) => pair.indexOf('=') > 0),
      'Must be pairs such as tier=1',
    )
    .optional(),
  hidden: z.enum(['true', 'false']).default('true'),
  sortBy: z
    .string()
    .refine(isComponentSort, 'Must be status, name, type, updated_at or field:<name>')
    .default('status'),
  sortOrder: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(MAX_CARDS).default(SHOWN_CARDS),
})
const RangeSchema = z.object({ from: InstantSchema, to: InstantSchema, id })
const TransitionsQuerySchema = RangeSchema.extend({
  order: z.enum(['asc', 'desc']).default('desc'),
  limit: z.coerce.number().int().min(1).max(MAX_LISTED).default(MAX_LISTED),
})

const BurstsQuerySchema = z.object({ id, hidden: z.enum(['true', 'false']).default('false') })

const DiffQuerySchema = RangeSchema.extend({
  limit: z.coerce.number().int().min(1).max(MAX_DIFFERENCES).default(SHOWN_DIFFERENCES),
})

const defineRoute = createDefineRoute<Identity>()

export async function topologyHistoryRoutes(app: FastifyInstance, deps: TopologyHistoryRoutesDeps): Promise<void> {
  const { clock, hasDatabase, sights, store } = deps

  /** Whether the backend shows the caller all that it shows the gateway. */
  const isShared = ({ headers }: FastifyRequest, { userId }: Identity): Promise<boolean> =>
    sights.showsAll(headers, userId, [topologyTopic.source({ id: '' }), ...(topologyTopic.quotes ?? [])])

  /** @throws CodedError TOPOLOGY_HISTORY_SCOPED where the backend shows the caller less than it shows the gateway */
  const requireSharedSight = async (request: FastifyRequest, caller: Identity): Promise<void> => {
    if (!(await isShared(request, caller))) throw new CodedError(topologyHistoryErrors.TOPOLOGY_HISTORY_SCOPED)
  }

  /** Null where nothing was recorded, and for the future. */
  const estateAt = async (at: number): Promise<RecordedEstate | null> =>
    at > clock.now() + AHEAD_MS ? null : store.estateAt(at)

  const describeRecording = async (from: number, to: number) => {
    const [recordedSince, holes] = await Promise.all([store.recordedSince(), store.holes(from, to, clock.now())])
    return { recordedSince, holes }
  }

  // When much happens everyone who looks on asks at the same moment: one look answers all of them.
  const recent = createBatcher(async () => {
    const to = clock.now()
    const { transitions } = await store.transitions({ from: to - RECENT_MS, to, order: 'desc' })
    return toRecordedBursts(
      transitions.length === 0 ? new Map() : await store.structuresAt(to),
      transitions.toReversed(),
    )
  })

  const routes = {
    page: defineRoute({
      rule: TOPOLOGY_HISTORY_ROUTES.page,
      query: PageQuerySchema,
      response: PastPageSchema,
      handle: async ({ caller, query, request }) => {
        await requireSharedSight(request, caller)
        const { at } = query
        const recorded = await estateAt(at)
        return {
          at,
          ...(await describeRecording(at, at)),
          page: recorded === null ? null : cutTopology(toPastEstate(recorded), toPageQuery(query)),
          above: recorded === null || query.id === undefined ? [] : toAbove(recorded, query.id),
        }
      },
    }),
    transitions: defineRoute({
      rule: TOPOLOGY_HISTORY_ROUTES.transitions,
      query: TransitionsQuerySchema,
      response: PastTransitionsSchema,
      handle: async ({ caller, query, request }) => {
        requireOrder(query)
        await requireSharedSight(request, caller)
        const { from, to } = query
        const found = query.id === undefined ? undefined : await findBelow(store, query.id, from, to)
        return {
          ...(await describeRecording(from, to)),
          ...(await store.transitions({ ...query, ...(found === undefined ? {} : { ids: found }) })),
          below: (found ?? []).slice(0, NAMED_BELOW),
        }
      },
    }),
    diff: defineRoute({
      rule: TOPOLOGY_HISTORY_ROUTES.diff,
      query: DiffQuerySchema,
      response: PastDiffSchema,
      handle: async ({ caller, query, request }) => {
        requireOrder(query)
        await requireSharedSight(request, caller)
        const { from, to, id: rootId, limit } = query
        const [before, after] = await Promise.all([estateAt(from), estateAt(to)])
        return {
          from,
          to,
          ...(await describeRecording(from, to)),
          ...(before === null || after === null
            ? { components: null, differences: 0, moreTop: 0 }
            : toEstateDiff(before, after, { rootId, limit })),
        }
      },
    }),
  } satisfies RouteTable<typeof TOPOLOGY_HISTORY_ROUTES, Identity>

  const news = {
    bursts: defineRoute({
      rule: TOPOLOGY_NEWS_ROUTES.bursts,
      query: BurstsQuerySchema,
      response: RecordedBurstsSchema,
      handle: async ({ caller, query, request }) => {
        const page = { id: query.id ?? '', isHiddenShown: query.hidden === 'true' }
        try {
          if (!hasDatabase || !(await isShared(request, caller))) return { bursts: null }
          return { bursts: (await recent(''))(page).map(toAnswered) }
        } catch (error) {
          // Before there are tables, or while there is no database: the page has what it saw itself.
          request.log.warn({ err: error }, 'what came together is not known')
          return { bursts: null }
        }
      },
    }),
  } satisfies RouteTable<typeof TOPOLOGY_NEWS_ROUTES, Identity>

  registerRoutes(app, routes, deps.policy)
  registerRoutes(app, news, deps.policy)
}

const toAnswered = ({ transitions, ...burst }: Burst) => ({ ...burst, transitions: [...transitions] })

/** @throws CodedError TOPOLOGY_HISTORY_ORDER */
function requireOrder({ from, to }: { from: number; to: number }): void {
  if (from >= to) throw new CodedError(topologyHistoryErrors.TOPOLOGY_HISTORY_ORDER)
}

function toPageQuery(asked: z.output<typeof PageQuerySchema>): TopologyQuery {
  const { id: rootId, status, type, agent_id: agentId, labels = '', hidden, sortBy, sortOrder, limit } = asked
  const pairs = labels.split(',').filter((pair) => pair !== '')
  return {
    ...(rootId === undefined ? {} : { id: rootId }),
    ...(status ? { status } : {}),
    ...(type ? { type } : {}),
    ...(agentId ? { agentId } : {}),
    labels: Object.fromEntries(
      pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()]),
    ),
    depth: SHOWN_LEVELS,
    flatten: Boolean(type),
    showHidden: hidden === 'true',
    sortBy,
    sortOrder,
    limit,
  }
}

function toAbove(recorded: RecordedEstate, rootId: string): { id: string; name: string }[] {
  const above: { id: string; name: string }[] = []
  const seen = new Set([rootId])
  for (let next = recorded.get(rootId)?.structure.parent_id; next != null && !seen.has(next);) {
    const structure = recorded.get(next)?.structure
    if (structure === undefined) break
    above.unshift({ id: next, name: structure.name })
    seen.add(next)
    next = structure.parent_id
  }
  return above
}

/** The component and what was below it at the beginning or the end. */
async function findBelow(store: HistoryStore, rootId: string, from: number, to: number): Promise<string[]> {
  const below = new Set([rootId])
  for (const at of [from, to]) {
    const recorded = await store.estateAt(at)
    if (recorded === null) continue
    const { graph } = toPastEstate(recorded)
    for (const next of below) for (const child of graph.edges.childrenOf.get(next) ?? []) below.add(child)
  }
  return [...below]
}
