// How wide a column can be made, by keys and by pointer.
import type { PointerEvent } from 'react'

/** Pixels that an arrow key makes a column wider or narrower. */
const RESIZE_STEP_PX = 16
const LEAST_WIDTH_PX = 56

export const toWidth = (pixels: number): number => Math.max(LEAST_WIDTH_PX, Math.round(pixels))

/** Pixels that an arrow key changes a width by; 0 for any other key. */
export const toWidthStep = (key: string): number =>
  key === 'ArrowRight' ? RESIZE_STEP_PX : key === 'ArrowLeft' ? -RESIZE_STEP_PX : 0

/** Follows the pointer that went down on the edge of a column, until it is lifted. */
export function dragWidth(
  event: PointerEvent<HTMLElement>,
  startWidth: number,
  onResize: (widthPx: number) => void,
): void {
  if (event.button !== 0) return
  event.preventDefault()
  const edge = event.currentTarget
  const startX = event.clientX
  edge.setPointerCapture(event.pointerId)
  const handleMove = (move: globalThis.PointerEvent): void => onResize(toWidth(startWidth + move.clientX - startX))
  edge.addEventListener('pointermove', handleMove)
  edge.addEventListener('lostpointercapture', () => edge.removeEventListener('pointermove', handleMove), { once: true })
}
