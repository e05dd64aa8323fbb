// What starts playbooks besides people: moments of a schedule, and events of checks, components and catalog items.
import { type Clock, createLoop, type Loop } from '@watchroom/shared/kernel'
import { type PlaybookSpec, PlaybookSpecSchema } from '@watchroom/shared/playbooks'
import { tryParseDuration } from '@watchroom/shared/time'
import type { Pool } from 'pg'
import type { Logger } from 'pino'

import type { LookUp } from '../../check-runner/lookApart.ts'
import { cronSchedule, everySchedule, type Schedule } from '../../check-runner/schedule.ts'
import { NotAsked, TemplateFault } from '../../step-runner/templateFault.ts'
import { isTrue, type Scope } from '../../step-runner/templates.ts'
import type { EventHandler, QueuedEvent } from '../jobs/createEventConsumer.ts'
import type { PlaybookRow, Runs } from './createRuns.ts'
import { readTarget, type Target, toScope } from './readScope.ts'

export interface Triggers {
  /** By the name of the event. */
  readonly handlers: ReadonlyMap<string, EventHandler>
  /** Follows schedules while this process is the one that runs playbooks. */
  setLeading(isLeading: boolean): void
  close(): void
}

export interface TriggersDeps {
  readonly pool: Pool
  readonly clock: Clock
  readonly logger: Logger
  readonly runs: Runs
  readonly lookUp: LookUp
}

/** How soon a playbook that was saved is followed. */
const LOOK_MS = 10_000
/** Also between two looks at what is due. */
const MIN_PERIOD_MS = 1_000

const EVENTS = {
  canary: { kind: 'check', prefix: 'check', words: ['failed', 'passed'] },
  component: { kind: 'component', prefix: 'component', words: ['healthy', 'unhealthy', 'warning', 'unknown'] },
  config: {
    kind: 'config',
    prefix: 'config',
    words: ['created', 'updated', 'deleted', 'changed', 'healthy', 'unhealthy', 'warning', 'unknown', 'degraded'],
  },
} as const
/** What a run on a catalog item writes among its changes. */
const OWN_CHANGES = 'Playbook'
export const EVENT_SOURCES = Object.keys(EVENTS) as (keyof typeof EVENTS)[]

interface Triggered extends PlaybookRow {
  readonly on: NonNullable<PlaybookSpec['on']>
}

export function createTriggers({ pool, clock, logger, runs, lookUp }: TriggersDeps): Triggers {
  let following: Loop | null = null
  /** Playbooks with triggers, and when they were read. */
  let known: { readonly at: number; readonly playbooks: Promise<Triggered[]> } | null = null

  const readTriggered = async (): Promise<Triggered[]> => {
    const { rows } = await pool.query<PlaybookRow>(
      `select id, name, title, spec from playbooks where deleted_at is null and spec ? 'on'`,
    )
    return rows.flatMap((row) => {
      const on = PlaybookSpecSchema.safeParse(row.spec).data?.on
      return on ? [{ ...row, on }] : []
    })
  }

  const triggered = (): Promise<Triggered[]> => {
    if (known === null || clock.monotonic() - known.at > LOOK_MS) {
      const playbooks = readTriggered()
      known = { at: clock.monotonic(), playbooks }
      playbooks.catch(() => {
        known = null
      })
    }
    return known.playbooks
  }

  const start = async (
    playbook: PlaybookRow,
    target: Target,
    more: { moment?: Date; eventId?: string; request?: Record<string, unknown> },
  ) => {
    const asked = await runs.ask({ playbook, target, params: {}, by: null, ...more })
    if (!asked.ok) logger.warn({ playbookId: playbook.id, reason: asked.error.error }, 'a trigger started no run')
  }

  const followSchedules = (): Loop => {
    // Moments that passed while nobody ran playbooks are not made up for.
    let lookedUntil = clock.now()
    const look = async (isClosed: () => boolean): Promise<void> => {
      const until = clock.now()
      try {
        for (const playbook of await triggered()) {
          const schedule = tryParseSchedule(playbook.on.schedule)
          if (schedule === null) continue
          for (let due = schedule.next(lookedUntil, 0); due !== null && due <= until; due = schedule.next(due, 0)) {
            if (isClosed()) return
            await start(playbook, null, { moment: new Date(due) })
          }
        }
        lookedUntil = until
      } catch (error) {
        if (!isClosed()) logger.warn({ err: error }, 'schedules of playbooks cannot be followed, trying again')
      }
    }
    return createLoop(clock, look, { everyMs: MIN_PERIOD_MS, firstAfterMs: 0 })
  }

  /** Null for an event that tells of none. */
  const readChange = async (id: string | undefined): Promise<Record<string, unknown> | null> => {
    if (id === undefined) return null
    const { rows } = await pool.query<Record<string, unknown>>(
      'select id, change_type, severity, source, summary from config_changes where id = $1',
      [id],
    )
    return rows[0] ?? null
  }

  const isAsked = async (playbook: PlaybookRow, filter: string | undefined, scope: Scope): Promise<boolean> => {
    try {
      return filter === undefined || (await isTrue(filter, scope, lookUp))
    } catch (error) {
      if (error instanceof NotAsked || !(error instanceof TemplateFault)) throw error
      logger.warn({ playbookId: playbook.id, reason: error.message }, 'the filter of a trigger cannot be answered')
      return false
    }
  }

  const handle = async (source: keyof typeof EVENTS, word: string, event: QueuedEvent): Promise<void> => {
    const isOf = (rule: { readonly event: string }): boolean => isMeant(rule.event, source, word)
    const { id, change_id: changeId } = event.properties
    const playbooks = (await triggered()).filter(({ on }) => on[source]?.some(isOf))
    if (playbooks.length === 0 || id === undefined) return
    const change = await readChange(changeId)
    // Runs that answered those would raise the next ones, without end.
    if (change?.['source'] === OWN_CHANGES) return
    const target: Target = { kind: EVENTS[source].kind, id }
    const row = await readTarget(pool, target)
    if (row === null) return
    const own = Object(row['labels']) as Record<string, unknown>
    const request = { event: `${EVENTS[source].prefix}.${word}`, ...(change && { change }) }
    const failures: unknown[] = []
    for (const playbook of playbooks) {
      const scope = toScope({ target, row, params: {}, playbook, user: null, request })
      try {
        for (const rule of playbook.on[source] ?? []) {
          const isAbout = Object.entries(rule.labels ?? {}).every(([key, value]) => own[key] === value)
          if (!isOf(rule) || !isAbout || !(await isAsked(playbook, rule.filter, scope))) continue
          await start(playbook, target, { request, eventId: event.id })
          break
        }
      } catch (error) {
        // It keeps none of the others from its run. The event comes again, and those that have started do not start again.
        failures.push(error)
      }
    }
    if (failures.length > 0) throw failures[0]
  }

  const handlers = new Map<string, EventHandler>()
  for (const source of EVENT_SOURCES) {
    const { prefix, words } = EVENTS[source]
    for (const word of words) {
      handlers.set(`${prefix}.${word}`, (event) => handle(source, word, event))
    }
  }

  return {
    handlers,
    setLeading: (isLeading) => {
      following?.close()
      following = isLeading ? followSchedules() : null
    },
    close: () => following?.close(),
  }
}

/** `failed`, or `check.failed`. */
const isMeant = (event: string, source: keyof typeof EVENTS, word: string): boolean =>
  event === word || event === `${EVENTS[source].prefix}.${word}`

/** What an event of the source may be called, when this is none of its names; null when it is one. */
export function unknownEvent(event: string, source: keyof typeof EVENTS): readonly string[] | null {
  const { words } = EVENTS[source]
  return words.some((word) => isMeant(event, source, word)) ? null : words
}

/** Null for none, and for words that are no schedule, which were refused when they were saved. */
export function tryParseSchedule(text: string | undefined): Schedule | null {
  const every = /^@every\s+(\S+)$/.exec(text ?? '')?.[1]
  const periodMs = every === undefined ? null : tryParseDuration(every)
  if (periodMs !== null) return periodMs >= MIN_PERIOD_MS ? everySchedule(periodMs) : null
  try {
    return text === undefined ? null : cronSchedule(text)
  } catch {
    return null
  }
}
