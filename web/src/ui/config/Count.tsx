import { formatCount } from '@watchroom/shared/catalog'

import styles from './config.module.css'

interface CountProps {
  count: number
  /** From here on it stands out. */
  many?: number
  /** What is counted, where that is not what stands beside it; on hover. */
  words?: string | undefined
}

/** How many there are, `1.2k+` above 999, in full on hover. */
export function Count({ count, many = Infinity, words }: CountProps) {
  return (
    <span
      className={styles['count']}
      data-many={count >= many || undefined}
      title={[count.toLocaleString(), words].filter(Boolean).join(' ')}
    >
      {formatCount(count)}
    </span>
  )
}
