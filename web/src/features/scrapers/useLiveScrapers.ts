import { useQueryClient } from '@tanstack/react-query'
import { scrapersTopic } from '@watchroom/shared/protocol'

import { tableKeys } from '../../api/tables.ts'
import { useOnChange } from '../../live/useOnChange.ts'
import { useTopic } from '../../live/useTopic.ts'

/** The list's own. */
const SCRAPERS_VIEW = 'config_scrapers_with_status'

/** What was read of scrapers is read again when one of them has run. */
export function useLiveScrapers(): void {
  const queryClient = useQueryClient()
  const { rows } = useTopic(scrapersTopic, {})
  useOnChange([rows], () => {
    void queryClient.invalidateQueries({ queryKey: tableKeys.all(SCRAPERS_VIEW) })
  })
}
