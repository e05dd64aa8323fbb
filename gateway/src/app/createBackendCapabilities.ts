// Asks the backend what it can do: when the gateway starts, again until it answers, and now and then, because another version may
// stand there after it was away.
import { CAPABILITY_NAMES, type CapabilityName, type EXTENSIONS } from '@watchroom/shared/access'
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { z } from 'zod'

import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import { namesUnreachable } from '../proxy/translateError.ts'

const TIMEOUT_MS = 5_000
const RETRY_MS = 15_000
const REPEAT_MS = 300_000

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
}

const AboutSchema = z.object({ can: z.array(z.string()).catch([]).default([]) })

export interface BackendCapabilities {
  /** What it cannot do, as far as is known. */
  readonly missing: () => CapabilityName[]
  /** Asks now. Never rejects. */
  readonly ask: () => Promise<void>
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
  let isClosed = false

  const missing = (): CapabilityName[] => CAPABILITY_NAMES.filter((name) => known.get(name) === false)

  const learn = async (): Promise<void> => {
    // First, and by itself: a server of the real product takes the first method it ever sees on /canary for that of all calls.
    const extensions = await askExtensions(backend)
    for (const name of CAPABILITY_NAMES) {
      const how = SIGNS[name]
      const answer = typeof how === 'string' ? extensions?.includes(how) : await hasEndpoint(backend, how)
      if (answer !== undefined) known.set(name, answer)
    }
  }

  const ask = async (): Promise<void> => {
    const before = missing().join()
    try {
      await learn()
    } catch (error) {
      logger.debug({ err: error }, 'the backend does not say what it can do')
    }
    const now = missing()
    if (now.join() !== before) logger.info({ missing: now }, 'what the backend cannot do')
    if (!isClosed) timer.set(() => void ask(), known.size === CAPABILITY_NAMES.length ? REPEAT_MS : RETRY_MS)
  }

  return {
    missing,
    ask,
    close: () => {
      isClosed = true
      timer.clear()
    },
  }
}

/** @returns undefined when nobody says @throws BackendFailure */
async function askExtensions(backend: BackendClient): Promise<readonly string[] | undefined> {
  const response = await backend.request({ path: '/canary/about', timeoutMs: TIMEOUT_MS })
  if (response.status !== 200) {
    // Ours answers this itself: only a server of the real product has a check runner that can be away.
    return namesUnreachable(await response.text()) ? [] : undefined
  }
  const about = AboutSchema.safeParse(await response.json())
  return about.success ? about.data.can : []
}

/** @returns undefined when the answer tells nothing: a credential that is refused, a service behind it that is away */
async function hasEndpoint(
  backend: BackendClient,
  { method, path }: { readonly method: string; readonly path: string },
): Promise<boolean | undefined> {
  const response = await backend.request({
    method,
    path,
    ...(method === 'POST' ? { headers: { 'content-type': 'application/json' }, body: '[]' } : {}),
    timeoutMs: TIMEOUT_MS,
  })
  response.discard()
  if (response.status === 404 || response.status === 405) return false
  return response.status === 401 || response.status > 500 ? undefined : true
}
