/* oxlint-disable jsx-a11y/prefer-tag-over-role -- a picture made of spans: there is no file that an img could show */
import { toHealthBar } from '@watchroom/shared/catalog'

import styles from './config.module.css'

interface HealthBarProps {
  /** Items by health, as the backend counts them. */
  health: Readonly<Record<string, number>> | null | undefined
  /** All items; those without a health count as unknown. */
  count: number
}

/** The health of many items at a glance, in words for screen readers and on hover. */
export function HealthBar({ health, count }: HealthBarProps) {
  const parts = toHealthBar(health, count)
  if (parts.length === 0) return null
  const text = parts.map((part) => `${part.count.toLocaleString()} ${part.health}`).join(', ')
  return (
    <span className={styles['bar']} role="img" aria-label={text} title={text}>
      {parts.map((part) => (
        <span key={part.health} data-health={part.health} style={{ flexGrow: part.count }} />
      ))}
    </span>
  )
}
