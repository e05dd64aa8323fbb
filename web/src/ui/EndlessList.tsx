import { type ReactNode, useEffect, useRef } from 'react'

import { useLatest } from './useLatest.ts'

import styles from './EndlessList.module.css'

interface EndlessListProps<Row> {
  label: string
  rows: readonly Row[]
  total: number
  keyOf: (row: Row) => string
  renderRow: (row: Row) => ReactNode
  /** The end is near. */
  onMore: () => void
}

/** A list that asks for more rows within 300 pixels of its end (third specification, section 9). */
export function EndlessList<Row>({ label, rows, total, keyOf, renderRow, onMore }: EndlessListProps<Row>) {
  return (
    <>
      <ul className={styles['list']} aria-label={label}>
        {rows.map((row) => (
          <li key={keyOf(row)}>{renderRow(row)}</li>
        ))}
      </ul>
      {rows.length < total ? <EndOfList key={rows.length} shown={rows.length} total={total} onReach={onMore} /> : null}
    </>
  )
}

interface EndOfListProps {
  shown: number
  total: number
  onReach: () => void
  /** Shown instead of the counts. */
  children?: ReactNode
}

/**
 * Below the last row. Its invisible mark extends up over the last rows, whatever element scrolls. Give it the number of rows as key,
 * so that it fires again: the next end may be in view at once.
 */
export function EndOfList({ shown, total, onReach, children }: EndOfListProps) {
  const mark = useRef<HTMLSpanElement>(null)
  const reach = useLatest(onReach)
  useEffect(() => {
    if (mark.current === null) return undefined
    const observer = new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && reach())
    observer.observe(mark.current)
    return () => observer.disconnect()
  }, [reach])
  return (
    <p className={styles['end']}>
      <span ref={mark} className={styles['near']} aria-hidden />
      {children ?? `${shown.toLocaleString()} of ${total.toLocaleString()}`}
    </p>
  )
}
