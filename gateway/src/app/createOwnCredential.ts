// Asks the backend who the gateway is there and what it may read: at the start, and again until it answers. An operator reads the
// answer in one line of the terminal and in `/readyz`, an administrator on the page.
import { type OwnCredentialReport, toUser, WhoAmISchema } from '@watchroom/shared/identity'
import { type Clock, createTimer } from '@watchroom/shared/kernel'
import { type Topic, type TopicRow, TOPICS } from '@watchroom/shared/protocol'
import { SETTINGS_RESOURCES } from '@watchroom/shared/settings'

import { unexpectedAnswer } from '../access/authenticate.ts'
import { isCredentialRefused } from '../platform/backendCaller.ts'
import { emptyUpdate } from '../platform/emptyUpdate.ts'
import type { BackendClient, BackendRequest } from '../platform/httpClient.ts'
import type { Logger } from '../platform/logger.ts'
import { DOCUMENT_KINDS } from './documentKinds.ts'
import type { Dependency } from './operations.ts'

const TIMEOUT_MS = 5_000
/** Checking a token may cost a server a tenth of a second of a core, and other gateways may start at the same time. */
const AT_ONCE = 4
/** Pause between questions while nothing answers, or while the answer is a refusal that an operator may fix. */
const RETRY_MS = 15_000
/** The same while it lacks rights: finding that out takes some thirty questions. */
const RETRY_SMALL_MS = 60_000
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
      /** What people write in shared documents would never get there. */
      readonly isReadOnly: boolean
    }

export interface OwnCredential extends Dependency {
  report(): OwnCredentialReport & { text: string }
  /** Asks once. Never rejects. */
  ask(): Promise<CredentialState>
  close(): void
}

/** Where a topic and its screen have different names. */
const WORDS = new Map([
  ['checks', 'health'],
  ['configs', 'catalog'],
  ['people', 'users'],
])

/**
 * What is read of the whole backend, in words, by its source: topics that need no parameters, and tables of settings. The
 * types of all topics together have no parameters in common; those that need none take an empty object.
 */
const SOURCES: readonly (readonly [what: string, source: string])[] = [
  ...(Object.values(TOPICS) as unknown as Topic<Record<string, string>, TopicRow>[]).flatMap((topic) => {
    const params = topic.params.safeParse({})
    return params.success ? [[WORDS.get(topic.name) ?? toWords(topic.name), topic.source(params.data)] as const] : []
  }),
  ['jobs', TOPICS.jobs.source({ resourceId: '' })],
  ['topology', TOPICS.topology.source({ id: '' })],
  ...(Object.keys(SETTINGS_RESOURCES) as (keyof typeof SETTINGS_RESOURCES)[]).map(
    (table) => [toWords(table), TOPICS.settings.source({ table })] as const,
  ),
]

export interface OwnCredentialDeps {
  readonly backend: BackendClient
  readonly clock: Clock
  readonly logger: Logger
  /** Nobody signs in: everyone acts at the backend with this credential. */
  readonly isEveryones: boolean
}

export function createOwnCredential(deps: OwnCredentialDeps): OwnCredential {
  const { backend, logger } = deps
  const describe = (of: CredentialState): string => describeState(of, deps.isEveryones)
  const isSound = (of: CredentialState): boolean =>
    of.kind === 'known' && of.dark.length === 0 && !of.isReadOnly && !isTooMuch(of, deps.isEveryones)
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
    const waitMs = isSound(state) ? REPEAT_MS : state.kind === 'known' ? RETRY_SMALL_MS : RETRY_MS
    if (!isClosed) timer.set(() => void ask(), waitMs)
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

/** The matrix of the console does not bind the backend's own account, and only our backend knows whom the gateway acts for. */
const isTooMuch = (state: CredentialState, isEveryones: boolean): boolean =>
  isEveryones && state.kind === 'known' && state.roles.includes('admin')

function toWords(name: string): string {
  return name.replaceAll(/_|(?=[A-Z])/g, ' ').toLowerCase()
}

function toWord(state: CredentialState): string {
  if (state.kind === 'unknown') return 'not asked yet'
  if (state.kind === 'refused') return 'refused'
  const roles = `polls as ${state.roles.join(', ') || 'nobody'}`
  const dark = state.dark.length === 0 ? '' : `; not shown: ${state.dark.join(', ')}`
  return `${roles}${dark}${state.isReadOnly ? '; may not save incidents' : ''}`
}

function describeState(state: CredentialState, isEveryones: boolean): string {
  if (state.kind === 'unknown') return 'The backend has not said yet who the gateway is.'
  if (state.kind === 'refused') {
    return `The backend refuses the gateway's credential (${state.status}): everyone reads with a credential of their own, and wallboards and shared documents stay dark. ${REMEDY}`
  }
  const who = `The gateway polls as ${state.name || 'someone without a name'}, ${state.roles.join(', ') || 'without a role'}.`
  if (isTooMuch(state, isEveryones)) {
    return `${who} With WATCHROOM_AUTH=none everyone who reaches this address acts as an administrator there. Set BACKEND_TOKEN to the credential of an editor, and start the gateway again.`
  }
  const faults = [
    ...(state.dark.length > 0
      ? [
          isEveryones
            ? `The backend does not show it ${state.dark.join(', ')}.`
            : `The backend does not show it ${state.dark.join(', ')}: people read these with a credential of their own.`,
        ]
      : []),
    ...(state.isReadOnly ? ['It may not write incidents: what people write in them is not saved there.'] : []),
  ]
  if (faults.length === 0) return who
  // Without sessions nobody may be given what only an administrator sees.
  return [who, ...faults, ...(isEveryones ? [] : [REMEDY])].join(' ')
}

/** @throws BackendFailure, ZodError */
async function askBackend(backend: BackendClient): Promise<CredentialState> {
  const response = await backend.request({ path: '/auth/whoami', timeoutMs: TIMEOUT_MS })
  if (response.status !== 200) {
    if (isCredentialRefused(response.status, await response.text())) return { kind: 'refused', status: response.status }
    throw unexpectedAnswer(response)
  }
  const answer = WhoAmISchema.parse(await response.json())
  const { name, email } = toUser(answer)
  const listed = 'roles' in answer.payload ? (answer.payload.roles ?? []) : []
  // Inherited roles are listed too, `everyone` always.
  const roles = [...new Set(listed)].filter((role) => role !== 'everyone')
  const unread = await someAtOnce(SOURCES, async ([what, source]) => {
    const path = `/db/${source}${source.includes('?') ? '&' : '?'}limit=0`
    return (await isRefused(backend, { path })) ? [what] : []
  })
  const unwritten = await someAtOnce(DOCUMENT_KINDS.incident.entities, ({ name: table, editable }) =>
    isRefused(backend, emptyUpdate(table, editable)),
  )
  const dark = [...new Set(unread.flat())]
  return { kind: 'known', name: name || (email ?? ''), roles, dark, isReadOnly: unwritten.includes(true) }
}

/** @returns the answers in the order of the items @throws what the first question that failed threw */
async function someAtOnce<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = []
  const left = items.entries()
  const askAll = async (): Promise<void> => {
    for (const [place, item] of left) answers[place] = await ask(item)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, askAll))
  return answers
}

/** @throws BackendFailure */
async function isRefused(backend: BackendClient, question: BackendRequest): Promise<boolean> {
  const response = await backend.request({ ...question, timeoutMs: TIMEOUT_MS })
  response.discard()
  return response.status === 401 || response.status === 403
}
