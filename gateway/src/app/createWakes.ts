// Passes on what databases announce: the gateway's own, which is also the embedded backend's, and that of a foreign backend where its
// address is known.
import { toDocumentName } from '@watchroom/shared/collab'
import type { Clock } from '@watchroom/shared/kernel'
import type { Wake } from '@watchroom/shared/protocol'

import type { Access } from '../access/contract.ts'
import type { Collab } from '../collab/contract.ts'
import type { Live } from '../live/contract.ts'
import { createDatabaseWake, OWN_WAKES } from '../platform/databaseWake.ts'
import type { Logger } from '../platform/logger.ts'
import { BACKEND_SIGNS } from './backendSigns.ts'
import { DOCUMENT_KINDS } from './documentKinds.ts'
import type { Dependency } from './operations.ts'

export interface WakesDeps {
  /** Of the gateway, null while it is not known; absent where there is none. */
  readonly databaseUrl: (() => string | null) | undefined
  /** Of a foreign backend, where an operator gave it. */
  readonly backendDatabaseUrl: string | undefined
  readonly isBackendForeign: boolean
  readonly clock: Clock
  readonly random: () => number
  readonly logger: Logger
  readonly access: Pick<Access, 'invalidate'>
  readonly live: Pick<Live, 'wake'>
  readonly wall: { readonly wake: () => void }
  readonly topologyHistory: { readonly wake: () => void }
  readonly unattended: { readonly wake: () => void } | undefined
  /** Made later than this. */
  readonly collab: () => Collab | undefined
}

export interface Wakes {
  /** Our own backend tells of changed rights and ended sessions. */
  readonly areRightsAnnounced: () => boolean
  /** Changes of the backend's rows are heard at once. */
  readonly areChangesAnnounced: () => boolean
  readonly dependencies: readonly Dependency[]
  /** Someone wrote into a table through the gateway, which a foreign backend may not announce. */
  readonly onWritten: (table: string) => void
  readonly close: () => Promise<void>
}

export function createWakes(deps: WakesDeps): Wakes {
  const { access, clock, random, live, wall } = deps

  const onWake = ({ name, id }: Wake): void => {
    if (name === 'rights') return access.invalidate(id === null ? 'all' : { userId: id })
    if (name === 'wall') return wall.wake()
    if (name === 'settings' && id !== null) return live.wake('settings', { table: id })
    if (name === 'config' && id !== null) return live.wake('config', { id })
    if (name === 'playbookOutput' && id !== null) return live.wake('playbookOutput', { actionId: id })
    if (name === 'playbookRun' && id !== null) return live.wake('playbookRun', { id })
    if (name === 'playbookRuns') live.wake('waitingRuns')
    if (name === 'topology') deps.topologyHistory.wake()
    if (name !== 'incidents') return live.wake(name)
    live.wake('incidents')
    live.wake('incident', id === null ? undefined : { id })
    deps.unattended?.wake()
    deps.collab()?.wake(id === null ? undefined : toDocumentName(DOCUMENT_KINDS.incident.name, id))
  }
  /** Notifications sent meanwhile are lost, among them that someone's session ended. */
  const onConnected = (): void => {
    access.invalidate('all')
    live.wake()
    deps.collab()?.wake()
    wall.wake()
    deps.topologyHistory.wake()
  }
  const open = (databaseUrl: () => string | null, dialect: typeof OWN_WAKES, part: string) =>
    createDatabaseWake({
      databaseUrl,
      dialect,
      clock,
      random,
      logger: deps.logger.child({ part }),
      onWake,
      onConnected,
    })

  const own = deps.databaseUrl && open(deps.databaseUrl, OWN_WAKES, 'wake')
  const { backendDatabaseUrl: url } = deps
  const foreign =
    deps.isBackendForeign && url !== undefined ? open(() => url, BACKEND_SIGNS, 'backend-wake') : undefined
  const backends = deps.isBackendForeign ? foreign : own
  return {
    areRightsAnnounced: () => !deps.isBackendForeign && own?.isConnected() === true,
    areChangesAnnounced: () => backends?.isConnected() === true,
    dependencies: [
      ...(own ? [toDependency('databaseWake', own, 'connected', 'disconnected')] : []),
      ...(foreign ? [toDependency('backendWake', foreign, CHANGES_HEARD, 'disconnected: changes are asked for')] : []),
      ...(deps.isBackendForeign && !foreign ? [POLLED] : []),
    ],
    onWritten: (table) => {
      if (!deps.isBackendForeign) return
      // Rights are looked up again within bounds of their own: a new member of a team is no reason to ask about everyone.
      for (const wake of BACKEND_SIGNS.toWakes('table_activity', table)) if (wake.name !== 'rights') onWake(wake)
    },
    close: async () => {
      await Promise.all([own?.close(), foreign?.close()])
    },
  }
}

const CHANGES_HEARD = 'connected: changes are heard at once'

/** Not a fault: the operator chose it. */
const POLLED: Dependency = {
  name: 'backendWake',
  isOptional: true,
  check: () => ({ isReady: true, state: 'not set: changes are asked for' }),
}

/** Without it changes are found by polling: later, but found. */
const toDependency = (name: string, wake: { isConnected: () => boolean }, heard: string, lost: string): Dependency => ({
  name,
  isOptional: true,
  check: () => ({ isReady: wake.isConnected(), state: wake.isConnected() ? heard : lost }),
})
