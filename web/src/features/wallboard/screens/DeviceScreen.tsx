import { wallTopic } from '@watchroom/shared/protocol'
import type { WallDevice } from '@watchroom/shared/wall'
import { useEffect, useEffectEvent, useMemo } from 'react'

import { LiveProvider } from '../../../live/LiveProvider.tsx'
import { ServerTime } from '../../../live/ServerTime.tsx'
import { useTopic } from '../../../live/useTopic.ts'
import { useThemeOverride } from '../../../preferences/theme.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Logo } from '../../../ui/Logo.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { type ShownBoard, WallStage } from '../components/WallStage.tsx'
import { WallSearchSchema } from '../search.ts'
import { useDevice } from './useDevice.ts'
import { useLinkState } from './useLinkState.ts'

/** `/wall/device#token`: one saved board on a screen without an account. */
export function DeviceScreen() {
  const [search] = useSearchState(WallSearchSchema)
  useThemeOverride(search.theme)
  const [state, ask] = useDevice()
  switch (state.kind) {
    case 'waiting':
      return (
        <Message title={state.problem === null ? 'One moment' : 'The server isn’t responding yet'}>
          {state.problem ?? 'Connecting this screen.'}
        </Message>
      )
    case 'refused':
      return <Message title={state.message}>An administrator can make a new link under Wallboards.</Message>
    case 'in':
      return (
        <LiveProvider as="device">
          <ServerTime>
            <DeviceBoard device={state.device} seconds={search.seconds} columns={search.columns} onEnded={ask} />
          </ServerTime>
        </LiveProvider>
      )
  }
}

function Message({ title, children }: { title: string; children: string }) {
  return (
    <main className="wr-full-page">
      <title>Wallboard – Watchroom</title>
      <EmptyState icon={<Logo />} title={title}>
        {children}
      </EmptyState>
    </main>
  )
}

interface DeviceBoardProps {
  device: WallDevice
  seconds: number
  columns: number | undefined
  /** The socket was closed for good: ask why. */
  onEnded: () => void
}

const SHOWS_ALL = { query: '', labels: {} }

function DeviceBoard({ device, seconds, columns, onEnded }: DeviceBoardProps) {
  const { id, name, groupBy } = device.board
  const topic = useTopic(wallTopic, { boardId: id })
  const link = useLinkState()
  const handleEnd = useEffectEvent(onEnded)
  const hasEnded = link.kind === 'ended'
  useEffect(() => {
    if (hasEnded) handleEnd()
  }, [hasEnded])
  // The gateway has filtered already: what comes is what the board shows.
  const boards = useMemo<[ShownBoard]>(() => [{ id, name, view: { filter: SHOWS_ALL, groupBy } }], [id, name, groupBy])
  const ending = link.kind === 'ended' ? <strong>{link.message}</strong> : undefined
  return <WallStage topic={topic} boards={boards} seconds={seconds} columns={columns} ending={ending} />
}
