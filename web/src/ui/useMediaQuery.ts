import { useMemo, useSyncExternalStore } from 'react'

/** Whether the window matches a media query now. */
export function useMediaQuery(query: string): boolean {
  // Made once: to make one has the browser lay out what was just drawn.
  const { subscribe, matches } = useMemo(() => {
    const list = window.matchMedia(query)
    return {
      subscribe: (onChange: () => void) => {
        list.addEventListener('change', onChange)
        return () => list.removeEventListener('change', onChange)
      },
      matches: () => list.matches,
    }
  }, [query])
  return useSyncExternalStore(subscribe, matches)
}
