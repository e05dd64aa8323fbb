import { request } from 'node:http'

import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '../../../support/embeddedBackend.ts'
import { readZip } from '../../../support/readZip.ts'

let backend: TestBackend
let database: Client
let printer: string
let queue: string

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  const insert = async (text: string, values: unknown[] = []): Promise<string> => {
    const { rows } = await database.query<{ id: string }>(`${text} returning id`, values)
    return rows[0]?.id ?? ''
  }
  const component = `insert into components (external_id, name, status, parent_id, path) values ($1, $1, 'healthy', $2, $3)`
  printer = await insert(component, ['printer', null, ''])
  queue = await insert(component, ['queue', printer, printer])
  const config = await insert(
    `insert into config_items (config_class, type, name) values ('Pod', 'Pod', 'printer-pod')`,
  )
  await database.query(
    `insert into config_component_relationships (component_id, config_id, selector_id) values ($1, $2, 'manual')`,
    [printer, config],
  )
  const change = `insert into config_changes (config_id, change_type, summary, created_at) values ($1, 'diff', $2, now() - $3::interval)`
  await insert(change, [config, 'just now', '5 minutes'])
  await insert(change, [config, 'long ago', '3 hours'])
})
afterAll(async () => {
  await database?.end()
  await backend?.stop()
})

interface Answer {
  readonly status: number
  readonly type: string | undefined
  readonly body: Buffer
}

function ask(path: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const asked = request({ socketPath: backend.socketPath, path, headers }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'],
          body: Buffer.concat(chunks),
        }),
      )
    })
    asked.on('error', reject)
    asked.end()
  })
}

const service = () => ({ authorization: `Bearer ${backend.serviceToken}` })
const files = async (query = ''): Promise<Map<string, string>> => {
  const { status, type, body } = await ask(`/snapshot/topology/${printer}${query}`, service())
  expect([status, type]).toEqual([200, 'application/zip'])
  return new Map(readZip(body).map(({ name, content }) => [name, content]))
}

describe('a snapshot of a component', () => {
  it('holds the component, its config items and what changed in the last 15 minutes', async () => {
    const archive = await files()
    expect([...archive.keys()]).toEqual([
      'components.json',
      'components.csv',
      'config_items.csv',
      'config_changes.csv',
      'config_analysis.csv',
      'incidents.csv',
      'hypotheses.csv',
      'evidences.csv',
    ])
    expect(archive.get('components.csv')).toContain('printer')
    expect(archive.get('components.csv')).not.toContain(queue)
    expect(archive.get('config_items.csv')).toContain('printer-pod')
    expect(archive.get('config_changes.csv')).toContain('just now')
    expect(archive.get('config_changes.csv')).not.toContain('long ago')
  })

  it('reaches as far back and as far around as was asked for', async () => {
    const archive = await files('?start=1d&related=true')
    expect(archive.get('config_changes.csv')).toContain('long ago')
    expect(JSON.parse(archive.get('components.json') ?? '')).toMatchObject([{ id: printer }, { id: queue }])
  })

  it('is refused without a session, with a start that is no length of time, and of what does not exist', async () => {
    const statusOf = async (path: string, headers = service()): Promise<number> => (await ask(path, headers)).status
    expect((await ask(`/snapshot/topology/${printer}`, {})).status).toBe(401)
    expect(await statusOf(`/snapshot/topology/${printer}?start=soon`)).toBe(400)
    expect(await statusOf('/snapshot/topology/nonsense')).toBe(400)
    expect(await statusOf('/snapshot/topology/00000000-0000-4000-8000-000000000000')).toBe(404)
  })
})
