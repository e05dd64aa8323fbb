// The whole embedded backend for tests: its own process, a real PostgreSQL and PostgREST, a fresh data directory.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { type Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Role } from '@watchroom/shared/access'
import { pino } from 'pino'

import type { BackendOptions, BackendReady, Profile } from '../../gateway/src/embedded-backend/contract.ts'
import { createIdentityService } from '../../gateway/src/embedded-backend/identity/createIdentityService.ts'
import { createPool } from '../../gateway/src/embedded-backend/postgres/createPool.ts'
import { createEmbeddedBackend, type EmbeddedBackend } from '../../gateway/src/embedded-backend/supervisor.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'
import { copyPreparedData, preparedData, serverDataOf } from './preparedData.ts'
import { programArguments } from './programs.ts'

/** Faster than the product's settings; what is acknowledged survives a kill of the processes, not of the machine. */
export const FAST_POSTGRES_SETTINGS = { fsync: 'off', full_page_writes: 'off', synchronous_commit: 'off' } as const

const LOG_TO_FILE = new URL('./logToFile.mjs', import.meta.url)

export const TEST_ADMIN = { email: 'admin@test.local', password: 'correct-horse-battery' } as const

export interface TestPerson {
  id: string
  email: string
  password: string
  role: Role
}

export interface BackendAnswer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
  /** Of a JSON body; throws when it is none. */
  json(): unknown
}

export interface RawAnswer extends BackendAnswer {
  /** Of what is no text. */
  bytes: Buffer
}

export interface BackendCall {
  method?: string
  headers?: Record<string, string>
  /** An object is sent as JSON, a string as it is. */
  body?: unknown
}

export interface TestBackend {
  /** `unix:<path>`, as the gateway takes it. */
  url: string
  socketPath: string
  serviceToken: string
  dataDirectory: string
  databaseUrl: string
  ready: BackendReady
  supervisor: EmbeddedBackend
  /** Calls a path of the backend (without `/api`) as nobody; add headers to be someone. */
  call(path: string, options?: BackendCall): Promise<RawAnswer>
  /** Calls with the gateway's own credential. */
  callAsService(path: string, options?: BackendCall): Promise<BackendAnswer>
  /** Signs in with an api flow. @returns the header that carries the session */
  signIn(email: string, password: string): Promise<{ 'x-session-token': string }>
  createPerson(role: Role): Promise<TestPerson>
  stop(): Promise<void>
}

export interface TestBackendOptions {
  profile?: Profile
  /** Kept by `stop` when given. */
  dataDirectory?: string
  databaseUrl?: string
  postgrestBin?: string
  /** `TEST_ADMIN`'s when absent. */
  adminEmail?: string
  adminPassword?: string | null
  demoPassword?: string
  publicUrl?: string
  /** As if only this machine reached it, unless this says otherwise. */
  isLocal?: boolean
  logLevel?: string
  /** Gets what its process prints. */
  logFile?: string
  agentOfflineAfterMs?: number
  /** Of its process; it ends when it needs more. */
  heapMiB?: number
  postgresSettings?: Record<string, string>
  /** Only administrators may save what executes programs unless this says otherwise. */
  programs?: BackendOptions['programs']
  folderRoots?: string[]
  logRoots?: string[]
  sourceRoots?: string[]
  smtpUrl?: string
  /** Whose tokens are taken for people. */
  provider?: BackendOptions['provider']
  /** Whoever came with another one is managed here. */
  forgetsProviders?: boolean
  /** That people may sign in with beside their password. */
  signInProviders?: BackendOptions['signInProviders']
  /** Local feature flags. */
  properties?: Record<string, string>
  /** Other databases are made beside its own. */
  hasTemplates?: boolean
  /** With a database that is made and migrated by this start, as an operator's first one does. */
  isFirstStart?: boolean
}

/** Starts in about a second, with a copy of the migrated database unless the directory has one. The administrator is `TEST_ADMIN` unless `adminPassword` says otherwise. */
export async function startEmbeddedBackend(options: TestBackendOptions = {}): Promise<TestBackend> {
  const dataDirectory = options.dataDirectory ?? mkdtempSync(join(tmpdir(), 'wr-data-'))
  const serviceToken = randomBytes(24).toString('hex')
  const adminPassword = options.adminPassword === undefined ? TEST_ADMIN.password : options.adminPassword
  if (options.databaseUrl === undefined && !options.isFirstStart) {
    const prepared = preparedData()
    copyPreparedData(dataDirectory, prepared && options.hasTemplates ? serverDataOf(prepared) : prepared)
  }
  const supervisor = createEmbeddedBackend(
    {
      dataDirectory,
      serviceToken,
      profile: options.profile ?? 'empty',
      adminEmail: options.adminEmail ?? TEST_ADMIN.email,
      ...(adminPassword === null ? {} : { adminPassword }),
      ...(options.demoPassword === undefined ? {} : { demoPassword: options.demoPassword }),
      ...(options.databaseUrl === undefined ? {} : { databaseUrl: options.databaseUrl }),
      ...(options.postgrestBin === undefined ? {} : { postgrestBin: options.postgrestBin }),
      publicUrl: options.publicUrl ?? 'http://127.0.0.1:3000',
      isLocal: options.isLocal ?? true,
      logLevel: options.logLevel ?? 'silent',
      ...(options.agentOfflineAfterMs === undefined ? {} : { agentOfflineAfterMs: options.agentOfflineAfterMs }),
      ...(options.programs === undefined ? {} : { programs: options.programs }),
      ...(options.folderRoots === undefined ? {} : { folderRoots: options.folderRoots }),
      ...(options.logRoots === undefined ? {} : { logRoots: options.logRoots }),
      ...(options.sourceRoots === undefined ? {} : { sourceRoots: options.sourceRoots }),
      ...(options.smtpUrl === undefined ? {} : { smtpUrl: options.smtpUrl }),
      ...(options.properties === undefined ? {} : { properties: options.properties }),
      ...(options.provider === undefined ? {} : { provider: options.provider }),
      ...(options.forgetsProviders === undefined ? {} : { forgetsProviders: options.forgetsProviders }),
      ...(options.signInProviders === undefined ? {} : { signInProviders: options.signInProviders }),
      postgresSettings: options.postgresSettings ?? FAST_POSTGRES_SETTINGS,
    },
    {
      clock: systemClock,
      logger: pino({ level: options.logFile === undefined ? (options.logLevel ?? 'silent') : 'silent' }),
      program: [
        ...toHeapArguments(options.heapMiB),
        ...toLogArguments(options.logFile),
        ...programArguments('embedded-backend'),
      ],
    },
  )
  const removeData = (): void => {
    if (options.dataDirectory === undefined) rmSync(dataDirectory, { recursive: true, force: true })
  }
  let ready: BackendReady
  try {
    ready = await supervisor.start()
  } catch (error) {
    removeData()
    throw error
  }
  const socketPath = supervisor.backendUrl.slice('unix:'.length)
  const call = (path: string, request: BackendCall = {}): Promise<RawAnswer> => callSocket(socketPath, path, request)
  const callAsService = (path: string, request: BackendCall = {}): Promise<BackendAnswer> =>
    call(path, { ...request, headers: { ...request.headers, authorization: `Bearer ${serviceToken}` } })

  let people = 0
  return {
    url: supervisor.backendUrl,
    socketPath,
    serviceToken,
    dataDirectory,
    databaseUrl: ready.databaseUrl,
    ready,
    supervisor,
    call,
    callAsService,
    signIn: (email, password) => signIn(call, email, password),
    createPerson: async (role) => {
      const email = `${role}-${++people}@test.local`
      return createPerson(ready.databaseUrl, { email, password: `password of ${email}`, role })
    },
    stop: async () => {
      await supervisor.close()
      removeData()
    },
  }
}

const toHeapArguments = (mebibytes: number | undefined): string[] =>
  mebibytes === undefined ? [] : [`--max-old-space-size=${mebibytes}`]

const toLogArguments = (path: string | undefined): string[] =>
  path === undefined ? [] : ['--import', `${LOG_TO_FILE.href}?${encodeURIComponent(path)}`]

/** @throws Error with the form's message when the sign-in is refused */
async function signIn(
  call: (path: string, options?: BackendCall) => Promise<BackendAnswer>,
  email: string,
  password: string,
): Promise<{ 'x-session-token': string }> {
  const flow = (await call('/kratos/self-service/login/api')).json() as { id: string }
  const answer = await call(`/kratos/self-service/login?flow=${flow.id}`, {
    method: 'POST',
    body: { method: 'password', identifier: email, password },
  })
  if (answer.status !== 200) throw new Error(`sign-in of ${email} refused: ${answer.status} ${answer.text}`)
  return { 'x-session-token': (answer.json() as { session_token: string }).session_token }
}

/** Writes the person as the identity service does, through the backend's own code. */
async function createPerson(databaseUrl: string, person: Omit<TestPerson, 'id'>): Promise<TestPerson> {
  const logger = pino({ level: 'silent' })
  const pool = createPool(databaseUrl, logger)
  const service = createIdentityService({ pool, clock: systemClock, logger })
  try {
    const name = { firstName: 'Test', lastName: person.role }
    const id = await service.createPerson({ ...name, ...person, roles: [person.role] })
    return { id, ...person }
  } finally {
    service.close()
    await pool.end()
  }
}

/**
 * One HTTP call over a unix socket.
 *
 * @param agent keeps connections; without one each call has its own
 */
export function callSocket(
  socketPath: string,
  path: string,
  call: BackendCall = {},
  agent: Agent | false = false,
): Promise<RawAnswer> {
  const isText = typeof call.body === 'string'
  const body = call.body === undefined ? undefined : isText ? (call.body as string) : JSON.stringify(call.body)
  const headers = {
    accept: 'application/json',
    ...(body === undefined || isText ? {} : { 'content-type': 'application/json' }),
    // Node sends no body with DELETE unless it knows the length.
    ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
    ...call.headers,
  }
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, path, method: call.method ?? 'GET', headers, agent }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const bytes = Buffer.concat(chunks)
        const text = bytes.toString()
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          bytes,
          json: () => JSON.parse(text) as unknown,
        })
      })
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
