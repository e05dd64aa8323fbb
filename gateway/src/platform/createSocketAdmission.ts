// Which sockets may be opened, for both socket servers: from our own pages or from programs, and limited per address, per person and in
// total. The server finds out who someone is and reports it with `confirm`.
import type { IncomingMessage } from 'node:http'

import { addressBlock } from './addressBlock.ts'
import { createQuota } from './createQuota.ts'
import type { KnownHosts } from './knownHosts.ts'
import { judgeOrigin } from './sameOrigin.ts'

export interface SocketLimits {
  readonly total: number
  readonly perAddress: number
  readonly perPerson: number
  /** Of those whose session is not known yet. */
  readonly pending: number
  readonly pendingPerAddress: number
}

export interface SocketPlace {
  /**
   * The session is known now.
   *
   * @param person null where nobody is anyone in particular
   * @returns false when this person has too many sockets
   */
  confirm(person: string | null): boolean
}

export interface SocketAdmission {
  /** Whether an upgrade comes from a page of this server or from a program (LIVE-51). */
  isOwn(request: IncomingMessage): boolean
  /** @returns what the socket holds until it closes; else why there is no place for it, also for one that has closed already */
  enter(request: IncomingMessage): SocketPlace | 'full' | 'too-many'
}

export interface SocketAdmissionDeps {
  readonly hosts: Pick<KnownHosts, 'hostOf' | 'addressOf'>
  readonly limits: SocketLimits
}

/** Programs identify themselves by one of these headers, which a foreign page cannot set on a WebSocket. */
const PROGRAM_HEADERS = ['x-session-token', 'authorization']

export function createSocketAdmission({ hosts, limits }: SocketAdmissionDeps): SocketAdmission {
  const all = createQuota(limits.total)
  const perAddress = createQuota(limits.perAddress)
  const perPerson = createQuota(limits.perPerson)
  const pending = createQuota(limits.pending)
  const pendingPerAddress = createQuota(limits.pendingPerAddress)

  return {
    isOwn: (request) => {
      const host = hosts.hostOf(request)
      if (host === null) return false
      // Sec-Fetch-Site alone does not admit: every browser sends Origin with a WebSocket, so its absence is suspicious.
      if (request.headers.origin === undefined)
        return PROGRAM_HEADERS.some((name) => request.headers[name] !== undefined)
      return judgeOrigin(request.headers, host) === 'same'
    },

    enter: (request) => {
      // Nobody would hear it close: its places would never be given back.
      if (request.socket.destroyed) return 'full'
      const address = addressBlock(hosts.addressOf(request))
      const whole = enterAll([all, ALL], [pending, ALL])
      if (!whole) return 'full'
      const own = enterAll([perAddress, address], [pendingPerAddress, address])
      if (!own) {
        for (const leave of whole) leave()
        return 'too-many'
      }
      const [leaveAll, settle] = whole
      const [leaveAddress, settleAddress] = own
      const held = [leaveAll, settle, leaveAddress, settleAddress]
      let isGone = false
      // Also when the upgrade fails, and there is no socket to hear of.
      request.socket.once('close', () => {
        isGone = true
        for (const leave of held) leave()
      })
      return {
        confirm: (person) => {
          const leavePerson = person === null || isGone ? () => undefined : perPerson.enter(person)
          if (!leavePerson) return false
          held.push(leavePerson)
          settle()
          settleAddress()
          return true
        },
      }
    },
  }
}

const ALL = ''

type Leave = () => void

/** Both places or none. */
function enterAll(...[first, second]: readonly [Claim, Claim]): [Leave, Leave] | null {
  const leaveFirst = first[0].enter(first[1])
  const leaveSecond = leaveFirst && second[0].enter(second[1])
  if (leaveFirst && leaveSecond) return [leaveFirst, leaveSecond]
  leaveFirst?.()
  return null
}

type Claim = readonly [quota: ReturnType<typeof createQuota>, name: string]
