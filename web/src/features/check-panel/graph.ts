// The answer of GET /canary/api/graph, and what the chart makes of it. Times in milliseconds since the epoch.
import { parseTimestamp } from '@watchroom/shared/time'
import { z } from 'zod'

/** First specification, section 9: points of the check graph. */
export const MAX_GRAPH_POINTS = 300

const count = z.number().nullish()

const LatencySchema = z.object({
  p95: count,
  p97: count,
  p99: count,
  /** Extension: the relative error of the percentiles; absent when they are exact, or unknown. */
  relative_error: z.number().nullish().catch(null),
  /** Extension: runs of the range that the percentiles leave out, because only their sum was kept. */
  unmeasured: z.number().nullish().catch(null),
})

export const CheckGraphSchema = z.object({
  status: z
    .array(
      z.object({
        time: z.string(),
        /** Left out when a run of the bucket failed. */
        status: z.boolean().nullish(),
        duration: z.number(),
        passed: count,
        failed: count,
      }),
    )
    .nullish(),
  latency: LatencySchema.catch({}),
  uptime: z.object({ passed: z.number().catch(0), failed: z.number().catch(0) }).catch({ passed: 0, failed: 0 }),
})

/** The runs of one bucket of time. */
export interface GraphPoint {
  readonly at: number
  /** Mean of the bucket. */
  readonly durationMs: number
  readonly passed: number
  readonly failed: number
}

export interface CheckGraph {
  /** Oldest first, at most `MAX_GRAPH_POINTS`. */
  readonly points: readonly GraphPoint[]
  /** Milliseconds; zero or absent when not measured. */
  readonly latency: z.infer<typeof LatencySchema>
  readonly uptime: { readonly passed: number; readonly failed: number }
}

/** @param window ends of the time axis: the middle of the newest bucket may lie in the future, its runs do not */
export function toCheckGraph(
  answer: z.infer<typeof CheckGraphSchema>,
  window: { from: number; to: number },
): CheckGraph {
  const points = (answer.status ?? []).flatMap(({ time, status, duration, passed, failed }): GraphPoint[] => {
    const middle = parseTimestamp(time)
    if (middle === null) return []
    const at = Math.min(window.to, Math.max(window.from, middle))
    // A backend without counts means a single run.
    if (!passed && !failed) return [{ at, durationMs: duration, passed: status ? 1 : 0, failed: status ? 0 : 1 }]
    return [{ at, durationMs: duration, passed: passed ?? 0, failed: failed ?? 0 }]
  })
  return { points: condensePoints(points), latency: answer.latency, uptime: answer.uptime }
}

/**
 * Joins neighbors until no more than `MAX_GRAPH_POINTS` are left: years arrive in buckets of hours.
 * No run is lost: counts add up, durations become the mean of all runs.
 *
 * @param points oldest first
 */
export function condensePoints(points: readonly GraphPoint[]): readonly GraphPoint[] {
  const first = points[0]
  const last = points.at(-1)
  if (points.length <= MAX_GRAPH_POINTS || first === undefined || last === undefined) return points
  const widthMs = (last.at - first.at + 1) / MAX_GRAPH_POINTS
  const groups = new Map<number, GraphPoint[]>()
  for (const point of points) {
    const place = Math.floor((point.at - first.at) / widthMs)
    const group = groups.get(place)
    if (group === undefined) groups.set(place, [point])
    else group.push(point)
  }
  return Array.from(groups.values(), joinPoints)
}

function joinPoints(points: readonly GraphPoint[]): GraphPoint {
  const sum = (of: (point: GraphPoint) => number): number => points.reduce((total, point) => total + of(point), 0)
  const runs = sum(({ passed, failed }) => passed + failed)
  return {
    at: Math.round(sum(({ at }) => at) / points.length),
    durationMs: Math.round(sum(({ durationMs, passed, failed }) => durationMs * (passed + failed)) / runs),
    passed: sum(({ passed }) => passed),
    failed: sum(({ failed }) => failed),
  }
}

/** Runs are sometimes a little late. This much later than usual means that one is missing. */
const GAP_FACTOR = 2.5

/**
 * Distance between two points from which on nothing was measured in between, so that the line must not claim it.
 *
 * @param points oldest first
 * @returns milliseconds; infinite when there are too few points to tell
 */
export function toGapMs(points: readonly Pick<GraphPoint, 'at'>[]): number {
  const steps = points.slice(1).map(({ at }, index) => at - (points[index]?.at ?? at))
  const median = steps.toSorted((a, b) => a - b)[Math.floor(steps.length / 2)]
  return median === undefined ? Number.POSITIVE_INFINITY : median * GAP_FACTOR
}
