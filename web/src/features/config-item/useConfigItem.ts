import { useQuery, useQueryClient } from '@tanstack/react-query'
import { configTopic } from '@watchroom/shared/protocol'
import { useEffect, useMemo } from 'react'

import { configChangeKeys, relationshipKeys } from '../../api/queryKeys.ts'
import { useTopic } from '../../live/useTopic.ts'
import { configChecksQuery, configItemQuery, fetchConfigItem, linkedComponentsQuery } from './queries.ts'

/** An item as it is now: read once, and after that as the gateway tells of it. */
export function useConfigItem(id: string) {
  const options = useMemo(() => ({ fetchRows: (signal: AbortSignal) => fetchConfigItem(id, signal) }), [id])
  const live = useTopic(configTopic, { id }, options)
  const queryClient = useQueryClient()
  const isGone = live.state === 'live' && live.rows.length === 0
  const told = isGone ? null : live.rows[0]

  useEffect(() => {
    if (told === undefined) return
    const { queryKey } = configItemQuery(id)
    const known = queryClient.getQueryData(queryKey)
    // The cache keeps what it has when nothing in it is different.
    const next = queryClient.setQueryData(queryKey, told)
    if (!known || next === known) return
    const beside = [
      relationshipKeys.all(id),
      linkedComponentsQuery(id).queryKey,
      configChecksQuery(id).queryKey,
      configChangeKeys.historiesOf(id),
    ]
    for (const key of beside) void queryClient.invalidateQueries({ queryKey: key })
  }, [queryClient, id, told])

  return { query: useQuery(configItemQuery(id)), live }
}
