import { type ReactNode, useMemo } from 'react'

import { ScreenClockProvider } from '../ui/clock.tsx'
import { systemClock } from './clock.ts'
import { useLiveClient } from './LiveProvider.tsx'

const localTime = { clock: systemClock, serverNow: () => systemClock.now() }

/** The time of this machine: all there is until a message from the gateway tells the server's. */
export function LocalTime({ children }: { children: ReactNode }) {
  return <ScreenClockProvider value={localTime}>{children}</ScreenClockProvider>
}

/** The server's time: the clock of this machine may be wrong. */
export function ServerTime({ children }: { children: ReactNode }) {
  const client = useLiveClient()
  const time = useMemo(() => client && { clock: systemClock, serverNow: client.serverNow }, [client])
  return <ScreenClockProvider value={time ?? localTime}>{children}</ScreenClockProvider>
}
