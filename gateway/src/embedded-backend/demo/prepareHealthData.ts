// What the profiles put into the database before the health engine starts: self checks always, an invented estate on request.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import type { Executor } from '../../executor/contract.ts'
import { readCanaryVersions, syncCanaries } from '../checks/syncCanaries.ts'
import { demoEmail } from '../identity/bootstrap.ts'
import type { BackendContext } from '../server/context.ts'
import { backfillRuns } from './backfillRuns.ts'
import { createDemoTarget, type DemoTarget } from './createDemoTarget.ts'
import { createServiceLogs } from './createServiceLogs.ts'
import { estateServices, harbourParcel } from './harbourParcel.ts'
import { seedHarbourTopology } from './harbourTopology.ts'
import { largeCanaries, largeServices } from './largeCanaries.ts'
import { largeTopology } from './largeTopology.ts'
import { seedCanaries } from './seedCanaries.ts'
import { seedIncidents } from './seedIncidents.ts'
import { seedLogs } from './seedLogs.ts'
import { seedNotifications } from './seedNotifications.ts'
import { seedPlaybooks } from './seedPlaybooks.ts'
import { seedTopology } from './seedTopologies.ts'
import { selfCanaries } from './selfCanaries.ts'
import { selfTopology } from './selfTopology.ts'
import { type SystemCapabilities, systemCapabilities } from './systemCapabilities.ts'

export interface HealthData {
  /** Stops the demo's target, if it was needed. */
  close(): Promise<void>
}

type Context = Pick<BackendContext, 'pool' | 'vault' | 'clock' | 'logger'> & {
  options: Pick<BackendContext['options'], 'adminEmail' | 'dataDirectory' | 'publicUrl' | 'profile'>
}

/** Idempotent: what someone edited or deleted stays so. */
export async function prepareHealthData(
  context: Context,
  executor: Pick<Executor, 'confinement'>,
): Promise<HealthData> {
  const { pool, clock, logger, options } = context
  const { dataDirectory, publicUrl, profile } = options
  const startedAt = clock.now()
  const can = await systemCapabilities(context, executor)
  mkdirSync(join(dataDirectory, 'store'), { recursive: true })
  await seedCanaries(pool, selfCanaries({ publicUrl, dataDirectory, can }))
  await seedTopology(pool, selfTopology({ can }))

  const logs = profile === 'demo' ? createServiceLogs(dataDirectory, estateServices(), startedAt) : undefined
  const target = (await isTargetNeeded(context))
    ? await createDemoTarget({
        clock,
        logger,
        dataDirectory,
        startedAt,
        ...(logs && { logs }),
        services: new Map([...estateServices(), ...largeServices()]),
      })
    : null
  if (target) await seedDemo(context, target, { startedAt, can })
  logger.info({ profile, durationMs: Math.round(clock.now() - startedAt) }, 'health data is prepared')
  return {
    close: async () => {
      await target?.close()
      logs?.close()
    },
  }
}

/** Also when the profile is no longer chosen: the checks are still there and would all fail. */
async function isTargetNeeded({ pool, options }: Context): Promise<boolean> {
  if (options.profile !== 'empty') return true
  const { rows } = await pool.query<{ exists: boolean }>(
    `select exists (select from canaries where source = 'demo' and deleted_at is null)`,
  )
  return rows[0]?.exists ?? false
}

async function seedDemo(
  { pool, vault, clock, logger, options }: Context,
  target: DemoTarget,
  { startedAt, can }: { startedAt: number; can: SystemCapabilities },
): Promise<void> {
  const { adminEmail, profile, dataDirectory } = options
  if (profile === 'demo') await seedCanaries(pool, harbourParcel(target, { dataDirectory, can }))
  if (profile === 'large') {
    await seedCanaries(pool, largeCanaries(target.url))
    await seedTopology(pool, largeTopology())
  }
  if (profile !== 'demo') return
  await syncCanaries({ pool, vault, logger }, (await readCanaryVersions(pool)).keys())
  const runs = await backfillRuns(pool, { services: estateServices(), startedAt })
  logger.info({ runs }, 'past of the demo estate made up')
  // Before the incidents: their evidence is about some of its components.
  await seedHarbourTopology(pool, demoEmail('editor'))
  await seedIncidents(pool, { clock, dataDirectory })
  await seedPlaybooks(pool, { clock, adminEmail, can })
  await seedLogs(pool)
  // After the teams that rules name, and the checks that are silenced.
  await seedNotifications(pool, { adminEmail, target, spool: join(dataDirectory, 'demo', 'spool') })
}
