import { useQueryClient } from '@tanstack/react-query'
import { configInsightsTopic } from '@watchroom/shared/protocol'
import { useMemo } from 'react'
import { z } from 'zod'

import { insightKeys } from '../../api/queryKeys.ts'
import { request } from '../../api/request.ts'
import { useOnBurst } from '../../live/useOnBurst.ts'
import { useTopic } from '../../live/useTopic.ts'
import { componentInsightTable, insightTable } from './queries.ts'

/** What was read of insights is read again when one opens, is seen again or is resolved. @param configId empty: of any item */
export function useLiveInsights(configId: string) {
  const queryClient = useQueryClient()
  const options = useMemo(() => {
    const filter = configId === '' ? '' : `&config_id=eq.${encodeURIComponent(configId)}`
    const path = `/api/db/config_analysis?select=id,status,last_observed${filter}&order=last_observed.desc.nullslast&limit=50`
    const fetchRows = (signal: AbortSignal) => request(path, { schema: z.array(configInsightsTopic.row), signal })
    return { fetchRows }
  }, [configId])
  const live = useTopic(configInsightsTopic, { configId }, options)
  useOnBurst([live.rows], () => {
    void insightTable.invalidate(queryClient)
    void componentInsightTable.invalidate(queryClient)
    void queryClient.invalidateQueries({ queryKey: insightKeys.all })
  })
  return live
}
