import { useQueryClient } from '@tanstack/react-query'
import { type ConfigChangesParams, configChangesTopic, toConfigChangesParams } from '@watchroom/shared/protocol'

import { configChangeKeys } from '../../api/queryKeys.ts'
import { useOnBurst } from '../../live/useOnBurst.ts'
import { useTopic } from '../../live/useTopic.ts'
import type { ChangesAsk } from './search.ts'

/** Reads changes again when one arrives that matches the filters. */
export function useLiveChanges(ask: ChangesAsk) {
  const queryClient = useQueryClient()
  const live = useTopic(configChangesTopic, toParams(ask))
  useOnBurst([live.rows], () => {
    for (const queryKey of [configChangeKeys.lists, configChangeKeys.histories]) {
      void queryClient.invalidateQueries({ queryKey })
    }
  })
  return live
}

function toParams({ recursive, ...ask }: ChangesAsk): ConfigChangesParams {
  const { id, config_type, type, severity, summary, source, created_by, tags } = ask
  const asked = { id, config_type, type, severity, summary, source, created_by, tags }
  return toConfigChangesParams({
    ...Object.fromEntries(Object.entries(asked).filter(([, value]) => value !== undefined)),
    recursive,
  })
}
