import { type OwnCredentialReport, toUser, WhoAmISchema } from '@watchroom/shared/identity'
// Asks the backend who the gateway is there, and what it is shown: once at the start, and again until it answers. An operator
// reads the answer in one line of the terminal and in `/readyz`, an administrator on the page.
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { TOPICS } from '@watchroom/shared/protocol'

import type { BackendClient } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import type { Dependency } from './operations.ts'

const TIMEOUT_MS = 5_000
/** Between two questions while nothing answers, or the answer is a refusal that an operator may fix. */
const RETRY_MS = 15_000
/** Rights of a credential change seldom. */
const REPEAT_MS = 300_000

const REMEDY =
  'Set BACKEND_TOKEN to an access token of an administrator, or to their user:password, and start the gateway again.'

export type CredentialState =
  | { readonly kind: 'unknown' }
  | { readonly kind: 'refused'; readonly status: number }
  /** `dark`: topics whose rows it may not read. */
  | {
      readonly kind: 'known'
      readonly name: string
      readonly roles: readonly string[]
      readonly dark: readonly string[]
    }

export interface OwnCredential extends Dependency {
  report(): OwnCredentialReport & { text: string }
  /** Asks once. Never rejects. */
  ask(): Promise<CredentialState>
  close(): void
}

/** Topics without parameters, by the table that each is read from. */
const SOURCES = [
  ['health', TOPICS.checks.source({})],
  ['agents', TOPICS.agents.source({})],
  ['incidents', TOPICS.incidents.source({})],
] as const

export function createOwnCredential(deps: { backend: BackendClient; clock: Clock; logger: Logger }): OwnCredential {
  const { backend, logger } = deps
  const timer = createTimer(deps.clock)
  let state: CredentialState = { kind: 'unknown' }
  let isClosed = false

  const ask = async (): Promise<CredentialState> => {
    const before = describe(state)
    try {
      state = await askBackend(backend)
    } catch (error) {
      logger.debug({ err: error }, 'the backend does not say who the gateway is')
    }
    const text = describe(state)
    if (text !== before) {
      if (isSound(state)) logger.info(text)
      else logger.warn(text)
    }
    if (!isClosed) timer.set(() => void ask(), isSound(state) ? REPEAT_MS : RETRY_MS)
    return state
  }

  return {
    name: 'credential',
    isOptional: true,
    // Everyone may read it: no name of an account.
    check: () => ({ isReady: isSound(state), state: toWord(state) }),
    report: () => ({ isSound: isSound(state), text: describe(state) }),
    ask,
    close: () => {
      isClosed = true
      timer.clear()
    },
  }
}

const isSound = (state: CredentialState): boolean => state.kind === 'known' && state.dark.length === 0

function toWord(state: CredentialState): string {
  if (state.kind === 'unknown') return 'not asked yet'
  if (state.kind === 'refused') return 'refused'
  const roles = `polls as ${state.roles.join(', ') || 'nobody'}`
  return state.dark.length === 0 ? roles : `${roles}; not shown: ${state.dark.join(', ')}`
}

function describe(state: CredentialState): string {
  if (state.kind === 'unknown') return 'The backend has not said yet who the gateway is.'
  if (state.kind === 'refused') {
    return `The backend refuses the gateway's credential (${state.status}): everyone reads with a credential of their own, and wallboards and shared documents stay dark. ${REMEDY}`
  }
  const who = `The gateway polls as ${state.name || 'someone without a name'}, ${state.roles.join(', ') || 'without a role'}.`
  if (state.dark.length === 0) return who
  return `${who} The backend does not show it ${state.dark.join(', ')}: people read these with a credential of their own. ${REMEDY}`
}

/** @throws BackendFailure, ZodError */
async function askBackend(backend: BackendClient): Promise<CredentialState> {
  const response = await backend.request({ path: '/auth/whoami', timeoutMs: TIMEOUT_MS })
  if (response.status === 401 || response.status === 403) {
    response.discard()
    return { kind: 'refused', status: response.status }
  }
  const answer = WhoAmISchema.parse(await response.json())
  const { name, email } = toUser(answer)
  const listed = 'roles' in answer.payload ? (answer.payload.roles ?? []) : []
  // What a role brings with it is listed beside it, `everyone` always.
  const roles = [...new Set(listed)].filter((role) => role !== 'everyone')
  const dark = await Promise.all(
    SOURCES.map(async ([topic, source]) => {
      const shown = await backend.request({ path: `/db/${source}?select=id&limit=0`, timeoutMs: TIMEOUT_MS })
      shown.discard()
      return shown.status === 401 || shown.status === 403 ? [topic] : []
    }),
  )
  return { kind: 'known', name: name || (email ?? ''), roles: [...new Set(roles)], dark: dark.flat() }
}
