// Health as one part of the backend: seeds, engine, jobs and events, in the order in which they need each other.
import { hostname } from 'node:os'

import type { FolderRules } from '../check-runner/folderRules.ts'
import type { Executor } from '../executor/contract.ts'
import { createHealthEngine, type HealthEngine } from './checks/createHealthEngine.ts'
import { prepareHealthData } from './demo/prepareHealthData.ts'
import { type Courier, createEventConsumer, type EventHandler } from './jobs/createEventConsumer.ts'
import { createJobRunner } from './jobs/createJobRunner.ts'
import type { Job } from './jobs/job.ts'
import { JOBS } from './jobs/jobs.ts'
import type { BackendContext } from './server/context.ts'

export interface Health {
  readonly engine: HealthEngine
  /** Aborts what runs and writes what is left; needs the database for that. */
  close(): Promise<void>
}

export interface HealthOptions {
  postgrestSocketPath: () => string
  version: string
  executor: Executor
  folders: FolderRules
  agentOfflineAfterMs?: number
  /** By event name; an event without a handler is dropped. */
  eventHandlers?: ReadonlyMap<string, EventHandler>
  couriers?: ReadonlyMap<string, Courier>
  /** Of other capabilities. */
  jobs?: readonly Job[]
}

/** The gateway listens within this time after the backend said that it is ready. */
const FIRST_RUN_DELAY_MS = 1_500

export async function startHealth(context: BackendContext, options: HealthOptions): Promise<Health> {
  const { pool, channels, clock, logger, random } = context
  const running: (() => Promise<void>)[] = []
  const close = async (): Promise<void> => {
    for (let last = running.pop(); last; last = running.pop()) await last()
  }
  try {
    const data = await prepareHealthData(context, options.executor)
    running.push(() => data.close())

    const engine = createHealthEngine({ context, firstRunDelayMs: FIRST_RUN_DELAY_MS, ...options })
    running.push(() => engine.close())
    await engine.start()

    const events = createEventConsumer({
      pool,
      channels,
      clock,
      logger,
      handlers: options.eventHandlers ?? new Map(),
      couriers: options.couriers ?? new Map(),
    })
    running.push(() => events.close())
    events.start()

    const jobs = createJobRunner({
      pool,
      clock,
      logger,
      random,
      hostname: hostname(),
      jobs: [...JOBS, ...(options.jobs ?? [])],
      localProperties: context.options.properties ?? {},
    })
    running.push(() => jobs.close())
    await jobs.start()
    return { engine, close }
  } catch (error) {
    await close()
    throw error
  }
}
