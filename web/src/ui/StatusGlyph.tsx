import type { ReactElement } from 'react'

export type GlyphStatus = 'healthy' | 'unhealthy' | 'warning' | 'unknown' | 'paused' | 'running' | 'deleted'

interface Glyph {
  word: string
  /** Token of `theme.css`. */
  tone: 'healthy' | 'unhealthy' | 'warning' | 'unknown' | 'running'
  shape: ReactElement
}

const stroke = {
  fill: 'none',
  stroke: 'var(--wr-surface)',
  strokeWidth: 1.8,
  strokeLinecap: 'round',
  strokeLinejoin: 'round',
} as const

/** Shape, word and color say the same, so that nobody depends on one of them. */
const GLYPHS: Record<GlyphStatus, Glyph> = {
  healthy: {
    word: 'Healthy',
    tone: 'healthy',
    shape: (
      <>
        <circle cx="8" cy="8" r="7" />
        <path d="m4.8 8.3 2.2 2.2 4.2-4.7" {...stroke} />
      </>
    ),
  },
  unhealthy: {
    word: 'Unhealthy',
    tone: 'unhealthy',
    shape: (
      <>
        <path d="M8 .4 15.6 8 8 15.6.4 8Z" />
        <path d="m5.7 5.7 4.6 4.6m0-4.6-4.6 4.6" {...stroke} />
      </>
    ),
  },
  warning: {
    word: 'Warning',
    tone: 'warning',
    shape: (
      <>
        <path d="M8 1.2a1 1 0 0 1 .9.5l6.6 11.6a1 1 0 0 1-.9 1.5H1.4a1 1 0 0 1-.9-1.5L7.1 1.7a1 1 0 0 1 .9-.5Z" />
        <path d="M8 6v3.6m0 2.4v.1" {...stroke} />
      </>
    ),
  },
  unknown: {
    word: 'Unknown',
    tone: 'unknown',
    shape: <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" strokeDasharray="3 2.3" />,
  },
  paused: {
    word: 'Suspended',
    tone: 'unknown',
    shape: <path d="M3 2h3.6v12H3zM9.4 2H13v12H9.4z" />,
  },
  running: {
    word: 'Running',
    tone: 'running',
    shape: (
      <>
        <circle cx="8" cy="8" r="6" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="M8 2a6 6 0 0 1 0 12Z" />
      </>
    ),
  },
  deleted: {
    word: 'Deleted',
    tone: 'unknown',
    shape: (
      <>
        <rect x="2" y="2" width="12" height="12" rx="1.5" fill="none" stroke="currentColor" strokeWidth="2" />
        <path d="m2 14 12-12" stroke="currentColor" strokeWidth="2" />
      </>
    ),
  },
}

interface StatusGlyphProps {
  status: GlyphStatus
  /** Replaces the glyph's word, for example with the spelling of the source. */
  word?: string | undefined
  /** Show the glyph alone; the word stays as its accessible name. */
  isWordHidden?: boolean
  /** Pixels. */
  size?: number
}

/** A judgement as shape and word. Never color alone. */
export function StatusGlyph({ status, word, isWordHidden = false, size = 14 }: StatusGlyphProps) {
  const glyph = GLYPHS[status]
  const text = word ?? glyph.word
  return (
    <span className="wr-status" data-status={status} style={{ color: `var(--wr-${glyph.tone})` }}>
      <svg
        viewBox="0 0 16 16"
        width={size}
        height={size}
        fill="currentColor"
        {...(isWordHidden ? { role: 'img', 'aria-label': text } : { 'aria-hidden': true })}
      >
        {glyph.shape}
      </svg>
      {isWordHidden ? null : <span>{text}</span>}
    </span>
  )
}
