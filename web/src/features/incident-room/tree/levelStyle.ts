import type { CSSProperties } from 'react'

/** Tells the style sheet how deep a row stands. */
export function toLevelStyle(level: number): CSSProperties {
  return { '--room-level': level } as CSSProperties
}
