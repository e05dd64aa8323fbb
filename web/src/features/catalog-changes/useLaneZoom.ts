import { type PointerEvent, type RefObject, useEffect, useState } from 'react'

import type { LaneWindow } from './lanes.ts'

/** Less is a click. */
const MIN_PX = 8

interface Drag {
  readonly start: number
  readonly end: number
  /** Edges of the tracks. */
  readonly left: number
  readonly right: number
  /** Left edge of the box. */
  readonly origin: number
}

/** A range drawn with the pointer over the tracks becomes the window. A finger scrolls instead. */
export function useLaneZoom(
  box: RefObject<HTMLElement | null>,
  window: LaneWindow,
  onZoom: (window: LaneWindow) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null)

  function handlePointerDown({ button, pointerType, clientX, target }: PointerEvent): void {
    const track = box.current?.querySelector('[data-axis]')?.getBoundingClientRect()
    const isOnTrack = target instanceof Element && target.closest('[data-lane] > :last-child') !== null
    if (button !== 0 || pointerType === 'touch' || !track || !isOnTrack || target.closest('button')) return
    const origin = box.current?.getBoundingClientRect().left ?? 0
    setDrag({ start: clientX, end: clientX, left: track.left, right: track.right, origin })
  }

  useEffect(() => {
    if (drag === null) return undefined
    const handleMove = ({ clientX }: MouseEvent): void => setDrag({ ...drag, end: clientX })
    const handleUp = (): void => {
      setDrag(null)
      const [from, to] = [Math.min(drag.start, drag.end), Math.max(drag.start, drag.end)]
      if (to - from >= MIN_PX) onZoom({ from: toMoment(from, drag, window), to: toMoment(to, drag, window) })
    }
    const handleKeyDown = ({ key }: KeyboardEvent): void => {
      if (key === 'Escape') setDrag(null)
    }
    document.addEventListener('pointermove', handleMove)
    document.addEventListener('pointerup', handleUp)
    document.addEventListener('keydown', handleKeyDown)
    return () => {
      document.removeEventListener('pointermove', handleMove)
      document.removeEventListener('pointerup', handleUp)
      document.removeEventListener('keydown', handleKeyDown)
    }
  }, [drag, window, onZoom])

  const isDrawn = drag !== null && Math.abs(drag.end - drag.start) >= MIN_PX
  return {
    onPointerDown: handlePointerDown,
    /** Pixels from the left edge of the box. */
    shown: isDrawn
      ? { left: Math.min(drag.start, drag.end) - drag.origin, width: Math.abs(drag.end - drag.start) }
      : null,
  }
}

function toMoment(x: number, { left, right }: Drag, { from, to }: LaneWindow): number {
  const share = Math.max(0, Math.min(1, (x - left) / Math.max(1, right - left)))
  return Math.round(from + share * (to - from))
}
