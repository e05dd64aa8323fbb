// What the workers of the label printers printed before the start. It stands in a log of the demo, and the open incident shows some of it.
import { appendFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

/** Name of their log in `logs/demo`, after the namespace. */
export const WORKERS = 'workers'

export interface WorkerLine {
  /** Before the start. */
  readonly minutes: number
  readonly message: string
  readonly labels: Readonly<Record<string, string>>
}

/** Oldest first. */
export const KILLED_WORKER: readonly WorkerLine[] = [
  { minutes: 31, message: 'worker 3 started, 1841 labels wait', labels: { level: 'info' } },
  { minutes: 30.5, message: 'out of memory: killed process 4123 (node)', labels: { level: 'error' } },
  { minutes: 30, message: 'back-off 40s restarting failed container', labels: { level: 'warn' } },
]
export const PAPER_SENSORS: readonly WorkerLine[] = [
  { minutes: 22, message: 'tray 1 to 4: full', labels: { hall: '3', level: 'info' } },
]

const OTHERS: readonly WorkerLine[] = [
  { minutes: 41, message: 'rollout of release 4.2.1 began', labels: { level: 'info' } },
  { minutes: 29, message: 'worker 3 started, 1968 labels wait', labels: { level: 'info' } },
  { minutes: 10, message: 'worker 3 is at 251Mi of 256Mi', labels: { level: 'warn' } },
]

/** @param at the moment so many minutes before the start, RFC 3339 */
export function writeWorkerLog(dataDirectory: string, namespace: string, at: (minutes: number) => string): void {
  const lines = [...KILLED_WORKER, ...PAPER_SENSORS, ...OTHERS].toSorted((one, other) => other.minutes - one.minutes)
  const text = lines.map(({ minutes, message, labels }) =>
    JSON.stringify({ time: at(minutes), ...labels, msg: message }),
  )
  const folder = join(dataDirectory, 'logs', 'demo')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  appendFileSync(join(folder, `${namespace}-${WORKERS}.log`), `${text.join('\n')}\n`)
}
