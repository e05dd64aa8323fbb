import type { SettingsRow } from '@watchroom/shared/settings'
import { z } from 'zod'

import { request } from '../../api/request.ts'
import { useSession } from '../../api/session.tsx'
import { RunNow, type RunTold } from '../../editor/RunNow.tsx'
import { countOf } from '../../ui/countOf.ts'

const RunSchema = z.object({
  status: z.string(),
  count: z.coerce.number().catch(0),
  /** The peer does not say what it could not use. */
  errors: z.array(z.string()).catch([]),
})

/** As long as a sync may take; whoever leaves earlier finds it in the job history. */
const TIMEOUT_MS = 660_000

/** Syncs a topology now, and says how many components it has. Nothing for those who may not. */
export function RunTopology({
  row: { id, name, agent_id: agentId },
}: {
  row: Pick<SettingsRow, 'id' | 'name' | 'agent_id'>
}) {
  if (!useSession().can('write', 'topologies')) return null
  const run = async (): Promise<RunTold> => {
    const {
      status,
      count,
      errors: [error],
    } = await request(`/api/canary/run/topology/${encodeURIComponent(id)}`, {
      method: 'POST',
      schema: RunSchema,
      timeoutMs: TIMEOUT_MS,
    })
    const isFailure = status !== 'ok' || error !== undefined
    return { isFailure, text: `${name}: ${error ?? (isFailure ? status : countOf(count, 'component'))}` }
  }
  return <RunNow agentId={agentId} run={run} />
}
