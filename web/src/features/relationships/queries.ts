import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import {
  fromTypeKey,
  type RelatedConfig,
  RelatedConfigSchema,
  toHealthParams,
  toWordFilterText,
} from '@watchroom/shared/catalog'
import { z } from 'zod'

import { parseInSlices } from '../../api/parseInSlices.ts'
import { FRESH_MS } from '../../api/queryClient.ts'
import { relationshipKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { parseThreeWay } from '../../url/threeWay.ts'
import type { RelationshipSearch } from './search.ts'

/** How far the backend follows relationships. */
const MAX_DEPTH = 10

interface RelatedAsk extends RelationshipSearch {
  readonly configId: string
  readonly areDeletedHidden: boolean
}

/** The question in the backend's words (backend reference, 5.11). */
function toRelatedPath({ configId, areDeletedHidden, outgoing, incoming, soft, ...filters }: RelatedAsk): string {
  const relation = soft ? 'both' : 'hard'
  const words = (text: string): string =>
    toWordFilterText(Array.from(parseThreeWay(text), ([word, choice]) => [fromTypeKey(word), choice] as const))
  const params = new URLSearchParams({
    config_id: configId,
    include_deleted_configs: String(!areDeletedHidden),
    max_depth: String(MAX_DEPTH),
    type_filter: outgoing && incoming ? 'all' : incoming ? 'incoming' : 'outgoing',
    ...(incoming ? { incoming_relation: relation } : {}),
    ...(outgoing ? { outgoing_relation: relation } : {}),
  })
  const asked = { 'type.filter': filters.configTypes, 'status.filter': filters.status }
  for (const [name, text] of Object.entries(asked)) if (text !== '') params.set(name, words(text))
  for (const [name, value] of toHealthParams(parseThreeWay(filters.health))) params.set(name, value)
  return `/api/db/rpc/related_configs_recursive?${params.toString()}`
}

/** Everything that is related to an item, and the item itself. */
export const relatedConfigsQuery = (ask: RelatedAsk) => {
  const path = toRelatedPath(ask)
  return queryOptions({
    queryKey: relationshipKeys.related(ask.configId, path),
    queryFn: async ({ signal }): Promise<RelatedConfig[]> =>
      parseInSlices(
        await request(path, { schema: z.array(z.looseObject({ id: z.string() })), signal }),
        RelatedConfigSchema,
      ),
    staleTime: FRESH_MS.never,
    placeholderData: keepPreviousData,
  })
}
