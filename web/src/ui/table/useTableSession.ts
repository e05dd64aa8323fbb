// Where someone is in a table: at its first row, or where they were.
import { useLocation } from '@tanstack/react-router'
import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'

import { readTableSession, toTableKey, writeTableSession } from '../../preferences/tableSession.ts'
import { useScreenClock } from '../clock.tsx'

const NONE: readonly never[] = []

/** A wheel comes to rest with every turn of it, and to keep a place takes longer than to scroll there. */
const REST_MS = 200

/** Other filters, another order or page are read from their first row. */
export function useStartAtTop(box: RefObject<HTMLElement | null>, question: string): void {
  const shown = useRef(question)
  useLayoutEffect(() => {
    if (shown.current === question) return
    shown.current = question
    const region = box.current
    region?.scrollTo({ top: 0 })
    // Where the page scrolls instead.
    if (region && region.getBoundingClientRect().top < 0) region.scrollIntoView({ block: 'start' })
  }, [box, question])
}

/** Where the person was in this table at this address: kept for the tab (first specification, section 2). */
export function useTableSession(
  name: string | null,
  box: RefObject<HTMLElement | null>,
  /** Rows that were loaded, where more come at the end. */
  loaded: number | undefined,
) {
  const href = useLocation({ select: (location) => location.href })
  const key = toTableKey(name ?? '', href)
  const { clock } = useScreenClock()
  const scrollTop = useRef(0)
  const [start] = useState(() => (name === null ? null : readTableSession(key)))
  useLayoutEffect(() => {
    if (start !== null && start.scrollTop > 0) box.current?.scrollTo({ top: start.scrollTop })
  }, [start, box])
  const rowsLoaded = useRef(loaded)
  useEffect(() => {
    rowsLoaded.current = loaded
  }, [loaded])
  const keep = useCallback(() => {
    if (name !== null) writeTableSession(key, { scrollTop: scrollTop.current, loaded: rowsLoaded.current })
  }, [name, key])
  const resting = useRef<(() => void) | null>(null)
  // When the table or its address goes, under the address that it had.
  useEffect(
    () => () => {
      resting.current?.()
      keep()
    },
    [keep],
  )
  return {
    expanded: start?.expanded ?? NONE,
    follow: useCallback(() => {
      scrollTop.current = box.current?.scrollTop ?? 0
    }, [box]),
    rest: useCallback(() => {
      resting.current?.()
      resting.current = clock.schedule(keep, REST_MS)
    }, [clock, keep]),
    keepExpanded: (expanded: string[]): void => {
      if (name !== null) writeTableSession(key, { expanded })
    },
  }
}
