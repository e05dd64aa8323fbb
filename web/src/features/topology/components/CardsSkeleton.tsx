import type { CSSProperties } from 'react'

import { Pending } from '../../../ui/Pending.tsx'

import styles from '../topology.module.css'

interface CardsSkeletonProps {
  /** Of a card, in CSS pixels. */
  width: number
  /** Cards that probably come. */
  count?: number
}

/** Cards side by side, none narrower than was chosen, unless the page is. */
export const toCardColumns = (width: number): CSSProperties => ({
  gridTemplateColumns: `repeat(auto-fill, minmax(min(${width}px, 100%), 1fr))`,
})

/** Letters of titles: real ones are ragged, too. */
const LETTERS = [16, 11, 20, 14]
const PARTS = 4

/** The shape of cards that are on their way. Appears late, so that a quick answer shows nothing but itself. */
export function CardsSkeleton({ width, count = 8 }: CardsSkeletonProps) {
  return (
    <output className="wr-skeleton" aria-busy aria-label="Loading components">
      <span className="wr-visually-hidden">Loading components</span>
      <span className={styles['cards']} style={toCardColumns(width)} aria-hidden>
        {Array.from({ length: count }, (_, card) => (
          <span key={card} className={styles['card']}>
            <span className={`${styles['head']} ${styles['title']}`}>
              <Pending letters={LETTERS[card % LETTERS.length] ?? 0} />
            </span>
            <span className={styles['children']}>
              {Array.from({ length: PARTS }, (_part, part) => (
                <span key={part} className={styles['child']}>
                  <Pending letters={LETTERS[(card + part) % LETTERS.length] ?? 0} />
                </span>
              ))}
            </span>
          </span>
        ))}
      </span>
    </output>
  )
}
