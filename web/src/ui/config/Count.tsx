import { formatCount } from '@watchroom/shared/catalog'

import styles from './config.module.css'

interface CountProps {
  count: number
  /** From here on it stands out. */
  many?: number
}

/** How many there are, `1.2k+` above 999, in full on hover. */
export function Count({ count, many = Infinity }: CountProps) {
  return (
    <span className={styles['count']} data-many={count >= many || undefined} title={count.toLocaleString()}>
      {formatCount(count)}
    </span>
  )
}
