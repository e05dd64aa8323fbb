// How a run affected the health of its target. Pure.
import type { ComponentHealth } from '@watchroom/shared/topology'

import { parseMoment } from '../../ui/formatTime.ts'
import { type Step, toDuration } from './runParts.ts'

export interface HealthMark {
  /** Milliseconds since the epoch. */
  readonly at: number
  /** From then on. */
  readonly health: ComponentHealth
}

interface HealthSegment extends HealthMark {
  readonly until: number
}

/** Stretches of equal health, oldest first; the last reaches until `to`. */
export function toSegments(marks: readonly HealthMark[], to: number): HealthSegment[] {
  const segments: { at: number; until: number; health: ComponentHealth }[] = []
  for (const { at, health } of marks) {
    const last = segments.at(-1)
    if (last?.health === health) continue
    if (last) last.until = at
    segments.push({ at, until: to, health })
  }
  return segments
}

/** `Payments recovered 14s after upload`: the last change, and the step that began last before it. */
export function describeImpact(name: string, marks: readonly HealthMark[], steps: readonly Step[]): string {
  const last = marks.at(-1)
  if (last === undefined) return `${name}: no results in this time`
  const changed = marks.findLast(({ health }, index) => index > 0 && marks[index - 1]?.health !== health)
  const step = steps.findLast(({ start_time: began }) => changed !== undefined && parseMoment(began) <= changed.at)
  if (changed === undefined || step === undefined) return `${name}: ${last.health}`
  const after = toDuration(changed.at - parseMoment(step.start_time))
  return `${name} ${CHANGE_WORDS[changed.health]} ${after} after ${step.name} began`
}

const CHANGE_WORDS: Readonly<Record<ComponentHealth, string>> = {
  healthy: 'recovered',
  unhealthy: 'failed',
  warning: 'became a warning',
  unknown: 'became unknown',
}
