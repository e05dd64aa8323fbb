// How many calls one caller may have under way through the proxy: the connections of the database are few, and everyone shares them.
import { embedDepth, type RouteRule } from '@watchroom/shared/access'
import { type Clock, NIL_UUID } from '@watchroom/shared/kernel'
import type { FastifyReply, FastifyRequest } from 'fastify'

import { addressBlock } from '../platform/addressBlock.ts'
import { type CallSlots, type CallSlotSettings, createCallSlots } from '../platform/createCallSlots.ts'
import { CodedError } from '../platform/errors.ts'
import { callerSignal, onceEnded } from '../platform/http/callerSignal.ts'
import { proxyErrors } from './errors.ts'

const MAX_WAIT_MS = 10_000
/** How long a refused caller should wait; sooner they would find the same line. */
const RETRY_AFTER_S = 1

/** A page opens with a dozen calls and then makes one at a time. */
const SETTINGS = {
  database: { perCaller: 4, waitingPerCaller: 60, maxWaitMs: MAX_WAIT_MS },
  /** Rows within rows within rows: each joins tables while the database works for nobody else on that core. */
  nested: { perCaller: 1, waitingPerCaller: 60, maxWaitMs: MAX_WAIT_MS },
  other: { perCaller: 12, waitingPerCaller: 60, maxWaitMs: MAX_WAIT_MS },
  /** Runs, trials, files and the long polls of agents stay for minutes. */
  long: { perCaller: 8, waitingPerCaller: 8, maxWaitMs: MAX_WAIT_MS },
} satisfies Record<string, CallSlotSettings>

/** An office behind one address; also all there is to tell callers apart who do not sign in. */
const ADDRESS_SETTINGS: CallSlotSettings = { perCaller: 64, waitingPerCaller: 256, maxWaitMs: MAX_WAIT_MS }

/** Each agent of a site holds one all the time, which must not take the places of people behind the same address. */
const WAIT_SETTINGS: CallSlotSettings = { perCaller: 1_000, waitingPerCaller: 0, maxWaitMs: MAX_WAIT_MS }

const MIB = 1_048_576
/** What people write by hand is below this; larger ones stand in a line of their own before a byte of them is read. */
const LARGE_BODY_BYTES = 65_536

/** Bodies at once, and bytes. A person imports some megabytes at once and then one a second; a site's agents push more. */
export const BODY_SETTINGS = {
  person: {
    perCaller: 2,
    waitingPerCaller: 60,
    maxWaitMs: MAX_WAIT_MS,
    budget: { burst: 16 * MIB, perSecond: MIB },
  },
  address: {
    perCaller: 16,
    waitingPerCaller: 256,
    maxWaitMs: MAX_WAIT_MS,
    budget: { burst: 64 * MIB, perSecond: 8 * MIB },
  },
} satisfies Record<string, CallSlotSettings>

export interface CallLimits {
  readonly perPerson: Readonly<Record<keyof typeof SETTINGS, CallSlots>>
  readonly perAddress: CallSlots
  readonly waits: CallSlots
  readonly bodies: Readonly<Record<keyof typeof BODY_SETTINGS, CallSlots>>
}

type Line = readonly [CallSlots, string]

export const createCallLimits = (clock: Clock): CallLimits => ({
  perPerson: {
    database: createCallSlots(clock, SETTINGS.database),
    nested: createCallSlots(clock, SETTINGS.nested),
    other: createCallSlots(clock, SETTINGS.other),
    long: createCallSlots(clock, SETTINGS.long),
  },
  perAddress: createCallSlots(clock, ADDRESS_SETTINGS),
  waits: createCallSlots(clock, WAIT_SETTINGS),
  bodies: {
    person: createCallSlots(clock, BODY_SETTINGS.person),
    address: createCallSlots(clock, BODY_SETTINGS.address),
  },
})

/**
 * Waits before a large body, or one that does not say how large it is, is read.
 *
 * @throws CodedError PROXY_TOO_MANY_CALLS
 */
export async function enterBodyLine(request: FastifyRequest, reply: FastifyReply, limits: CallLimits): Promise<void> {
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers
  const isLarge = length === undefined ? encoding !== undefined : Number(length) > LARGE_BODY_BYTES
  if (isLarge) await enterAll(reply, [bodyLineOf(request, limits)])
}

/** Counts a body that was read. */
export function chargeBody(request: FastifyRequest, bytes: number, limits: CallLimits): void {
  if (bytes <= LARGE_BODY_BYTES) return
  const [slots, key] = bodyLineOf(request, limits)
  slots.charge(key, bytes)
}

/**
 * Waits for a place in each line that this call belongs to; the places are given back when its answer is sent, or its caller gone.
 *
 * @throws CodedError PROXY_TOO_MANY_CALLS
 */
export const enterLine = (
  request: FastifyRequest,
  reply: FastifyReply,
  rule: RouteRule,
  limits: CallLimits,
): Promise<void> => enterAll(reply, linesOf(request, rule, limits))

async function enterAll(reply: FastifyReply, lines: readonly Line[]): Promise<void> {
  const gone = callerSignal(reply)
  for (const [slots, key] of lines) {
    const slot = await slots.enter(key, gone)
    if (slot.kind === 'gone') break
    if (slot.kind !== 'entered') {
      void reply.header('retry-after', String(RETRY_AFTER_S))
      throw new CodedError(proxyErrors.PROXY_TOO_MANY_CALLS)
    }
    onceEnded(reply, slot.leave)
  }
  if (gone.aborted) throw new CodedError(proxyErrors.PROXY_CALLER_GONE)
}

/** Null where nobody signs in, and for agents: in some backends each of them is a person. */
function personOf({ identity, target }: FastifyRequest): string | null {
  const userId = target?.rule.isForAgents ? NIL_UUID : (identity?.userId ?? NIL_UUID)
  return userId === NIL_UUID ? null : userId
}

/** Whoever is nobody is counted by their address. */
function bodyLineOf(request: FastifyRequest, { bodies }: CallLimits): Line {
  const person = personOf(request)
  return person === null ? [bodies.address, addressBlock(request.ip)] : [bodies.person, person]
}

function linesOf(request: FastifyRequest, rule: RouteRule, limits: CallLimits): Line[] {
  if (rule.isWait) return [[limits.waits, addressBlock(request.ip)]]
  const person = personOf(request)
  const kind = kindOf(rule)
  // Agents of one site share its address and hold their calls open.
  const isByAddress = kind !== 'long' || person === null
  const isNested = kind === 'database' && embedDepth(request.target?.query ?? '') > 1
  return [
    ...(person === null || !isNested ? [] : [[limits.perPerson.nested, person] as const]),
    ...(person === null ? [] : [[limits.perPerson[kind], person] as const]),
    ...(isByAddress ? [[limits.perAddress, addressBlock(request.ip)] as const] : []),
  ]
}

function kindOf(rule: RouteRule): Exclude<keyof typeof SETTINGS, 'nested'> {
  if (rule.isLong || rule.isForAgents) return 'long'
  return rule.path.startsWith('/db/') ? 'database' : 'other'
}
