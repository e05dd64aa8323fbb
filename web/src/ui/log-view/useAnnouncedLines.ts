import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from '../clock.tsx'
import { useLatest } from '../useLatest.ts'
import { toPlainText } from './ansi.ts'
import type { LogLine } from './createLogLines.ts'

/** A screen reader needs some seconds for a sentence; more often it would never end. */
const EVERY_MS = 5_000
const MAX_READ = 160

/**
 * What a polite reader says of new lines: how many, and the last of them, at most every five seconds.
 *
 * @param origin place of the line that was first at the beginning
 */
export function useAnnouncedLines(lines: readonly LogLine[], isFollowing: boolean, origin: number): string {
  const { clock } = useScreenClock()
  const [text, setText] = useState('')
  /** Lines put before the others, and old ones that left, are not new. */
  const count = useLatest(() => lines.length - origin)
  const told = useRef(lines.length - origin)
  useEffect(() => {
    if (!isFollowing) return undefined
    told.current = count()
    let cancel = (): void => undefined
    const tell = (): void => {
      const added = count() - told.current
      if (added > 0) {
        told.current = count()
        const last = toPlainText(lines.at(-1)?.text ?? '').slice(0, MAX_READ)
        setText(added === 1 ? last : `${added.toLocaleString()} new lines. Last: ${last}`)
      }
      cancel = clock.schedule(tell, EVERY_MS)
    }
    cancel = clock.schedule(tell, EVERY_MS)
    return () => cancel()
  }, [clock, lines, count, isFollowing])
  return text
}
