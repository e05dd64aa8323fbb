// A separate gateway for each organization: created when one of its people arrives, closed after a while without anyone. Nothing that one
// knows, keeps or sends is within reach of another (ADR 20).
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Duplex } from 'node:stream'

import { type Clock, createTimer } from '@watchroom/shared/kernel'

import type { Organization } from '../hosted/contract.ts'
import type { Target } from '../hosted/createHostedDoor.ts'
import { hostedErrors } from '../hosted/errors.ts'
import { CodedError } from '../platform/errors.ts'
import type { Logger } from '../platform/logger.ts'
import type { Gateway } from './buildGateway.ts'

export interface OrganizationSettings {
  /** Open at once; each costs some megabytes and the connections of its databases. */
  readonly max: number
  /** Without a request and without a socket. */
  readonly idleMs: number
}

export const ORGANIZATION_SETTINGS: OrganizationSettings = { max: 100, idleMs: 900_000 }

const LOOK_EVERY_MS = 30_000

/** One that is served. */
export interface OpenOrganization {
  readonly gateway: Gateway
  /** Ends what was started for it. */
  readonly close: () => Promise<void>
}

interface Entry {
  readonly opening: Promise<OpenOrganization>
  open: OpenOrganization | null
  /** Requests and sockets under way. */
  users: number
  /** Monotonic time. */
  usedAt: number
}

export interface OrganizationGateways {
  /** @throws CodedError HOSTED_PROVISIONING, HOSTED_ORGANIZATIONS_FULL */
  find(organization: Organization): Promise<Target>
  /** Those that are served now. */
  gateways(): Gateway[]
  close(): Promise<void>
}

export interface OrganizationGatewaysDeps {
  readonly open: (organization: Organization & { readonly backendUrl: string }) => Promise<OpenOrganization>
  readonly settings: OrganizationSettings
  readonly clock: Clock
  readonly logger: Logger
}

export function createOrganizationGateways(deps: OrganizationGatewaysDeps): OrganizationGateways {
  const { clock, logger, settings } = deps
  /** By id and address: an organization that moved is another one. */
  const entries = new Map<string, Entry>()
  /** Under way: documents are written back meanwhile, and the process must not end before. */
  const endings = new Set<Promise<void>>()
  const timer = createTimer(clock)

  const closeInOrder = async ({ opening }: Entry): Promise<void> => {
    try {
      await (await opening).close()
    } catch (error) {
      logger.warn({ err: error }, 'an organization that nobody uses was not ended in order')
    }
  }

  const end = (key: string, entry: Entry): void => {
    entries.delete(key)
    const ending = closeInOrder(entry).finally(() => endings.delete(ending))
    endings.add(ending)
  }

  const isIdle = ({ users, usedAt }: Entry): boolean => users === 0 && clock.monotonic() - usedAt >= settings.idleMs

  const sweep = (): void => {
    for (const [key, entry] of entries) if (isIdle(entry)) end(key, entry)
    timer.set(sweep, LOOK_EVERY_MS)
  }
  timer.set(sweep, LOOK_EVERY_MS)

  /** @returns false when everything is in use */
  const makeRoom = (): boolean => {
    if (entries.size < settings.max) return true
    const unused = [...entries].filter(([, { users }]) => users === 0)
    const [oldest] = unused.toSorted(([, a], [, b]) => a.usedAt - b.usedAt)
    if (oldest) end(...oldest)
    return oldest !== undefined
  }

  const enter = (organization: Organization & { readonly backendUrl: string }): Entry => {
    const key = `${organization.id}\n${organization.backendUrl}`
    const before = entries.get(key)
    if (before) return before
    if (!makeRoom()) throw new CodedError(hostedErrors.HOSTED_ORGANIZATIONS_FULL)
    const opening = deps.open(organization)
    const entry: Entry = { opening, open: null, users: 0, usedAt: clock.monotonic() }
    entries.set(key, entry)
    opening.then(
      (open) => (entry.open = open),
      () => entries.delete(key),
    )
    return entry
  }

  /** Counts someone until one of these closes. @returns false when they have left already */
  const stay = (entry: Entry, ...ends: readonly (Duplex | ServerResponse)[]): boolean => {
    const leave = (): void => {
      for (const end of ends) end.off('close', leave)
      entry.users -= 1
      entry.usedAt = clock.monotonic()
    }
    // Opening an organization takes a while, in which people close their pages.
    const isGone = ends.some(({ destroyed }) => destroyed)
    if (isGone) leave()
    else for (const end of ends) end.once('close', leave)
    return !isGone
  }

  return {
    find: async ({ backendUrl, ...organization }) => {
      if (backendUrl === null) throw new CodedError(hostedErrors.HOSTED_PROVISIONING)
      const entry = enter({ ...organization, backendUrl })
      // Counted before it is waited for, so that nobody ends it meanwhile.
      entry.users += 1
      try {
        const { app } = (await entry.opening).gateway
        return {
          handle: (request: IncomingMessage, response: ServerResponse) => {
            // An answer that stands behind another one of its socket is not told that the socket has closed.
            if (stay(entry, response, request.socket)) app.routing(request, response)
          },
          upgrade: (request, socket, head) => {
            if (stay(entry, socket)) app.server.emit('upgrade', request, socket, head)
          },
        }
      } catch (error) {
        entry.users -= 1
        throw error
      }
    },
    gateways: () => [...entries.values()].flatMap(({ open }) => (open ? [open.gateway] : [])),
    close: async () => {
      timer.clear()
      for (const [key, entry] of entries) end(key, entry)
      await Promise.all(endings)
    },
  }
}
