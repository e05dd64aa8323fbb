import { writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'

import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startEmbeddedBackend, type TestBackend } from '../../../support/embeddedBackend.ts'
import { createLogComponents } from '../../../support/logComponents.ts'
import { readZip } from '../../../support/readZip.ts'

let backend: TestBackend
let database: Client
let printer: string
let queue: string
let config: string
let incident: string

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
  config = await insert(`insert into config_items (config_class, type, name) values ('Pod', 'Pod', 'printer-pod')`)
  await database.query(
    `insert into config_component_relationships (component_id, config_id, selector_id) values ($1, $2, 'manual')`,
    [printer, config],
  )
  const change = `insert into config_changes (config_id, change_type, summary, created_at) values ($1, 'diff', $2, now() - $3::interval)`
  await insert(change, [config, 'just now', '5 minutes'])
  await insert(change, [config, 'long ago', '3 hours'])
  const author = (await backend.createPerson('responder')).id
  incident = await insert(
    `insert into incidents (title, created_by, severity, description, type, status, created_at)
     values ('Nothing prints', $1, 'High', '', 'availability', 'open', now() - interval '1 hour')`,
    [author],
  )
  const hypothesis = await insert(
    `insert into hypotheses (incident_id, created_by, type, title, status) values ($1, $2, 'root', 'Out of paper', 'possible')`,
    [incident, author],
  )
  const evidence = `insert into evidences (hypothesis_id, created_by, description, type, config_id, component_id) values ($1, $2, $3, $4, $5, $6)`
  await insert(evidence, [hypothesis, author, 'the pod restarts', 'config', config, null])
  await insert(evidence, [hypothesis, author, 'the queue grows', 'topology', null, queue])
  await insert(`insert into comments (incident_id, created_by, comment) values ($1, $2, 'paper ordered')`, [
    incident,
    author,
  ])
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
const files = async (query = '', of = `topology/${printer}`): Promise<Map<string, string>> => {
  const { status, type, body } = await ask(`/snapshot/${of}${query}`, service())
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

  it('holds what the component logged, as text or as JSON, and says what is missing', async () => {
    const folder = join(backend.dataDirectory, 'logs')
    const at = (minutesAgo: number): string => new Date(Date.now() - minutesAgo * 60_000).toISOString()
    writeFileSync(join(folder, 'spool.log'), `${at(50)} warming up\n${at(8)} out of paper\n${at(2)} still no paper\n`)
    const spec = { backends: [{ file: { path: ['spool.log'], routes: [{ labels: { of: 'spooler' } }] } }] }
    await database.query(`insert into logging_backends (name, spec, source) values ('spool', $1, 'UI')`, [
      JSON.stringify(spec),
    ])
    const [spooler = ''] = await createLogComponents(backend, [
      { name: 'spooler', selectors: [{ name: 'own log', labels: { of: 'spooler' } }] },
    ])
    const of = `topology/${spooler}`
    const archive = await files('', of)
    expect([...archive.keys()].filter((name) => name.startsWith('logs/'))).toEqual(['logs/spooler-own-log.log'])
    expect(archive.get('logs/spooler-own-log.log')).toMatch(/^\S+ out of paper\n\S+ still no paper\n$/)
    const earlier = await files('?start=1h&end=5m&logFormat=json', of)
    const lines = JSON.parse(earlier.get('logs/spooler-own-log.json') ?? '[]') as { message: string }[]
    expect(lines.map(({ message }) => message)).toEqual(['warming up', 'out of paper'])
    expect((await files('?end=5m')).get('config_changes.csv')).toContain('just now')
    expect((await files('?end=6m')).get('config_changes.csv')).not.toContain('just now')
  })

  it('is refused without a session, with a start that is no length of time, and of what does not exist', async () => {
    const statusOf = async (path: string, headers = service()): Promise<number> => (await ask(path, headers)).status
    expect((await ask(`/snapshot/topology/${printer}`, {})).status).toBe(401)
    expect(await statusOf(`/snapshot/topology/${printer}?start=soon`)).toBe(400)
    expect(await statusOf(`/snapshot/topology/${printer}?end=20m`)).toBe(400)
    expect(await statusOf(`/snapshot/topology/${printer}?start=${'9'.repeat(30)}d`)).toBe(400)
    expect(await statusOf(`/snapshot/topology/${printer}?logFormat=xml`)).toBe(400)
    expect(await statusOf('/snapshot/topology/nonsense')).toBe(400)
    expect(await statusOf('/snapshot/topology/00000000-0000-4000-8000-000000000000')).toBe(404)
  })
})

describe('a snapshot of a config item', () => {
  it('holds the item, what changed lately, and the incidents that have it as evidence', async () => {
    const archive = await files('', `config/${config}`)
    expect([...archive.keys()]).toEqual([
      'config_items.json',
      'config_items.csv',
      'config_changes.csv',
      'config_analysis.csv',
      'incidents.csv',
      'hypotheses.csv',
      'evidences.csv',
    ])
    expect(archive.get('config_changes.csv')).toContain('just now')
    expect(archive.get('config_changes.csv')).not.toContain('long ago')
    expect(archive.get('incidents.csv')).toContain('Nothing prints')
    expect(archive.get('evidences.csv')).toContain('the pod restarts')
    expect(archive.get('evidences.csv')).not.toContain('the queue grows')
  })

  it('holds related items when asked to', async () => {
    const related = await database.query<{ id: string }>(
      `insert into config_items (config_class, type, name) values ('Node', 'Node', 'paper-node') returning id`,
    )
    await database.query(`insert into config_relationships (config_id, related_id, relation) values ($1, $2, 'soft')`, [
      config,
      related.rows[0]?.id,
    ])
    expect((await files('', `config/${config}`)).get('config_items.csv')).not.toContain('paper-node')
    expect((await files('?related=true', `config/${config}`)).get('config_items.csv')).toContain('paper-node')
  })
})

describe('a snapshot of an incident', () => {
  it('has what the database says is of the next moment: its clock may be ahead', async () => {
    const { rows } = await database.query<{ id: string }>(
      `insert into incidents (title, created_by, severity, description, type, status, created_at)
       select 'Just opened', created_by, 'High', '', 'availability', 'open', now() + interval '1 minute' from incidents limit 1
       returning id`,
    )
    const archive = await files('', `incident/${rows[0]?.id}`)
    expect(archive.get('incidents.csv')).toContain('Just opened')
  })

  it('is refused when too many are made at once', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => ask(`/snapshot/incident/${incident}`, service())),
    )
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses.has(200)).toBe(true)
    expect([...statuses].every((status) => status === 200 || status === 503)).toBe(true)
  })

  it('holds all that was said, what the evidence is about, and what changed since it was opened', async () => {
    const archive = await files('', `incident/${incident}`)
    expect([...archive.keys()]).toEqual([
      'incident.json',
      'incidents.csv',
      'hypotheses.csv',
      'evidences.csv',
      'comments.csv',
      'incident_histories.csv',
      'components.csv',
      'config_items.csv',
      'config_changes.csv',
      'config_analysis.csv',
    ])
    expect(JSON.parse(archive.get('incident.json') ?? '')).toMatchObject({ id: incident, title: 'Nothing prints' })
    expect(archive.get('hypotheses.csv')).toContain('Out of paper')
    expect(archive.get('comments.csv')).toContain('paper ordered')
    expect(archive.get('components.csv')).toContain(queue)
    expect(archive.get('components.csv')).not.toContain('printer,')
    expect(archive.get('config_items.csv')).toContain('printer-pod')
    expect(archive.get('config_changes.csv')).toContain('just now')
    expect(archive.get('config_changes.csv')).not.toContain('long ago')
    expect((await files('?start=1d', `incident/${incident}`)).get('config_changes.csv')).toContain('long ago')
  })

  it.each(['config', 'incident'])('of nobody, of nonsense and of no %s is refused', async (kind) => {
    const statusOf = async (path: string, headers = service()): Promise<number> => (await ask(path, headers)).status
    expect((await ask(`/snapshot/${kind}/${printer}`, {})).status).toBe(401)
    expect(await statusOf(`/snapshot/${kind}/nonsense`)).toBe(400)
    expect(await statusOf(`/snapshot/${kind}/${config}?start=soon`)).toBe(400)
    expect(await statusOf(`/snapshot/${kind}/00000000-0000-4000-8000-000000000000`)).toBe(404)
  })
})
