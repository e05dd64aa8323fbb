import type { HealthTransition } from '@watchroom/shared/topology'
import { useEffect, useRef, useState } from 'react'

import { useScreenClock } from '../../../ui/clock.tsx'

/** A screen reader says one sentence at a time. */
const CALM_MS = 5_000

/** Says what became different, one sentence for all of five seconds. */
export function Announcement({ transitions }: { transitions: readonly HealthTransition[] }) {
  const { clock } = useScreenClock()
  const [text, setText] = useState('')
  const unsaid = useRef<readonly HealthTransition[]>([])
  const seen = useRef(transitions)
  const waiting = useRef<(() => void) | null>(null)
  useEffect(() => {
    const known = new Set(seen.current)
    seen.current = transitions
    unsaid.current = [...unsaid.current, ...transitions.filter((transition) => !known.has(transition))]
    if (waiting.current !== null) return
    say()

    function say(): void {
      const news = unsaid.current
      unsaid.current = []
      waiting.current = news.length === 0 ? null : clock.schedule(say, CALM_MS)
      if (news.length > 0) setText(toSentence(news))
    }
  }, [transitions, clock])
  useEffect(() => () => waiting.current?.(), [])
  return <output className="wr-visually-hidden">{text}</output>
}

function toSentence(news: readonly HealthTransition[]): string {
  const last = news.at(-1)
  if (last === undefined) return ''
  const others = new Set(news.map(({ id }) => id)).size - 1
  return `${last.name} is ${last.to}${others > 0 ? `, ${others.toLocaleString()} more changed` : ''}`
}
