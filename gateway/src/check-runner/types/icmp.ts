// Node has no raw sockets and we want no privileges, so the system's own `ping` does the work (Linux and macOS).
import { formatPercent } from '@watchroom/shared/health'
import type { CheckSpec } from '@watchroom/shared/health/check-types'

import { runProcess } from '../../platform/runProcess.ts'
import type { CheckRunner } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { invalid, judged, notPassed } from '../outcome.ts'

type IcmpSpec = CheckSpec<'icmp'>

const DEFAULT_PACKET_COUNT = 3
/** The shortest spacing that ping allows an ordinary user. */
const PACKET_INTERVAL_S = 0.2
/** How long ping waits for the last answer. */
const ANSWER_WAIT_S = 2
const MAX_OUTPUT_BYTES = 16 * 1024
const NOT_PERMITTED = /operation not permitted|permission denied|are you root|lacking privilege/i

/** @param command the `ping` to start; tests pass one that is missing or forbidden */
export function createIcmpRunner(command: string): CheckRunner<IcmpSpec> {
  return {
    async run(spec, { signal, clock }) {
      const startedAt = clock.monotonic()
      const elapsedMs = (): number => clock.monotonic() - startedAt
      try {
        const { exitCode, stdout, stderr } = await runProcess({
          command,
          args: buildArguments(spec),
          env: { PATH: process.env['PATH'] ?? '', LC_ALL: 'C' },
          signal,
          clock,
          maxOutputBytes: MAX_OUTPUT_BYTES,
        })
        const statistics = tryParsePing(stdout)
        if (statistics !== null) return judge(spec, statistics, elapsedMs())
        const reason = lastLine(stderr) ?? lastLine(stdout) ?? `ping ended with code ${exitCode}`
        if (NOT_PERMITTED.test(stderr)) return notSupported(elapsedMs(), 'ping is not permitted', reason)
        return notPassed(elapsedMs(), reason.replace(/^ping6?: /, ''))
      } catch (error) {
        if (isMissing(error)) return notSupported(elapsedMs(), 'there is no ping program', describeFailure(error))
        throw error
      }
    },
  }
}

export const icmpRunner = createIcmpRunner('ping')

export interface PingStatistics {
  sent: number
  received: number
  lossPercent: number
  /** Absent when nothing came back. */
  averageMs: number | null
}

/** Reads the summary of iputils, BusyBox and BSD ping; null when there is none. */
export function tryParsePing(output: string): PingStatistics | null {
  const packets = /(\d+) packets transmitted, (\d+) (?:packets )?received/.exec(output)
  if (!packets) return null
  const sent = Number(packets[1])
  const received = Number(packets[2])
  const averageMs = /(?:rtt|round-trip) min\/avg\/max\S* = [\d.]+\/([\d.]+)\//.exec(output)?.[1]
  return {
    sent,
    received,
    lossPercent: sent === 0 ? 100 : ((sent - received) / sent) * 100,
    averageMs: averageMs === undefined ? null : Number(averageMs),
  }
}

function buildArguments(spec: IcmpSpec): string[] {
  // BSD ping counts `-W` in milliseconds.
  const wait = process.platform === 'darwin' ? ANSWER_WAIT_S * 1_000 : ANSWER_WAIT_S
  const count = spec.packetCount ?? DEFAULT_PACKET_COUNT
  return ['-n', '-q', '-c', `${count}`, '-i', `${PACKET_INTERVAL_S}`, '-W', `${wait}`, spec.endpoint]
}

function judge(spec: IcmpSpec, statistics: PingStatistics, elapsedMs: number) {
  const { sent, received, lossPercent, averageMs } = statistics
  const loss = formatPercent(lossPercent)
  const allowed = spec.packetLossThreshold ?? 0
  const isLossy = received === 0 || lossPercent > allowed
  const faults = isLossy ? [`${loss} of ${sent} packets lost, at most ${formatPercent(allowed)} are accepted`] : []
  const message = averageMs === null ? `${loss} loss` : `${averageMs} ms on average, ${loss} loss`
  return judged(averageMs ?? elapsedMs, faults, message, { ...statistics })
}

function notSupported(durationMs: number, what: string, reason: string) {
  return invalid(durationMs, `not supported here: ${what} (${reason}); a tcp check asks the same question without it`)
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EACCES')
}

function lastLine(text: string): string | undefined {
  return text.trim().split('\n').at(-1) || undefined
}
