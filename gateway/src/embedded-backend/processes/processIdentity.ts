// Recognizes processes across pid reuse: a pid alone may belong to a stranger by the time it is looked at.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Start time of a live process, in whatever unit the platform has: equal strings mean the same process.
 *
 * @returns null when no such process runs (a zombie does not run)
 */
export function processIdentity(pid: number): string | null {
  if (!Number.isInteger(pid) || pid <= 0) return null
  if (process.platform === 'linux') return linuxIdentity(pid)
  try {
    const [state = '', ...started] = execFileSync('ps', ['-o', 'state=,lstart=', '-p', String(pid)], {
      encoding: 'utf8',
    })
      .trim()
      .split(/\s+/)
    return state.startsWith('Z') || started.length === 0 ? null : started.join(' ')
  } catch {
    // `ps` exits with 1 when the pid is unknown.
    return null
  }
}

/** Whether the process that had `identity` still runs. */
export function isSameProcess(pid: number, identity: string): boolean {
  return processIdentity(pid) === identity
}

/** The command line of a live process, arguments separated by NUL on Linux and by blanks elsewhere; '' when unknown. */
export function commandLine(pid: number): string {
  try {
    return process.platform === 'linux'
      ? readFileSync(`/proc/${pid}/cmdline`, 'utf8')
      : execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
  } catch {
    return ''
  }
}

/** Sends a signal; a process that is already gone is not a failure. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function linuxIdentity(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // proc(5): the name in parentheses may hold blanks and parentheses; state is field 3, the start time field 22.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null)
  } catch {
    return null
  }
}
