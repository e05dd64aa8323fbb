import { useEffect } from 'react'

/** Keeps the screen from going dark while a wall is on it, where the browser can: over https or on this machine. */
export function useScreenAwake(): void {
  useEffect(() => {
    const { wakeLock } = navigator as Partial<Pick<Navigator, 'wakeLock'>>
    if (wakeLock === undefined) return undefined
    let lock: WakeLockSentinel | null = null
    let isGone = false
    const hold = async (): Promise<void> => {
      if (document.visibilityState !== 'visible') return
      try {
        lock = await wakeLock.request('screen')
        if (isGone) await lock.release()
      } catch {
        // Low battery or a policy of the machine: the wall works all the same.
      }
    }
    const handleVisible = (): void => void hold()
    // The browser takes the lock away from a page that is hidden.
    document.addEventListener('visibilitychange', handleVisible)
    void hold()
    return () => {
      isGone = true
      document.removeEventListener('visibilitychange', handleVisible)
      void lock?.release()
    }
  }, [])
}
