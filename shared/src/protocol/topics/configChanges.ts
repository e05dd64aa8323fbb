import { z } from 'zod'

import { type ConfigChange, ConfigChangeSchema, parseChangeFilter } from '../../catalog/index.ts'
import { isUuid } from '../../kernel/index.ts'
import type { Topic } from '../topic.ts'

const text = z.string().max(500)

/** Filters as `POST /catalog/changes` takes them (backend reference 7.2), each of them empty where it is not asked for. */
const ParamsSchema = z
  .strictObject({
    id: text,
    config_type: text,
    type: text,
    severity: text,
    summary: text,
    source: text,
    created_by: text,
    tags: text,
    agent_id: text,
    /** Whose changes are included besides its own, when `id` names one item. */
    recursive: z.enum(['none', 'upstream', 'downstream', 'all']),
  })
  .refine((params) => parseChangeFilter(params).ok, 'cannot be read')
export type ConfigChangesParams = z.infer<typeof ParamsSchema>

/** Completes parameters: a filter that is not given restricts nothing. */
export const toConfigChangesParams = (asked: Partial<ConfigChangesParams>): ConfigChangesParams => ({
  id: '',
  config_type: '',
  type: '',
  severity: '',
  summary: '',
  source: '',
  created_by: '',
  tags: '',
  agent_id: '',
  recursive: 'none',
  ...asked,
})

/**
 * Of the 500 newest changes, of the catalog or of an item and its relatives, those that the filters mean. Deleted items are not
 * told apart. Lists page over HTTP and lay these rows over what they read.
 */
export const configChangesTopic: Topic<ConfigChangesParams, ConfigChange> = {
  name: 'configChanges',
  params: ParamsSchema,
  row: ConfigChangeSchema,
  key: 'id',
  resource: () => 'database',
  // Of all changes a stretch of time: it is quickly counted, and stays as it is meanwhile.
  source: ({ id }) =>
    isUuid(id) ? `catalog_changes?config_id=eq.${id}` : 'catalog_changes?created_at=gte.yesterday&created_at=lt.today',
  quotes: ['config_items'],
}
