import { formatCount } from '@watchroom/shared/catalog'

import { formatFigure } from '../formatFigure.ts'

import styles from './config.module.css'

interface CountProps {
  count: number
  /** From this count on it is emphasized. */
  many?: number
  /** What is counted, shown on hover if it is not clear from the context. */
  words?: string | undefined
}

/** A count, `1.2k+` above 999, in full on hover. */
export function Count({ count, many = Infinity, words }: CountProps) {
  return (
    <span
      className={styles['count']}
      data-many={count >= many || undefined}
      title={[formatFigure(count), words].filter(Boolean).join(' ')}
    >
      {formatCount(count)}
    </span>
  )
}
