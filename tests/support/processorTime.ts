// How much processor time each part of the product has used so far, from /proc; empty on systems that have none.
import { readdirSync, readFileSync } from 'node:fs'

/** Linux counts in hundredths of a second on every platform that Node runs on. */
const TICKS_PER_SECOND = 100

export const PARTS = ['gateway', 'backend', 'apart', 'database', 'others'] as const
export type Part = (typeof PARTS)[number]

interface Row {
  readonly pid: number
  readonly parent: number
  readonly seconds: number
  readonly part: Part
}

/** Seconds by part, of all descendants of this process. Children that have ended count with their parent once it has waited. */
export function processorTime(): ReadonlyMap<Part, number> {
  const rows = readRows()
  const family = new Set([process.pid])
  // Parents may come after their children in the list.
  for (let size = 0; size < family.size;) {
    size = family.size
    for (const { pid, parent } of rows) if (family.has(parent)) family.add(pid)
  }
  const sums = new Map<Part, number>()
  for (const { pid, seconds, part } of rows) {
    if (pid !== process.pid && family.has(pid)) sums.set(part, (sums.get(part) ?? 0) + seconds)
  }
  return sums
}

function readRows(): Row[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => readRow(Number(name)) ?? [])
  } catch {
    return []
  }
}

/** @returns null when the process has ended meanwhile */
function readRow(pid: number): Row | null {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name stands in brackets and may hold anything.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ')
    const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8')
    const ticks = [11, 12, 13, 14].reduce((sum, index) => sum + Number(fields[index]), 0)
    return { pid, parent: Number(fields[1]), seconds: ticks / TICKS_PER_SECOND, part: partOf(command) }
  } catch {
    return null
  }
}

function partOf(command: string): Part {
  if (/hostileClient/.test(command)) return 'others'
  if (/gateway\/dist\/main\.js/.test(command)) return 'gateway'
  if (/expression-?process|password-?process/i.test(command)) return 'apart'
  if (/embedded-backend\/main/.test(command)) return 'backend'
  return /postgres/.test(command) ? 'database' : 'others'
}
