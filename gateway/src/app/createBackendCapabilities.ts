// Asks the backend what it can do: at the start, again until it answers, and now and then, because a backend may come back as another
// version. Where the gateway has no credential, or its own is refused, it asks with that of the next person who signs in.
import { CAPABILITY_NAMES, type CapabilityName, type EXTENSIONS } from '@watchroom/shared/access'
import { type Clock, createTimer, keepNewest, waitAtMost } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { asCaller, type BackendCaller, isCredentialRefused, isNoAccessToken } from '../platform/backendCaller.ts'
import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import { namesUnreachable } from '../proxy/translateError.ts'

const TIMEOUT_MS = 5_000
const RETRY_MS = 15_000
const REPEAT_MS = 300_000
/** How long a page that opens waits for an answer that is under way: it would ask again only a minute later. */
const PATIENCE_MS = 1_000
/** Credentials remembered as already used for asking. */
const MAX_OFFERS = 1_000

/**
 * An extension, or an endpoint that answers 404 or 405 where it is missing. A POST carries a list where an object is expected, which
 * every backend refuses before it acts.
 */
type Sign = (typeof EXTENSIONS)[number] | { readonly method: 'GET' | 'POST'; readonly path: string }

const SIGNS: Readonly<Record<CapabilityName, Sign>> = {
  trials: 'trials',
  selfChecks: 'self-checks',
  promptRuns: 'prompt-runs',
  sessionTokens: 'session-tokens',
  playbooks: { method: 'GET', path: '/playbook/list' },
  playbookOutput: 'playbook-output',
  runControl: 'run-control',
  eventRetries: 'event-retries',
  connectionTrials: 'connection-trials',
  settingsHistory: 'settings-history',
  logs: { method: 'POST', path: '/logs' },
  whatChanged: { method: 'POST', path: '/catalog/what-changed' },
  agents: { method: 'POST', path: '/agent/generate' },
  people: { method: 'GET', path: '/db/identities?limit=0' },
  accessTokens: 'access-tokens',
  outbox: 'outbox',
  accountControl: 'account-control',
  notificationHistory: { method: 'GET', path: '/db/notification_send_history_summary?limit=0' },
  notificationReasons: 'notification-reasons',
  severityOrder: 'severity-order',
  specJudges: 'spec-judges',
}

const AboutSchema = z.object({ can: z.array(z.string()).catch([]).default([]) })

export interface BackendCapabilities {
  /** What it cannot do, as far as is known. */
  readonly missing: () => CapabilityName[]
  /** Asks now. Never rejects. */
  readonly ask: () => Promise<void>
  /** Someone with a valid credential is here: uses it to ask what the gateway itself was refused. */
  readonly offer: (caller: BackendCaller) => void
  /** Resolves when no question with a person's credential is under way any more, or when that takes too long. */
  readonly settle: () => Promise<void>
  readonly close: () => void
}

export function createBackendCapabilities(deps: {
  backend: BackendClient
  clock: Clock
  logger: Logger
}): BackendCapabilities {
  const { backend, logger } = deps
  const timer = createTimer(deps.clock)
  const known = new Map<CapabilityName, boolean>()
  /** The gateway was refused: the next person's credential is tried. */
  let isRefused = false
  /** When each credential was last tried: people who are refused too must not cause endless questions by taking turns. */
  const offeredAt = new Map<string, number>()
  let underWay: Promise<void> | null = null
  let isClosed = false

  const missing = (): CapabilityName[] => CAPABILITY_NAMES.filter((name) => known.get(name) === false)

  /** @returns whether something stays unknown because this credential is refused; another person's may not be */
  const learn = async (asker: BackendClient): Promise<boolean> => {
    // First, and by itself: a server of the real product takes the first method it ever sees on /canary for that of all calls.
    const extensions = await askExtensions(asker)
    let isUnsaid = extensions === 'refused'
    for (const name of CAPABILITY_NAMES) {
      const how = SIGNS[name]
      const answer = typeof how === 'string' ? toAnswer(extensions, how) : await hasEndpoint(asker, how)
      if (typeof answer === 'boolean') known.set(name, answer)
      isUnsaid ||= answer === 'refused'
    }
    return isUnsaid
  }

  const learnAndSay = async (asker: BackendClient): Promise<void> => {
    const before = missing().join()
    try {
      isRefused = await learn(asker)
    } catch (error) {
      logger.debug({ err: error }, 'the backend does not say what it can do')
    }
    const now = missing()
    if (now.join() !== before) logger.info({ missing: now }, 'what the backend cannot do')
  }

  let asking: Promise<void> | null = null
  /** Once, whoever asks meanwhile: the first answers of a backend that is back come together. */
  const ask = (): Promise<void> => {
    asking ??= askNow().finally(() => (asking = null))
    return asking
  }

  const askNow = async (): Promise<void> => {
    await learnAndSay(backend)
    if (!isClosed) timer.set(() => void ask(), known.size === CAPABILITY_NAMES.length ? REPEAT_MS : RETRY_MS)
  }

  const offer = (caller: BackendCaller): void => {
    if (!isRefused || underWay || isClosed) return
    const at = deps.clock.monotonic()
    // Someone else may be told more.
    if (at - (offeredAt.get(caller.key) ?? -Infinity) < REPEAT_MS) return
    offeredAt.delete(caller.key)
    offeredAt.set(caller.key, at)
    keepNewest(offeredAt, MAX_OFFERS)
    underWay = learnAndSay(asCaller(backend, caller)).finally(() => (underWay = null))
  }

  return {
    missing,
    ask,
    offer,
    settle: async () => {
      if (underWay) await waitAtMost(deps.clock, underWay, PATIENCE_MS)
    },
    close: () => {
      isClosed = true
      timer.clear()
    },
  }
}

/** `refused`: not with this credential. Undefined: unknown, because a service behind the backend is away. */
type NoAnswer = 'refused' | undefined

const toAnswer = (extensions: readonly string[] | NoAnswer, name: string): boolean | NoAnswer =>
  Array.isArray(extensions) ? extensions.includes(name) : undefined

/** @throws BackendFailure */
async function askExtensions(backend: BackendClient): Promise<readonly string[] | NoAnswer> {
  const response = await backend.request({ path: '/canary/about', timeoutMs: TIMEOUT_MS })
  if (response.status === 200) {
    const about = AboutSchema.safeParse(await response.json())
    return about.success ? about.data.can : []
  }
  const text = await response.text()
  if (isCredentialRefused(response.status, text)) return 'refused'
  // Ours answers this itself: only a server of the real product has a check runner that can be away.
  return namesUnreachable(text) ? [] : undefined
}

/** An endpoint whose policy forbids the call still exists. @throws BackendFailure */
async function hasEndpoint(
  backend: BackendClient,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<boolean | NoAnswer> {
  const response = await backend.request({
    method,
    path,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '[]' } : {}),
    timeoutMs: TIMEOUT_MS,
  })
  // The text is read where it matters: a list that is answered may be long.
  const text = response.status === 400 ? await response.text() : ''
  response.discard()
  if (response.status === 401 || isNoAccessToken(response.status, text)) return 'refused'
  if (response.status === 404 || response.status === 405) return false
  return response.status > 500 ? undefined : true
}
