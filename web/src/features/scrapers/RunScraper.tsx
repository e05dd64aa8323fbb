import type { SettingsRow } from '@watchroom/shared/settings'
import { z } from 'zod'

import { request } from '../../api/request.ts'
import { useSession } from '../../api/session.tsx'
import { RunNow, type RunTold } from '../../editor/RunNow.tsx'
import { summaryText } from './scrapeSummary.ts'

const RunSchema = z.object({
  status: z.string(),
  errors: z.array(z.string()).catch([]),
  scrape_summary: z.record(z.string(), z.unknown()).catch({}),
})

/** As long as a scrape may take; whoever leaves earlier finds it in the job history. */
const TIMEOUT_MS = 960_000

/** Runs a scraper now, and says what it did. Nothing for those who may not. */
export function RunScraper({ row }: { row: Pick<SettingsRow, 'id' | 'name' | 'agent_id'> }) {
  const { id, name, agent_id: agentId } = row
  if (!useSession().can('write', 'config_scrapers')) return null
  const run = async (): Promise<RunTold> => {
    const {
      status,
      errors: [error],
      scrape_summary: summary,
    } = await request(`/api/config/run/${encodeURIComponent(id)}`, {
      method: 'POST',
      schema: RunSchema,
      timeoutMs: TIMEOUT_MS,
    })
    const isFailure = status !== 'SUCCESS'
    return { isFailure, text: `${name}: ${isFailure ? (error ?? status.toLowerCase()) : summaryText(summary)}` }
  }
  return <RunNow agentId={agentId} run={run} />
}
