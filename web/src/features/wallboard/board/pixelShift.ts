/** Two periods without a common divisor: the path fills its square before it repeats, after a day. */
const PERIOD_X_MS = 47 * 60_000
const PERIOD_Y_MS = 31 * 60_000

export interface Shift {
  readonly x: number
  readonly y: number
}

/**
 * Where the board stands a moment from now, so that no bright edge stays on the same pixels for years. About a pixel a
 * minute: nobody sees it move, and nothing is inverted or dimmed.
 *
 * @param now ms since the epoch
 * @param reach pixels to each side
 */
export function toPixelShift(now: number, reach: number): Shift {
  const along = (periodMs: number): number => Math.round(reach * Math.sin((2 * Math.PI * now) / periodMs))
  return { x: along(PERIOD_X_MS), y: along(PERIOD_Y_MS) }
}
