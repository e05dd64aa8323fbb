import { Play } from '@blueprintjs/icons'
import { useMutation } from '@tanstack/react-query'
import { NIL_UUID } from '@watchroom/shared/kernel'
import type { SettingsRow } from '@watchroom/shared/settings'
import { z } from 'zod'

import { errorText, request } from '../../api/request.ts'
import { useSession } from '../../api/session.tsx'
import { CommandButton } from '../../ui/CommandButton.tsx'
import { showErrorToast, showToast } from '../../ui/toaster.ts'
import { summaryText } from './scrapeSummary.ts'

const RunSchema = z.object({
  status: z.string(),
  errors: z.array(z.string()).catch([]),
  scrape_summary: z.record(z.string(), z.unknown()).catch({}),
})

/** As long as a scrape may take; whoever leaves earlier finds it in the job history. */
const TIMEOUT_MS = 600_000

/** Runs a scraper now, and says what it did. Nothing for those who may not. */
export function RunScraper({ row }: { row: Pick<SettingsRow, 'id' | 'name' | 'agent_id'> }) {
  const { id, name, agent_id: agentId } = row
  const mayRun = useSession().can('write', 'config_scrapers')
  const run = useMutation({
    mutationFn: () =>
      request(`/api/config/run/${encodeURIComponent(id)}`, {
        method: 'POST',
        schema: RunSchema,
        timeoutMs: TIMEOUT_MS,
      }),
    onSuccess: ({ status, errors, scrape_summary: summary }) => {
      const [error] = errors
      if (status === 'SUCCESS') showToast(`${name}: ${summaryText(summary)}`)
      else showErrorToast(`${name}: ${error ?? status.toLowerCase()}`)
    },
    onError: (error) => showErrorToast(errorText(error)),
  })
  if (!mayRun) return null
  const isElsewhere = Boolean(agentId) && agentId !== NIL_UUID
  return (
    <CommandButton
      icon={<Play />}
      command="Run now"
      variant="outlined"
      loading={run.isPending}
      disabledReason={isElsewhere ? 'Its agent runs it.' : undefined}
      onClick={() => run.mutate()}
    />
  )
}
