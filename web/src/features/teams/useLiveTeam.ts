import { type QueryKey, useQuery, type UseQueryOptions, useQueryClient } from '@tanstack/react-query'
import { settingsTopic } from '@watchroom/shared/protocol'

import { useOnChange } from '../../live/useOnChange.ts'
import { useTopic } from '../../live/useTopic.ts'

const PARAMS = { table: 'teams' } as const

/** What belongs to a team, read again when the topic of teams tells that something about one changed. */
export function useLiveTeam<Data, Key extends QueryKey>(options: UseQueryOptions<Data, Error, Data, Key>) {
  const queryClient = useQueryClient()
  const live = useTopic(settingsTopic, PARAMS)
  useOnChange([live.rows], () => void queryClient.invalidateQueries({ queryKey: options.queryKey }))
  return useQuery(options)
}
