import { ownValue } from '@watchroom/shared/kernel'

/** Where the cross-hair is, as indices of points; both null while it is away. */
export interface ChartCursor {
  readonly index: number | null
  /** The other end of the selection. */
  readonly anchor: number | null
}

export const NO_CURSOR: ChartCursor = { index: null, anchor: null }

export type ChartKeyStep =
  | { readonly kind: 'move'; readonly cursor: ChartCursor }
  /** Zoom to the span between these points. */
  | { readonly kind: 'zoom'; readonly from: number; readonly to: number }
  /** Not a key of the chart. */
  | { readonly kind: 'none' }

const NONE: ChartKeyStep = { kind: 'none' }
const PAGE = 10

const STEPS: Record<string, number> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  PageUp: -PAGE,
  PageDown: PAGE,
  Home: Number.NEGATIVE_INFINITY,
  End: Number.POSITIVE_INFINITY,
}

/**
 * What a key does to the cross-hair: arrows move it, with Shift they select, Enter zooms into the selection, Escape removes the
 * selection, then the cross-hair. It starts at the newest point.
 *
 * @param count points of the chart
 */
export function stepChart(
  cursor: ChartCursor,
  { key, shiftKey }: { key: string; shiftKey: boolean },
  count: number,
): ChartKeyStep {
  const { index, anchor } = cursor
  const step = ownValue(STEPS, key)
  if (step !== undefined && count > 0) {
    const last = count - 1
    const next = index === null ? toStart(step, last) : Math.min(last, Math.max(0, index + step))
    return { kind: 'move', cursor: { index: next, anchor: shiftKey ? (anchor ?? index ?? next) : null } }
  }
  if (key === 'Enter' && index !== null && anchor !== null && anchor !== index) {
    return { kind: 'zoom', from: Math.min(index, anchor), to: Math.max(index, anchor) }
  }
  if (key === 'Escape' && anchor !== null) return { kind: 'move', cursor: { index, anchor: null } }
  if (key === 'Escape' && index !== null) return { kind: 'move', cursor: NO_CURSOR }
  return NONE
}

const toStart = (step: number, last: number): number => (step === Number.NEGATIVE_INFINITY ? 0 : last)
