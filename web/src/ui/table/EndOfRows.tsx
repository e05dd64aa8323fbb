import { type RefObject, useEffect, useRef } from 'react'

import { useLatest } from '../useLatest.ts'

import styles from './ResourceTable.module.css'

/** Pixels before the end at which more rows are asked for (third specification, section 9). */
const MORE_BEFORE_PX = 300

interface EndOfRowsProps {
  box: RefObject<HTMLElement | null> | null
  shown: number
  total: number
  onReach: () => void
}

/** Below the last row: asks for more before it is in sight. One per number of rows: the next end may be in sight at once. */
export function EndOfRows({ box, shown, total, onReach }: EndOfRowsProps) {
  const mark = useRef<HTMLParagraphElement>(null)
  const reach = useLatest(onReach)
  useEffect(() => {
    if (mark.current === null) return undefined
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && reach(), {
      root: box?.current ?? null,
      rootMargin: `${MORE_BEFORE_PX}px`,
    })
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [box, reach])
  return (
    <p ref={mark} className={styles['end']}>
      {shown.toLocaleString()} of {total.toLocaleString()}
    </p>
  )
}
