import { Link } from '@tanstack/react-router'
import type { CSSProperties, ReactNode } from 'react'

import styles from './ChoiceCards.module.css'

interface ChoiceCardProps {
  /** In a `ChoiceIcon` where the card has room for one. */
  icon?: ReactNode
  title: string
  /** What it is for. */
  text?: string
  /** What else to know, for example why it cannot be chosen. */
  note?: string | null
  isDisabled?: boolean
  /** Where it leads, or else what choosing it does. */
  to?: string
  onChoose?: () => void
}

/** One of several kinds of things to add. */
export function ChoiceCard({ icon, title, text, note = null, isDisabled = false, to, onChoose }: ChoiceCardProps) {
  const content = (
    <>
      {icon}
      {text === undefined ? (
        title
      ) : (
        <span>
          <strong>{title}</strong>
          <span className="wr-muted">{text}</span>
          {note === null ? null : <span className={`${styles['note']} wr-muted`}>{note}</span>}
        </span>
      )}
    </>
  )
  return (
    <li>
      {to === undefined ? (
        <button
          type="button"
          className={styles['card']}
          aria-disabled={isDisabled}
          onClick={isDisabled ? undefined : onChoose}
        >
          {content}
        </button>
      ) : (
        <Link to={to} className={styles['card']}>
          {content}
        </Link>
      )}
    </li>
  )
}

export const ChoiceIcon = ({ children }: { children: ReactNode }) => <span className={styles['icon']}>{children}</span>

interface ChoiceCardsProps {
  /** What a card needs, in pixels. */
  width: number
  children: ReactNode
}

export const ChoiceCards = ({ width, children }: ChoiceCardsProps) => (
  <ul className={styles['cards']} style={{ '--card-width': `${width}px` } as CSSProperties}>
    {children}
  </ul>
)
