// The machine's processes, for tests about deaths and orphans.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

export interface SeenProcess {
  pid: number
  command: string
}

/** Live processes (no zombies) whose command line or environment names `text`, this one excepted. Linux only. */
export function processesNaming(text: string): SeenProcess[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .flatMap((name) => {
      try {
        const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')
        const environment = readFileSync(`/proc/${name}/environ`, 'utf8')
        const isSeen = command !== '' && (command.includes(text) || environment.includes(text))
        return isSeen ? [{ pid: Number(name), command }] : []
      } catch {
        // It ended while we looked, or belongs to someone else.
        return []
      }
    })
}

/** @throws Error without a number, and for one that means a whole group: 0 is this process with everything that started it */
export function signalProcess(pid: number | null | undefined, signal: NodeJS.Signals): void {
  if (!pid || !Number.isInteger(pid) || pid < 0) throw new Error(`there is no process ${pid} to send ${signal} to`)
  process.kill(pid, signal)
}

/** Processor time of a process so far, user and system. Linux counts it in ticks of 10 ms. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) * 10
}

/** Resident memory, now or at most so far. Linux only. */
export function residentMiB(pid: number | null | undefined, when: 'now' | 'peak' = 'now'): number {
  const field = when === 'now' ? 'VmRSS' : 'VmHWM'
  const [, kib] = new RegExp(`${field}:\\s+(\\d+)`).exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1_024
}

/** What it needed at most counts from now on. */
export const forgetPeak = (pid: number | null | undefined): void => writeFileSync(`/proc/${pid}/clear_refs`, '5')

/** Awaits a condition of the outside world. */
export async function until(
  condition: () => boolean | Promise<boolean>,
  { maxMs = 20_000, what = 'condition' }: { maxMs?: number; what?: string } = {},
): Promise<number> {
  const startedAt = performance.now()
  while (!(await condition())) {
    if (performance.now() - startedAt > maxMs) throw new Error(`${what} not met within ${maxMs} ms`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return performance.now() - startedAt
}

/** Awaits that no process names this any more: the kernel takes its time to end what was killed. */
export async function untilGone(text: string, options: { maxMs?: number } = {}): Promise<number> {
  const what = `the end of every process that names ${text}`
  return until(() => processesNaming(text).length === 0, { ...options, what })
}
