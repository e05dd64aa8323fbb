import { Button } from '@blueprintjs/core'
import { Component, type ReactNode } from 'react'

import { ErrorState } from './ErrorState.tsx'

interface RegionErrorBoundaryProps {
  children: ReactNode
  /** A new value clears the error: the path, or the id of what the region shows. */
  resetKey?: string
  /** Called before the content is rendered again at the person's request. */
  onRetry?: () => void
}

interface RegionErrorBoundaryState {
  error: Error | null
  resetKey: string | undefined
}

/** Keeps an error of rendering inside its region; everything around it stays usable. */
export class RegionErrorBoundary extends Component<RegionErrorBoundaryProps, RegionErrorBoundaryState> {
  override state: RegionErrorBoundaryState = { error: null, resetKey: this.props.resetKey }

  static getDerivedStateFromError(error: unknown): Partial<RegionErrorBoundaryState> {
    return { error: toError(error) }
  }

  static getDerivedStateFromProps(
    props: RegionErrorBoundaryProps,
    state: RegionErrorBoundaryState,
  ): Partial<RegionErrorBoundaryState> | null {
    return props.resetKey === state.resetKey ? null : { error: null, resetKey: props.resetKey }
  }

  readonly #retry = (): void => {
    this.props.onRetry?.()
    this.setState({ error: null })
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === null) return this.props.children
    return <RenderErrorView error={error} onRetry={this.#retry} />
  }
}

/** Code may throw anything; everything after this can rely on an error. */
export function toError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

/** The generic view of an error while rendering. */
export function RenderErrorView({ error, onRetry }: { error: Error; onRetry: () => void }) {
  return (
    <ErrorState
      title="Sorry.. there was an error"
      message={error.message === '' ? 'Something went wrong' : error.message}
      onRetry={onRetry}
      // Helps when a new version was installed while this page was open and its parts are gone from the server.
      actions={<Button text="Reload the page" onClick={() => window.location.reload()} />}
    />
  )
}
