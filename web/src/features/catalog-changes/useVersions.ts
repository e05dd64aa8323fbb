import { useQuery } from '@tanstack/react-query'
import { type ContentVersion, rebuildVersions, versionAt } from '@watchroom/shared/catalog'
import { useMemo, useState } from 'react'

import { parseMoment } from '../../ui/formatTime.ts'
import { toQueryState } from '../../ui/QueryStates.tsx'
import { useSearchState } from '../../url/useSearchState.ts'
import { historyQuery, type VersionChange } from './queries.ts'
import { ChangeSearchSchema } from './search.ts'

export type Version = ContentVersion<VersionChange>

const STEP = 100
/** Earlier versions are not rebuilt, because each means applying another whole diff. */
const MAX_CHANGES = 1_000

const changedAt = ({ created_at: at }: VersionChange): number => parseMoment(at)

/** The versions of an item: the one in the URL, and the one it is compared with. */
export function useVersions(configId: string) {
  const [{ at, against }, setSearch] = useSearchState(ChangeSearchSchema)
  const [limit, setLimit] = useState(STEP)
  const query = useQuery(historyQuery(configId, limit))
  const history = useMemo(() => query.data && rebuildVersions(query.data.config, query.data.changes), [query.data])
  const isPart = query.data?.isWhole === false && history?.brokenAt === null && !history.isCut
  // There may be changes before the oldest loaded one.
  const versions = useMemo(
    () => (history === undefined || history === null ? [] : isPart ? history.versions.slice(0, -1) : history.versions),
    [history, isPart],
  )
  const find = (moment: string): Version | undefined => versionAt(versions, parseMoment(moment), changedAt)
  const shown = at === '' ? versions[0] : find(at)
  const base = against === '' ? shown && versions[versions.indexOf(shown) + 1] : find(against)

  const canLoad = isPart && limit < MAX_CHANGES
  const isMissing = [at, against].some((moment) => moment !== '' && find(moment) === undefined)
  const load = (): void => setLimit(Math.min(MAX_CHANGES, limit * 2))
  const isWanted = isMissing && canLoad && !query.isFetching
  // A link leads further back than what is read at first.
  if (isWanted) load()
  return {
    state: toQueryState(query, 'versions'),
    versions,
    shown,
    base,
    brokenAt: history?.brokenAt ?? null,
    isCut: history?.isCut ?? false,
    onLoad: canLoad ? load : null,
    isLoading: query.isFetching,
    onShow: (version: Version) => setSearch({ at: version === versions[0] ? '' : toMoment(version, versions) }),
    onCompare: (version: Version | null) => setSearch({ against: version ? toMoment(version, versions) : '' }),
    isCompared: against !== '',
  }
}

/** A moment at which a version was in force: that of its change, or just before the first one. */
function toMoment({ change }: Version, versions: readonly Version[]): string {
  if (change !== null) return new Date(changedAt(change)).toISOString()
  const first = versions.at(-2)?.change
  return new Date(first ? changedAt(first) - 1 : 0).toISOString()
}
