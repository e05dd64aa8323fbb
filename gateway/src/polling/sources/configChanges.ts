import { type ConfigChange, ConfigChangeSchema, matchesChange, parseChangeFilter } from '@watchroom/shared/catalog'
import { type Clock, isUuid } from '@watchroom/shared/kernel'
import type { ConfigChangesParams } from '@watchroom/shared/protocol'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

const COLUMNS =
  'id,config_id,name,type,tags,external_created_by,created_at,severity,change_type,source,summary,created_by,count,first_observed,agent_id'
const NEWEST = 500
const PAGE = `select=${COLUMNS}&order=created_at.desc,id.desc&limit=${NEWEST}`
/** As deep as `POST /catalog/changes` goes where nothing is said. */
const DEPTH = 5

/** Where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 30_000

/** What is read for all who ask for changes of the same items, whatever else they filter by. */
export const changesScope = ({ id, recursive }: ConfigChangesParams): string => (isUuid(id) ? `${id} ${recursive}` : '')

/** The newest changes of a scope. @param deps.scope of `changesScope` */
export function createConfigChangesSource(deps: {
  backend: BackendClient
  clock: Clock
  scope: string
}): Source<ConfigChange> {
  const path = toPath(deps.scope)
  return {
    name: 'configChanges',
    intervalMs: INTERVAL_MS,
    read: async (signal) => {
      const asOf = deps.clock.now()
      return { kind: 'all', asOf, ...(await readTable(deps.backend, path, ConfigChangeSchema, signal)) }
    },
  }
}

function toPath(scope: string): string {
  const [id = '', recursive] = scope.split(' ')
  if (id === '') return `/db/catalog_changes?${PAGE}`
  if (recursive === 'none') return `/db/catalog_changes?config_id=eq.${id}&${PAGE}`
  return `/db/rpc/related_changes_recursive?lookup_id=${id}&type_filter=${recursive}&max_depth=${DEPTH}&${PAGE}`
}

/** Which rows of a scope someone asked for. Parameters that cannot be read open no topic. */
export function toChangeMatcher(params: ConfigChangesParams): (change: ConfigChange) => boolean {
  const filter = parseChangeFilter(params)
  return filter.ok ? (change) => matchesChange(filter.value, change) : () => false
}
