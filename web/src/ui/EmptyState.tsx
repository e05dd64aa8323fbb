import type { ReactElement, ReactNode } from 'react'

interface EmptyStateProps {
  title?: string
  /** Why it is empty and what can be done. */
  children?: ReactNode
  icon?: ReactElement
  action?: ReactNode
}

/** A list that loaded and has nothing to show. */
export function EmptyState({ title = 'No data available', children, icon, action }: EmptyStateProps) {
  return (
    <div className="wr-state">
      {icon ? <div className="wr-state-icon">{icon}</div> : null}
      <p className="wr-state-title">{title}</p>
      {children ? <div className="wr-state-text">{children}</div> : null}
      {action}
    </div>
  )
}
