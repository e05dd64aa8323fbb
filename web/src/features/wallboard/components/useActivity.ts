import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'

/** Controls stay this long after the last sign of a person. */
export const CONTROLS_MS = 4_000
/** Nobody uses the page any more. */
const IDLE_MS = 60_000
/** A mouse on a shelf trembles by a pixel or two. */
const TREMBLE_PX = 4

const SIGNS = ['pointerdown', 'keydown', 'focusin', 'wheel'] as const

export interface Activity {
  /** Someone moved the pointer, touched the screen or pressed a key a moment ago. */
  readonly isActive: boolean
  /** Nobody has touched anything for a minute, and nobody is typing. */
  readonly isIdle: () => boolean
}

export function useActivity(): Activity {
  const { clock } = useScreenClock()
  const [isActive, setActive] = useState(false)
  const lastAt = useRef(-Infinity)

  useEffect(() => {
    let cancel = (): void => undefined
    let at: { x: number; y: number } | null = null
    const rest = (): void => {
      // Whoever has the focus in the controls still needs them.
      if (document.activeElement?.closest('[data-controls]')) cancel = clock.schedule(rest, CONTROLS_MS)
      else setActive(false)
    }
    const wake = (): void => {
      lastAt.current = clock.monotonic()
      setActive(true)
      cancel()
      cancel = clock.schedule(rest, CONTROLS_MS)
    }
    const handleMove = (event: PointerEvent): void => {
      const moved = at === null ? 0 : Math.abs(event.screenX - at.x) + Math.abs(event.screenY - at.y)
      if (at === null || moved > TREMBLE_PX) at = { x: event.screenX, y: event.screenY }
      if (moved > TREMBLE_PX) wake()
    }
    window.addEventListener('pointermove', handleMove)
    // Before anyone else: what a key opens must be visible already to take the focus.
    const options = { passive: true, capture: true }
    for (const kind of SIGNS) window.addEventListener(kind, wake, options)
    return () => {
      cancel()
      window.removeEventListener('pointermove', handleMove)
      for (const kind of SIGNS) window.removeEventListener(kind, wake, options)
    }
  }, [clock])

  const isIdle = (): boolean =>
    clock.monotonic() - lastAt.current >= IDLE_MS && document.activeElement?.closest('input, select, textarea') === null
  return { isActive, isIdle }
}
