import { useInfiniteQuery } from '@tanstack/react-query'
import { type Config, toChangedBucket, toConfigClass } from '@watchroom/shared/catalog'
import { assertNever, ownValue } from '@watchroom/shared/kernel'
import { useEffect, useMemo } from 'react'

import { useTimeZone } from '../../../preferences/timeZone.ts'
import { useServerNow } from '../../../ui/clock.tsx'
import { toQueryState } from '../../../ui/QueryStates.tsx'
import { toSort } from '../../../ui/table/listSearch.ts'
import { ResourceTable } from '../../../ui/table/ResourceTable.tsx'
import type { RowLink } from '../../../ui/table/RowCells.tsx'
import { useLoadedBefore } from '../../../ui/table/useLoadedBefore.ts'
import { configColumns } from '../configColumns.tsx'
import { type GroupKey, orderedGroups } from '../grouping.ts'
import { listQuery, rowsOf } from '../listQuery.ts'
import { toListOrder } from '../search.ts'
import { useLiveConfigs } from '../useLiveConfigs.ts'
import { CatalogHeader } from './CatalogHeader.tsx'
import type { CatalogViewProps } from './catalogView.ts'

/** Of its columns and its place. */
const TABLE = 'catalog'
const keyOf = ({ id }: Config): string => id
const rowLink = ({ id }: Config): RowLink => ({ to: `/catalog/${encodeURIComponent(id)}`, search: () => ({}) })

/** Items one by one, as many as there are. */
export function ConfigList(props: CatalogViewProps) {
  const { search, setSearch, hidesDeleted, onAnswered, toolbar, empty, filteredEmpty } = props
  const query = useInfiniteQuery(listQuery(search, hidesDeleted, useLoadedBefore(TABLE)))
  const question = JSON.stringify([search, hidesDeleted])
  const pages = query.data?.pages
  const rows = useMemo(() => pages && rowsOf(pages), [pages])
  const total = pages?.at(-1)?.total
  const {
    rows: shown,
    live,
    news,
  } = useLiveConfigs({
    list: question,
    rows,
    pages: pages?.length ?? 0,
    total,
    readAt: query.dataUpdatedAt,
    search,
    hidesDeleted,
    readAgain: () => void query.refetch(),
  })
  const isAnswered = !query.isPending
  useEffect(() => {
    if (isAnswered) onAnswered()
  }, [isAnswered, onAnswered])
  const bucketOf = useBuckets()
  const { groupBy, groupByProp } = search
  // Timestamps are unique, so sorting by another column within them is meaningless.
  const isByChange = orderedGroups(search).some(({ by }) => by === 'changed')
  const columns = useMemo(() => {
    const all = configColumns({ areDeletedHidden: hidesDeleted, bucketOf })
    return isByChange ? all.map((column) => ({ ...column, isSortable: false })) : all
  }, [hidesDeleted, bucketOf, isByChange])
  const groupOf = useMemo(() => {
    const groups = orderedGroups({ groupBy, groupByProp })
    if (groups.length === 0) return null
    return (row: Config) => toGroup(groups.map((group) => toGroupText(group, row, bucketOf)))
  }, [groupBy, groupByProp, bucketOf])
  return (
    <>
      <CatalogHeader live={live} />
      <ResourceTable
        name={TABLE}
        label="Config items"
        state={{ ...toQueryState(query, 'config items'), data: rows && shown }}
        columns={columns}
        keyOf={keyOf}
        rowLink={rowLink}
        {...(groupOf === null ? {} : { groupOf })}
        question={question}
        isLive
        sort={toSort({ ...search, sortBy: toListOrder(search.sortBy) }, setSearch)}
        news={{ count: news, onShow: () => void query.refetch() }}
        more={{
          total: total ?? 0,
          onMore: () => {
            if (query.hasNextPage && !query.isFetching) void query.fetchNextPage()
          },
        }}
        empty={empty}
        filteredEmpty={filteredEmpty}
        toolbar={{ ...toolbar, count: total === undefined ? undefined : toCount(total, isByChange) }}
      />
    </>
  )
}

const toCount = (total: number, isByChange: boolean): string =>
  `${total.toLocaleString()} total${isByChange ? ', newest change first' : ''}`

const toGroup = (texts: readonly string[]) => {
  const text = texts.join(', ')
  return { key: text, title: text }
}

function toGroupText(group: GroupKey, config: Config, bucketOf: (updatedAt: Config['updated_at']) => string): string {
  switch (group.by) {
    case 'config_class':
      return config.config_class || toConfigClass(config.type)
    case 'type':
      return config.type
    case 'changed':
      return bucketOf(config.updated_at)
    case 'tag':
      return `${group.tag}: ${ownValue(config.tags ?? {}, group.tag) ?? 'none'}`
    default:
      return assertNever(group, 'what items are grouped by')
  }
}

/** The bucket of a moment now, on the clock that the person reads. */
function useBuckets(): (updatedAt: string | null | undefined) => string {
  const now = useServerNow()
  const zone = useTimeZone()
  return useMemo(() => (updatedAt) => (updatedAt ? toChangedBucket(updatedAt, now, zone) : ''), [now, zone])
}
