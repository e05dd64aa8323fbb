import { useEffect } from 'react'

import { useLiveClient } from '../../../live/LiveProvider.tsx'
import { useScreenClock } from '../../../ui/clock.tsx'
import { useLatest } from '../../../ui/useLatest.ts'
import { createReleaseWatch } from '../createReleaseWatch.ts'
import { readBuild } from '../queries.ts'

const MIN_AGE_MS = 60_000
/** A page that was reloaded already and is still of another build than the gateway says: the next try may wait. */
const MIN_AGE_RELOADED_MS = 600_000

/** Address of the first script of this page: the name of its build. */
function readOwnBuild(): string | null {
  const script = document.querySelector<HTMLScriptElement>('script[type="module"][src^="/assets/"]')
  return script?.getAttribute('src') ?? null
}

function readMinAge(): number {
  const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
  return navigation?.type === 'reload' ? MIN_AGE_RELOADED_MS : MIN_AGE_MS
}

/** Loads the page anew after a release, when nobody uses it. The address stays, and with it everything that is shown. */
export function useRelease(isIdle: () => boolean): void {
  const { clock } = useScreenClock()
  const client = useLiveClient()
  const isIdleNow = useLatest(isIdle)
  useEffect(() => {
    const watch = createReleaseWatch({
      clock,
      random: Math.random,
      ownBuild: readOwnBuild(),
      readBuild,
      isIdle: isIdleNow,
      minAgeMs: readMinAge(),
      reload: () => window.location.reload(),
    })
    const unlisten = client?.onLink(() => {
      const link = client.link()
      // After a restart the gateway may bring another build along.
      if (link.kind === 'open') watch.check()
      if (link.kind === 'ended' && link.reaction === 'reload') watch.outdated()
    })
    return () => {
      unlisten?.()
      watch.close()
    }
  }, [clock, client, isIdleNow])
}
