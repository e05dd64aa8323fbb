import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from '../clock.tsx'
import { toPlainText } from './ansi.ts'
import type { LogLine } from './createLogLines.ts'

/** A screen reader needs some seconds for a sentence; more often it would never end. */
const EVERY_MS = 5_000
const MAX_READ = 160

/** What a polite reader says of new lines: how many, and the last of them, at most every five seconds. */
export function useAnnouncedLines(lines: readonly LogLine[], isFollowing: boolean): string {
  const { clock } = useScreenClock()
  const [text, setText] = useState('')
  const told = useRef(lines.length)
  useEffect(() => {
    if (!isFollowing) return undefined
    told.current = lines.length
    let cancel = (): void => undefined
    const tell = (): void => {
      const count = lines.length - told.current
      if (count > 0) {
        told.current = lines.length
        const last = toPlainText(lines.at(-1)?.text ?? '').slice(0, MAX_READ)
        setText(count === 1 ? last : `${count.toLocaleString()} new lines. Last: ${last}`)
      }
      cancel = clock.schedule(tell, EVERY_MS)
    }
    cancel = clock.schedule(tell, EVERY_MS)
    return () => cancel()
  }, [clock, lines, isFollowing])
  return text
}
