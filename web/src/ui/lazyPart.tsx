import { type ComponentType, lazy, useState } from 'react'

import { RegionErrorBoundary } from './RegionErrorBoundary.tsx'

/**
 * A part of a page that is loaded when it is wanted. Where it cannot be, without a network or gone from the server after an
 * upgrade, the error stands in its place: what is around it stays, and it can be asked for again.
 */
export function lazyPart<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  const start = () =>
    lazy(async () => {
      try {
        return { default: await load() }
      } catch {
        throw new Error('This part could not be loaded. Reload the page if Watchroom was updated.')
      }
    })
  // What `lazy` has once failed to load it never asks for again.
  let newest = start()
  return function LazyPart(props) {
    const [Part, setPart] = useState(() => newest)
    const restart = (): void => {
      newest = start()
      setPart(() => newest)
    }
    return (
      <RegionErrorBoundary onRetry={restart}>
        <Part {...props} />
      </RegionErrorBoundary>
    )
  }
}
