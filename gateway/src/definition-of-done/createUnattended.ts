// Decides automatic items of incidents whose document nobody has open, so that "done" does not depend on someone looking. What
// is settled is left alone until the document is opened; the verdict goes into the row, where the document finds it.

import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { Logger } from '../platform/logger.ts'
import type { DefinitionOfDone, DodItem, WatchedIncident } from './contract.ts'
import type { UnattendedRows } from './unattendedRows.ts'

/** Items are read this often, and soon after the database says that an incident changed. */
const SWEEP_MS = 30_000
const GATHER_MS = 2_000
/** States of components and the like; nobody is waiting in front of a screen. */
const SUBJECT_ROWS_MS = 30_000
/** Incidents decided at once without anyone looking. */
const MAX_INCIDENTS = 100

export interface Unattended {
  /** The document is open: it decides for itself, until the returned function is called. */
  attend(incident: WatchedIncident): () => void
  /** An incident's rows changed. */
  wake(): void
  close(): void
}

interface Charge {
  items: readonly DodItem[]
  readonly changed: Set<() => void>
  readonly stop: () => void
}

export function createUnattended(deps: {
  definitionOfDone: Pick<DefinitionOfDone, 'watch'>
  rows: UnattendedRows
  clock: Clock
  logger: Logger
}): Unattended {
  const { clock, logger } = deps
  const attended = new Map<string, number>()
  const charges = new Map<string, Charge>()
  const timer = createTimer(clock)
  let nextAt = 0
  let isSweeping = false
  let isClosed = false

  const take = (id: string, items: readonly DodItem[]): void => {
    const changed = new Set<() => void>()
    const charge: Charge = {
      items,
      changed,
      stop: deps.definitionOfDone.watch({
        id,
        rowsMs: SUBJECT_ROWS_MS,
        items: () => charges.get(id)?.items ?? items,
        onChange: (listener) => {
          changed.add(listener)
          return () => changed.delete(listener)
        },
        setDone: async (evidenceId, done) => {
          await deps.rows.setDone(evidenceId, done)
          const present = charges.get(id)
          if (!present) return
          present.items = present.items.map((item) => (item.id === evidenceId ? { ...item, done } : item))
          for (const listener of present.changed) listener()
        },
      }),
    }
    charges.set(id, charge)
  }

  const drop = (id: string): void => {
    charges.get(id)?.stop()
    charges.delete(id)
  }

  const assign = (found: ReadonlyMap<string, readonly DodItem[]>): void => {
    for (const id of charges.keys()) if (!found.has(id)) drop(id)
    for (const [id, items] of found) {
      if (attended.has(id)) continue
      const charge = charges.get(id)
      if (charge) {
        charge.items = items
        for (const listener of charge.changed) listener()
      } else if (charges.size < MAX_INCIDENTS) take(id, items)
    }
  }

  const sweep = async (): Promise<void> => {
    if (isSweeping) return
    isSweeping = true
    try {
      const found = await deps.rows.read()
      if (!isClosed) assign(found)
    } catch (error) {
      // Those that are known go on being decided.
      logger.info({ err: error }, 'items of the definition of done not read')
    } finally {
      isSweeping = false
    }
    planSweep(SWEEP_MS)
  }

  const planSweep = (delayMs: number): void => {
    if (isClosed) return
    nextAt = clock.monotonic() + delayMs
    timer.set(() => void sweep(), delayMs)
  }
  planSweep(GATHER_MS)

  const wake = (): void => {
    // Announcements that follow one another closely do not put it off.
    if (!isSweeping && nextAt - clock.monotonic() > GATHER_MS) planSweep(GATHER_MS)
  }

  return {
    attend: (incident) => {
      drop(incident.id)
      attended.set(incident.id, (attended.get(incident.id) ?? 0) + 1)
      const stop = deps.definitionOfDone.watch(incident)
      return () => {
        stop()
        const left = (attended.get(incident.id) ?? 1) - 1
        if (left > 0) attended.set(incident.id, left)
        else attended.delete(incident.id)
        wake()
      }
    },
    wake,
    close: () => {
      isClosed = true
      timer.clear()
      for (const id of charges.keys()) drop(id)
    },
  }
}
