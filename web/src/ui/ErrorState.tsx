import { Button } from '@blueprintjs/core'
import { Refresh } from '@blueprintjs/icons'
import type { ReactNode } from 'react'

import { StatusGlyph } from './StatusGlyph.tsx'

interface ErrorStateProps {
  title?: string
  message: string
  onRetry?: (() => void) | undefined
  isRetrying?: boolean
  /** More actions. */
  actions?: ReactNode
}

/** Something could not be loaded: what happened, in place, with a way to try again. */
export function ErrorState({
  title = 'Something went wrong',
  message,
  onRetry,
  isRetrying = false,
  actions,
}: ErrorStateProps) {
  return (
    <div className="wr-state" role="alert">
      <div className="wr-state-icon">
        <StatusGlyph status="unhealthy" size={28} isWordHidden word="Failed" />
      </div>
      <p className="wr-state-title">{title}</p>
      {message === title ? null : <p className="wr-state-text">{message}</p>}
      <div className="wr-state-actions">
        {onRetry ? (
          <Button icon={<Refresh />} text="Try again" onClick={onRetry} loading={isRetrying} intent="primary" />
        ) : null}
        {actions}
      </div>
    </div>
  )
}
