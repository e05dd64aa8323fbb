// `GET /canary/api/topology`: components as a tree or as a list, with the health of all that is below each of them.
import { TOPOLOGY_ROUTES } from '@watchroom/shared/access'
import {
  cutTopology,
  isComponentSort,
  SHOWN_CARDS,
  SHOWN_LEVELS,
  toList,
  type TopologyQuery,
} from '@watchroom/shared/topology'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'

import { registerRoutes, type RouteTable } from '../../platform/http/defineRoute.ts'
import { BACKEND_POLICY, defineBackendRoute } from '../server/backendPolicy.ts'
import type { Principal } from '../server/principal.ts'
import type { Page } from './estate/createChangeLog.ts'
import type { ComponentEstate } from './estate/createComponentEstate.ts'

const DEFAULT_DEPTH = 3
/** What nought and less mean. */
const WHOLE_DEPTH = 5
const MAX_CARDS = 100_000
/** The word of filters that let everything through. */
const ALL = 'All'

const word = z
  .string()
  .max(1_000)
  .optional()
  .transform((text) => (text === '' || text === ALL ? undefined : text))

const LabelsSchema = z
  .string()
  .max(2_000)
  .optional()
  .transform((text, context) => {
    const pairs = (text ?? '').split(',').filter((pair) => pair.trim() !== '')
    if (pairs.every((pair) => pair.indexOf('=') > 0)) {
      return Object.fromEntries(
        pairs.map((pair) => [pair.slice(0, pair.indexOf('=')).trim(), pair.slice(pair.indexOf('=') + 1).trim()]),
      )
    }
    context.addIssue({ code: 'custom', message: 'Must be pairs such as tier=1,app=shop' })
    return z.NEVER
  })

/** Keys as the API has them; those of `noCache` ask for nothing, because no answer is an old one. */
const QuerySchema = z.object({
  id: word,
  status: word,
  type: word,
  team: word,
  owner: word,
  agent_id: word,
  labels: LabelsSchema,
  hidden: z.enum(['true', 'false']).optional().catch(undefined),
  flatten: z.enum(['true', 'false']).optional().catch(undefined),
  depth: z.coerce.number().int().max(100).optional(),
  limit: z.coerce.number().int().min(1).max(MAX_CARDS).optional(),
  since: z.string().max(100).optional().catch(undefined),
  /** Of a page as the gateway follows it. Ours: other backends answer the tree. */
  rows: z.enum(['true', 'false']).optional().catch(undefined),
  sortBy: z.string().max(200).optional(),
  sortOrder: z.enum(['asc', 'desc']).optional().catch(undefined),
})

function toQuery(asked: z.infer<typeof QuerySchema>): TopologyQuery {
  const { id, status, type, team, owner, agent_id: agentId, labels, limit, sortBy = '' } = asked
  const { depth = DEFAULT_DEPTH } = asked
  const isSort = isComponentSort(sortBy)
  return {
    ...(id === undefined ? {} : { id }),
    ...(status === undefined ? {} : { status }),
    ...(type === undefined ? {} : { type }),
    ...(team === undefined ? {} : { team }),
    ...(owner === undefined ? {} : { owner }),
    ...(agentId === undefined ? {} : { agentId }),
    ...(limit === undefined ? {} : { limit }),
    labels,
    depth: depth > 0 ? depth : WHOLE_DEPTH,
    showHidden: asked.hidden !== 'false',
    flatten: asked.flatten === 'true',
    sortBy: isSort ? sortBy : 'status',
    sortOrder: asked.sortOrder ?? (isSort && sortBy !== 'status' ? 'asc' : 'desc'),
  }
}

function toPage({ id, depth, showHidden, flatten, ...query }: TopologyQuery): Page {
  const { status, type, team, owner, agentId, labels = {} } = query
  const isNarrow = [status, type, team, owner, agentId].some((filter) => filter !== undefined)
  return {
    ...(id === undefined ? {} : { id }),
    levels: depth,
    isList: flatten === true,
    isFiltered: isNarrow || Object.keys(labels).length > 0 || showHidden === false,
  }
}

/** A page as people follow it, which can be told row by row. */
const isShownPage = ({ depth, limit, sortBy, sortOrder }: TopologyQuery, { isFiltered, isList }: Page): boolean =>
  depth === SHOWN_LEVELS &&
  limit === SHOWN_CARDS &&
  sortBy === 'status' &&
  sortOrder === 'desc' &&
  isList !== true &&
  !isFiltered

/** Of all components those that are different are told one by one. */
const isWholeList = ({ limit }: TopologyQuery, { id, isFiltered, isList }: Page): boolean =>
  isList === true && !isFiltered && id === undefined && limit === undefined

export async function topologyRoutes(
  app: FastifyInstance,
  { componentEstate }: { componentEstate: ComponentEstate },
): Promise<void> {
  const routes = {
    tree: defineBackendRoute({
      rule: TOPOLOGY_ROUTES.tree,
      query: QuerySchema,
      response: 'own',
      handle: async ({ query: asked, reply }) => {
        const query = toQuery(asked)
        const estate = await componentEstate.read()
        const { cursor } = estate
        const page = toPage(query)
        const areRows = asked.rows === 'true' && isShownPage(query, page)
        if (asked.since !== undefined) {
          const changed = isWholeList(query, page) ? estate.changedSince(asked.since) : null
          if (changed !== null) return reply.send({ components: toList(estate, changed), partial: true, cursor })
          if (!estate.isDifferent(asked.since, page)) return reply.send({ components: [], partial: true, cursor })
        }
        if (areRows) {
          const { rows, removed, isPartial } = estate.readPage(query.id ?? '', asked.since)
          return reply.send({ rows, removed, partial: isPartial, cursor })
        }
        const answer = cutTopology(estate, query)
        const { components, tags } = answer
        // As the peer has it: nothing found is no list.
        return reply.send({
          ...answer,
          components: components?.length ? components : null,
          tags: Object.keys(tags ?? {}).length > 0 ? tags : null,
          cursor,
        })
      },
    }),
  } satisfies RouteTable<typeof TOPOLOGY_ROUTES, Principal>
  registerRoutes(app, routes, BACKEND_POLICY)
}
