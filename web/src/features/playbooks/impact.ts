// What a run did to the health of its check. Pure.
import { parseMoment } from '../../ui/formatTime.ts'
import { type Step, toDuration } from './runParts.ts'

export interface CheckResult {
  /** Milliseconds since the epoch. */
  readonly at: number
  readonly isHealthy: boolean
}

/** Stretches of equal results, oldest first; the last reaches until `to`. */
export function toSegments(
  results: readonly CheckResult[],
  to: number,
): { at: number; until: number; isHealthy: boolean }[] {
  const segments: { at: number; until: number; isHealthy: boolean }[] = []
  for (const { at, isHealthy } of results) {
    const last = segments.at(-1)
    if (last?.isHealthy === isHealthy) continue
    if (last) last.until = at
    segments.push({ at, until: to, isHealthy })
  }
  return segments
}

/** `Payments recovered 14s after upload`: the last change, and the step that began last before it. */
export function describeImpact(name: string, results: readonly CheckResult[], steps: readonly Step[]): string {
  const last = results.at(-1)
  if (last === undefined) return `${name}: no results in this time`
  const changed = results.findLast(({ isHealthy }, index) => index > 0 && results[index - 1]?.isHealthy !== isHealthy)
  const word = last.isHealthy ? 'healthy' : 'unhealthy'
  const step = steps.findLast(({ start_time: began }) => changed !== undefined && parseMoment(began) <= changed.at)
  if (changed === undefined || step === undefined) return `${name}: ${word}`
  const after = toDuration(changed.at - parseMoment(step.start_time))
  return `${name} ${changed.isHealthy ? 'recovered' : 'failed'} ${after} after ${step.name} began`
}
