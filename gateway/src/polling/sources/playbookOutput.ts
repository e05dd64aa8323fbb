import type { Clock } from '@watchroom/shared/kernel'
import { type OutputChunk, OutputChunkSchema } from '@watchroom/shared/playbooks'
import { z } from 'zod'

import type { BackendClient } from '../../platform/httpClient.ts'
import type { Source } from '../contract.ts'
import { readTable } from './readTable.ts'

/** How often the specification has a step looked at; where the database tells of changes this is only the safety net. */
const INTERVAL_MS = 1_000
/** Of a step's output, what a page that opens gets at once. Characters, and pieces. */
const WINDOW = { characters: 2_000_000, pieces: 2_000 }
/** Pieces of one answer: 4 MB. */
const PAGE = 64

// Whoever is not shown the run is not shown what it prints.
const SELECT = encodeURIComponent('seq,at,stream,text,playbook_run_actions!inner(playbook_runs!inner(id))')
const EndSchema = z.object({ place: z.number() })

/** What a step prints: first the newest pieces, then what is added. */
export function createPlaybookOutputSource(deps: {
  backend: BackendClient
  clock: Clock
  actionId: string
}): Source<OutputChunk> {
  const { backend, clock, actionId } = deps
  const base = `/db/playbook_run_outputs?action_id=eq.${actionId}`
  /** Pieces that readers have, oldest first. */
  let shown: { readonly seq: number; readonly size: number }[] = []

  const readNewest = async (signal: AbortSignal) => {
    const end = await readTable(backend, `${base}&select=place&order=seq.desc&limit=1`, EndSchema, signal)
    const from = Math.max(0, (end.rows[0]?.place ?? 0) - WINDOW.characters)
    const path = `${base}&select=${SELECT}&place=gte.${from}&order=seq.desc&limit=${WINDOW.pieces}`
    const { rows, droppedRows } = await readTable(backend, path, OutputChunkSchema, signal)
    return { rows: rows.toReversed(), droppedRows }
  }

  const readAfter = async (seq: number, signal: AbortSignal): Promise<OutputChunk[]> => {
    const path = `${base}&select=${SELECT}&seq=gt.${seq}&order=seq&limit=${PAGE}`
    const { rows } = await readTable(backend, path, OutputChunkSchema, signal)
    const last = rows.at(-1)
    return last && rows.length === PAGE ? [...rows, ...(await readAfter(last.seq, signal))] : rows
  }

  /** @returns keys of the pieces that leave */
  const narrow = (): string[] => {
    let characters = shown.reduce((sum, { size }) => sum + size, 0)
    let count = 0
    while (characters > WINDOW.characters || shown.length - count > WINDOW.pieces) {
      characters -= shown[count]?.size ?? 0
      count += 1
    }
    return shown.splice(0, count).map(({ seq }) => String(seq))
  }

  return {
    name: 'playbookOutput',
    intervalMs: INTERVAL_MS,
    read: async (signal, cursor) => {
      const asOf = clock.now()
      if (cursor === undefined) {
        const { rows, droppedRows } = await readNewest(signal)
        shown = rows.map(toShown)
        return { kind: 'all', asOf, rows, droppedRows, cursor: String(rows.at(-1)?.seq ?? 0) }
      }
      const rows = await readAfter(Number(cursor), signal)
      shown.push(...rows.map(toShown))
      const removed = narrow()
      return { kind: 'changes', asOf, rows, removed, droppedRows: 0, cursor: String(rows.at(-1)?.seq ?? cursor) }
    },
  }
}

const toShown = ({ seq, text }: OutputChunk): { seq: number; size: number } => ({ seq, size: text.length })
