// Credentials of all that is set up, looked for in everything that reaches a page.
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import {
  CONNECTION_TYPES,
  type ConnectionField,
  type ConnectionType,
  encodeConnection,
  newConnection,
} from '@watchroom/shared/settings/connections'
import type { Page } from 'playwright/test'

import { createSecrets, SECRET_MARK, SECRET_ROWS, TABLES_WITH_AUTHOR } from '../../tests/support/secretRows.ts'
import { callBackend } from '../fixtures/backend.ts'
import { createCanary } from '../fixtures/checks.ts'
import { ADMIN, DEMO_PASSWORD, type RunningGateway, SCRIPT_HEADERS } from '../fixtures/gateway.ts'
import { keepSecret } from '../fixtures/knownSecrets.ts'
import { expect, openBrowser, type Person, signIn, test } from '../fixtures/test.ts'
import { type SecretWatch, watchForSecrets } from '../fixtures/watchForSecrets.ts'

type Secret = () => string

interface Row {
  readonly table: string
  readonly id: string
}

const LISTS = [
  '/settings/connections',
  '/settings/notifications',
  '/settings/notifications/history',
  '/settings/notifications/why',
  '/settings/notifications/silence',
  '/settings/canaries',
  '/settings/teams',
  '/settings/incident_rules',
  '/settings/logging_backends',
  '/settings/topologies',
  '/settings/integrations',
  '/settings/jobs',
  '/settings/event-queue-status',
  '/catalog/scrapers',
  '/playbooks',
]

/** Where a row is opened. */
const PAGES: Readonly<Record<string, (id: string) => string>> = {
  canaries: (id) => `/settings/canaries/${id}`,
  topologies: (id) => `/settings/topologies/${id}`,
  config_scrapers: (id) => `/catalog/scrapers/${id}`,
  playbooks: (id) => `/playbooks/${id}`,
  notifications: (id) => `/settings/notifications?id=${id}`,
  incident_rules: (id) => `/settings/incident_rules/${id}`,
  logging_backends: (id) => `/settings/logging_backends/${id}`,
  teams: (id) => `/settings/teams/${id}`,
  connections: (id) => `/settings/connections?id=${id}`,
}
const OPENED_TYPES: ReadonlySet<string> = new Set(['aws', 'email', 'generic_webhook', 'git', 'kubernetes', 'slack'])
const CHECK = 'journey of a secret'

test('no credential of what is set up reaches a page of an administrator, an editor or a viewer', async ({
  browser,
  ownGateway: gateway,
}) => {
  test.setTimeout(300_000)
  keepSecret('credential of what is set up', SECRET_MARK)
  const { next: secret } = createSecrets()
  const echo = await startEcho()
  const rows = await setUp(gateway, secret)
  const sends = await tellOf(gateway, echo, secret)

  const visitors = await Promise.all(
    ['admin', 'editor', 'viewer'].map((role) => comeAs(role, () => openBrowser(browser, gateway))),
  )
  await Promise.all(
    visitors.map(async ({ role, page, watch }) => {
      for (const list of LISTS) {
        await watch.open(list)
        await lookAround(page, watch, list)
      }
      for (const { table, id } of rows.filter((row) => role === 'admin' || row.table !== 'connections')) {
        const path = PAGES[table]?.(id) ?? ''
        await watch.open(path)
        await lookAround(page, watch, path)
        // It was there to be seen, without its credentials.
        expect(watch.answers().some((answer) => answer.includes(id) && answer.includes('***'))).toBe(true)
      }
      for (const { id, status } of sends) {
        await watch.open(`/settings/notifications/history?id=${id}`)
        const words = status === 'error' ? /it answered 400/ : /Event: check.failed/
        await expect(page.getByRole('dialog').getByText(words).first()).toBeVisible()
        await watch.look(`a message, ${status}`)
      }
    }),
  )

  // Another credential is entered while all of them look.
  const id = rows.find(({ table }) => table === 'logging_backends')?.id
  for (const { page, watch } of visitors) {
    await watch.open(`/settings/logging_backends/${id}`)
    await expect(page.getByRole('tab', { name: 'Spec' })).toBeVisible()
    await watch.look('a row before it changes')
  }
  await change(gateway.url, `/db/logging_backends?id=eq.${id}`, {
    labels: { looked: 'after' },
    spec: { backends: [{ elasticsearch: { address: 'https://l.invalid', password: secret() } }] },
  })
  for (const { role, page, watch, leave } of visitors) {
    await expect(page.getByLabel('Label 1, value')).toHaveValue('after')
    await watch.look('a row that changed')
    expect(watch.leaks, role).toEqual([])
    expect(watch.unread, role).toEqual([])
    await leave()
  }
  echo.stop()
})

async function comeAs(role: string, come: () => Promise<Person>) {
  const { page, leave } = await come()
  const watch = watchForSecrets(page, SECRET_MARK)
  await signIn(page, role === 'admin' ? ADMIN : { email: `${role}@demo.watchroom.local`, password: DEMO_PASSWORD })
  return { role, page, watch, leave }
}

/** Looks at a page, at its text, at each of its tabs and at its history. */
async function lookAround(page: Page, watch: SecretWatch, where: string): Promise<void> {
  await expect(page.getByRole('main').first()).toBeVisible()
  await watch.look(where)
  for (const part of [
    ...(await page.getByRole('radio', { name: 'YAML' }).all()),
    ...(await page.getByRole('tab').all()),
    ...(await page.getByRole('dialog').getByRole('button', { name: 'History', exact: true }).all()),
  ]) {
    await part.click()
    await watch.look(`${where}, ${await part.innerText()}`)
  }
}

async function change(url: string, path: string, body: unknown): Promise<void> {
  const answer = await fetch(`${url}/api${path}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', ...SCRIPT_HEADERS },
    body: JSON.stringify(body),
  })
  expect(answer.ok).toBe(true)
}

/** A row of every table that takes credentials, and a connection of every type. */
async function setUp({ url }: RunningGateway, secret: Secret): Promise<Row[]> {
  const [admin] = await callBackend<{ id: string }[]>(
    url,
    `/db/people?select=id&email=eq.${encodeURIComponent(ADMIN.email)}`,
  )
  const rows: Row[] = []
  for (const [table, build] of Object.entries(SECRET_ROWS)) {
    const author = TABLES_WITH_AUTHOR.includes(table) ? { created_by: admin?.id } : {}
    const [row] = await callBackend<{ id: string }[]>(url, `/db/${table}`, {
      name: `${table} with secrets`,
      ...build(secret),
      ...author,
    })
    if (table in PAGES) rows.push({ table, id: row?.id ?? '' })
  }
  const connections = await callBackend<{ id: string; type: string }[]>(url, '/db/connections', connectionsOf(secret))
  // The list has them all; the form of a few is enough, because one form serves all types.
  const opened = connections.filter(({ type }) => OPENED_TYPES.has(type))
  return [...rows, ...opened.map(({ id }) => ({ table: 'connections', id }))]
}

const connectionsOf = (secret: Secret) =>
  Object.entries(CONNECTION_TYPES).map(([type, definition]: [string, ConnectionType]) => {
    const values = Object.fromEntries(definition.fields.map((field) => [field.name, toValue(field, secret)]))
    const row = encodeConnection(definition, { ...newConnection(definition), ...values })
    const columns = { url: null, username: null, password: null, certificate: null, insecure_tls: false, ...row }
    return { name: `a ${type} with secrets`, namespace: 'default', type, ...columns }
  })

function toValue({ kind, initial }: ConnectionField, secret: Secret): string | boolean {
  if (kind === 'secret' || kind === 'key') return secret()
  return initial === '' ? '1' : initial
}

interface Echo {
  readonly url: string
  /** From now on checks fail there. */
  readonly fail: () => void
  readonly stop: () => void
}

/** Says what it was asked, credentials and all. */
async function startEcho(): Promise<Echo> {
  let isFailing = false
  const server = createServer((request, response) => {
    const isRefused = request.url?.startsWith('/refused')
    const isFailed = isFailing && request.url?.startsWith('/check')
    response.writeHead(isRefused ? 400 : isFailed ? 500 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ asked: request.url, headers: request.headers }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, fail: () => (isFailing = true), stop: () => server.close() }
}

interface Send {
  readonly id: string
  readonly status: string
}

/** A check that fails for reasons with its credentials in them, and two messages of it, one of them refused for such reasons. */
async function tellOf({ url }: RunningGateway, echo: Echo, secret: Secret): Promise<Send[]> {
  for (const path of ['refused', 'taken']) {
    const name = `a receiver with secrets, ${path}`
    const [receiver] = await callBackend<{ id: string }[]>(url, '/db/connections', {
      name,
      namespace: 'default',
      type: 'generic_webhook',
      password: secret(),
      url: `generic+${echo.url}/${path}?token=${secret()}&ContentType=application%2Fjson&MessageKey=message&TitleKey=title&RequestMethod=POST&DisableTLS=false`,
    })
    await callBackend(url, '/db/notifications', {
      title: name,
      events: ['check.failed'],
      filter: `check.name == '${CHECK}'`,
      custom_services: [{ connection: receiver?.id }],
      source: 'UI',
    })
  }
  await createCanary(url, {
    name: 'journey-secret',
    namespace: 'journeys',
    spec: {
      interval: 1,
      http: [
        {
          name: CHECK,
          url: `${echo.url}/check?api_key=${secret()}`,
          responseCodes: [200],
          headers: [{ name: 'X-Token', value: secret() }],
          authentication: { username: 'ada', password: secret() },
        },
      ],
    },
  })
  const status = () =>
    callBackend<{ status: string }[]>(url, `/db/checks?select=status&name=eq.${encodeURIComponent(CHECK)}`)
  await expect.poll(status).toEqual([{ status: 'healthy' }])
  echo.fail()
  const ended = (): Promise<Send[]> =>
    callBackend(
      url,
      `/db/notification_send_history?select=id,status&recipient=like.a%20receiver*&status=in.(error,sent)&order=status`,
    )
  await expect.poll(async () => (await ended()).map(({ status }) => status)).toEqual(['error', 'sent'])
  return ended()
}
