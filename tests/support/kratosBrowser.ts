// A browser as the identity service sees one: keeps cookies, starts flows, sends forms.
import type { FlowKind } from '@watchroom/shared/access'
import { type Flow, FlowSchema, IdentityErrorSchema, SessionSchema } from '@watchroom/shared/identity'
import { Client } from 'pg'

import type { BackendAnswer, BackendCall, TestBackend } from './embeddedBackend.ts'

export class KratosBrowser {
  readonly cookies = new Map<string, string>()
  /** Names of the cookies that the last answer set. */
  lastCookies: string[] = []
  readonly #backend: Pick<TestBackend, 'call'>
  readonly #headers: Record<string, string>

  /** @param headers of every request, for example where it comes from */
  constructor(backend: Pick<TestBackend, 'call'>, headers: Record<string, string> = {}) {
    this.#backend = backend
    this.#headers = headers
  }

  async call(path: string, { headers, ...call }: BackendCall = {}): Promise<BackendAnswer> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const answer = await this.#backend.call(`/kratos${path}`, {
      ...call,
      headers: { ...(cookie === '' ? {} : { cookie }), ...this.#headers, ...headers },
    })
    const lines = [answer.headers['set-cookie'] ?? []].flat()
    this.lastCookies = lines.map((line) => line.split('=', 1)[0] ?? '')
    for (const line of lines) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (/Max-Age=0/.test(line)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    return answer
  }

  navigate(path: string): Promise<BackendAnswer> {
    return this.call(path, { headers: { accept: 'text/html,application/xhtml+xml' } })
  }

  /** @throws when there is no form */
  async start(kind: FlowKind, query = ''): Promise<Flow> {
    return toFlow(await this.call(`/self-service/${kind}/browser${query}`))
  }

  /** Sends what the form holds already, and these values. */
  submit(kind: FlowKind, flow: Flow, values: Record<string, unknown>): Promise<BackendAnswer> {
    const body = { csrf_token: valueOf(flow, 'csrf_token'), ...values }
    return this.call(`/self-service/${kind}?flow=${flow.id}`, { method: 'POST', body })
  }

  async signIn(identifier: string, password: string): Promise<BackendAnswer> {
    return this.submit('login', await this.start('login'), { method: 'password', identifier, password })
  }

  async session() {
    return SessionSchema.parse((await this.call('/sessions/whoami')).json())
  }
}

/** @throws with the answer when it is no flow */
export function toFlow(answer: BackendAnswer): Flow {
  const flow = FlowSchema.safeParse(answer.json())
  if (!flow.success) throw new Error(`${answer.status} is no flow: ${answer.text}`)
  return flow.data
}

export const errorOf = (answer: BackendAnswer) => IdentityErrorSchema.parse(answer.json())

/** `group name [type]` or `group #id` of each node. */
export const nodesOf = (flow: Flow): string[] =>
  flow.ui.nodes.map(({ group, attributes }) => {
    if (attributes.node_type === 'input') return `${group} ${attributes.name} [${attributes.type}]`
    return `${group} #${'id' in attributes ? attributes.id : ''}`
  })

export const messageIdsOf = (flow: Flow): number[] => flow.ui.messages.map(({ id }) => id)

/** `name: id` of each remark at a field. */
export const remarksOf = (flow: Flow): string[] =>
  flow.ui.nodes.flatMap(({ attributes, messages }) =>
    messages.map(({ id }) => `${'name' in attributes ? attributes.name : ''}: ${id}`),
  )

export function valueOf(flow: Flow, name: string): string {
  const node = flow.ui.nodes.find(({ attributes }) => 'name' in attributes && attributes.name === name)
  if (!node) throw new Error(`no node ${name} among ${nodesOf(flow).join(', ')}`)
  return 'value' in node.attributes ? String(node.attributes.value ?? '') : ''
}

/** Text of a node that only shows something. */
export function textOf(flow: Flow, id: string): string {
  const node = flow.ui.nodes.find(({ attributes }) => 'id' in attributes && attributes.id === id)
  return node && 'text' in node.attributes ? node.attributes.text.text : ''
}

export interface MailRow {
  readonly recipient: string
  readonly template: string
  readonly data: { readonly code?: string; readonly url?: string }
}

/** Rows as SQL has them, in the backend's own database. */
export async function queryBackend<Row extends object>(
  { databaseUrl }: Pick<TestBackend, 'databaseUrl'>,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    return (await client.query<Row>(text, values)).rows
  } finally {
    await client.end()
  }
}

/** Mails to one address, oldest first. */
export const mailsTo = (backend: TestBackend, email: string): Promise<MailRow[]> =>
  queryBackend<MailRow>(
    backend,
    'select recipient, template, data from watchroom_internal.mails where recipient = $1 order by id',
    [email],
  )

/** As an administrator sets it. */
export async function setProperty(backend: TestBackend, name: string, value: string): Promise<void> {
  await queryBackend(backend, 'delete from properties where name = $1', [name])
  await queryBackend(backend, 'insert into properties (name, value) values ($1, $2)', [name, value])
}
