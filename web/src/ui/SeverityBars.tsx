import { toLabel } from '@watchroom/shared/incidents'
import { ownValue } from '@watchroom/shared/kernel'

interface Look {
  /** Of four. */
  readonly bars: number
  /** Token of `theme.css`. */
  readonly tone: 'healthy' | 'warning' | 'unhealthy' | 'unknown'
}

/** Colors of the second specification, section 4; info and warning have none there. */
const LOOKS: Readonly<Record<string, Look>> = {
  info: { bars: 1, tone: 'unknown' },
  warning: { bars: 1, tone: 'unknown' },
  low: { bars: 1, tone: 'healthy' },
  medium: { bars: 2, tone: 'healthy' },
  high: { bars: 3, tone: 'warning' },
  blocker: { bars: 4, tone: 'unhealthy' },
  critical: { bars: 4, tone: 'unhealthy' },
}
const UNKNOWN: Look = { bars: 0, tone: 'unknown' }

interface SeverityBarsProps {
  severity: string
  /** Shown in place of the word, which stays as what the bars are called. */
  count?: number
}

/** A severity as bars, word and color. */
export function SeverityBars({ severity, count }: SeverityBarsProps) {
  const key = severity.toLowerCase()
  const { bars, tone } = ownValue(LOOKS, key) ?? UNKNOWN
  return (
    <span className="wr-status" data-severity={key} data-tone={tone} style={{ color: `var(--wr-${tone})` }}>
      <svg
        viewBox="0 0 16 16"
        width={14}
        height={14}
        fill="currentColor"
        {...(count === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': toLabel(severity) })}
      >
        {[0, 1, 2, 3].map((bar) => (
          <rect
            key={bar}
            x={bar * 4 + 0.5}
            y={11 - bar * 3}
            width={3}
            height={5 + bar * 3}
            rx={0.8}
            opacity={bar < bars ? 1 : 0.22}
          />
        ))}
      </svg>
      <span>{count === undefined ? toLabel(severity) : count.toLocaleString()}</span>
    </span>
  )
}
