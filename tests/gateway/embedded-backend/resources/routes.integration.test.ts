import { can, ROLES } from '@watchroom/shared/access'
import { NIL_UUID } from '@watchroom/shared/kernel'
import {
  type ResourceSearchAnswer,
  type ResourceSelector,
  SEARCH_KIND_NAMES,
  SEARCH_KINDS,
  type SearchKind,
} from '@watchroom/shared/resources'
import { Client, Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'

import {
  findEach,
  findOfKinds,
  findResources,
} from '../../../../gateway/src/embedded-backend/resources/findResources.ts'
import { Refusal } from '../../../../gateway/src/platform/http/refusal.ts'
import { startEmbeddedBackend, type TestBackend } from '../../../support/embeddedBackend.ts'
import { createRandom } from '../../../support/random.ts'

let backend: TestBackend
let database: Client
let agentId: string
const headersOf = new Map<string, Record<string, string>>()

async function insert(table: string, row: Readonly<Record<string, unknown>>): Promise<string> {
  const names = Object.keys(row)
  const values = Object.values(row).map((value) =>
    typeof value === 'object' && value !== null && !Array.isArray(value) ? JSON.stringify(value) : value,
  )
  const { rows } = await database.query<{ id: string }>(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, at) => `$${at + 1}`).join(', ')}) returning id`,
    values,
  )
  return rows[0]?.id ?? ''
}

const config = (name: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> =>
  insert('config_items', { config_class: 'Pod', type: 'Kubernetes::Pod', name, ...more })

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  database = new Client({ connectionString: backend.databaseUrl })
  await database.connect()
  for (const role of ROLES) {
    const { email, password } = await backend.createPerson(role)
    headersOf.set(role, await backend.signIn(email, password))
  }
  const { rows } = await database.query<{ id: string }>(`select id from people where email like 'admin%' limit 1`)
  const author = rows[0]?.id ?? ''
  agentId = await insert('agents', { name: 'edge' })
  const canary = await insert('canaries', { name: 'shop', namespace: 'east', spec: {}, agent_id: agentId })
  await insert('checks', {
    canary_id: canary,
    // Those of this installation follow the spec.
    agent_id: agentId,
    type: 'http',
    name: 'zebra front',
    status: 'healthy',
    labels: { team: 'pay' },
  })
  await insert('components', {
    external_id: 'z',
    name: 'zebra web',
    status: 'healthy',
    type: 'Service',
    properties: '[{"name":"owner","text":"ada"}]',
  })
  await config('zebra-pod', {
    tags: { namespace: 'east', cluster: 'Mono' },
    labels: { app: 'printer' },
    external_id: ['z1', 'z2'],
  })
  await insert('incidents', {
    title: 'Zebra prints nothing',
    created_by: author,
    severity: 'High',
    description: '',
    type: 'availability',
    status: 'open',
  })
  await insert('playbooks', { name: 'zebra-restart', title: 'Restart the zebra', spec: {}, category: 'repair' })
  await insert('people', { name: 'Zebra Zimmer', email: 'zimmer@test.local' })
  await insert('people', { name: 'zebra machine', email: 'machine@local', type: 'agent' })
  await insert('connections', { name: 'zebra-db', type: 'postgres', url: 'postgres://hidden.example' })
})
afterAll(async () => {
  await database?.end()
  await backend?.stop()
})

const EVERYTHING = Object.fromEntries(SEARCH_KIND_NAMES.map((kind) => [kind, [{ search: 'zeb', agent: 'all' }]]))

async function ask(body: unknown, who = 'admin', status = 200): Promise<ResourceSearchAnswer> {
  const answer = await backend.call('/resources/search', { method: 'POST', body, headers: headersOf.get(who) ?? {} })
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status })
  return answer.json() as ResourceSearchAnswer
}

/** Names of the configs that a selector means. */
const configs = async (selector: object): Promise<string[]> =>
  ((await ask({ configs: [selector] })).configs ?? []).map(({ name }) => name)

describe('POST /resources/search', () => {
  it('finds every kind by how a word begins, in the shape of the reference', async () => {
    const found = await ask(EVERYTHING)
    expect(Object.keys(found).toSorted()).toEqual(SEARCH_KIND_NAMES.toSorted())
    const first = (kind: SearchKind) => found[kind]?.[0]
    const uuid = expect.stringMatching(/^[\da-f-]{36}$/)
    expect(first('checks')).toEqual({
      id: uuid,
      agent: agentId,
      name: 'zebra front',
      namespace: 'east',
      type: 'http',
      tags: { team: 'pay' },
      status: 'healthy',
    })
    expect(first('components')).toMatchObject({ name: 'zebra web', namespace: '', type: 'Service' })
    expect(first('configs')).toEqual({
      id: uuid,
      agent: NIL_UUID,
      name: 'zebra-pod',
      namespace: 'east',
      type: 'Kubernetes::Pod',
      tags: { namespace: 'east', cluster: 'Mono' },
    })
    expect(first('incidents')).toEqual({
      id: uuid,
      agent: NIL_UUID,
      name: 'Zebra prints nothing',
      namespace: '',
      type: 'availability',
      status: 'open',
      alias: 'INC-1',
    })
    expect(first('playbooks')).toMatchObject({ name: 'Restart the zebra', type: 'repair' })
    expect(found.people?.map(({ name, alias }) => [name, alias])).toEqual([['Zebra Zimmer', 'zimmer@test.local']])
    expect(found.connections).toEqual([
      { id: uuid, agent: NIL_UUID, name: 'zebra-db', namespace: 'default', type: 'postgres' },
    ])
  })

  it.each(ROLES)('gives a %s only the kinds that their role may read', async (role) => {
    const found = await ask(EVERYTHING, role)
    expect(Object.keys(found).toSorted()).toEqual(
      SEARCH_KIND_NAMES.filter((kind) => can([role], 'read', SEARCH_KINDS[kind])).toSorted(),
    )
  })

  it('gives nothing to nobody, to an agent, and for nothing asked', async () => {
    expect((await backend.call('/resources/search', { method: 'POST', body: EVERYTHING })).status).toBe(401)
    const made = await backend.callAsService('/agent/generate', { method: 'POST', body: { name: 'pusher' } })
    const { access_token: token } = made.json() as { access_token: string }
    const authorization = `Basic ${Buffer.from(`token:${token}`).toString('base64')}`
    expect(
      (await backend.call('/resources/search', { method: 'POST', body: EVERYTHING, headers: { authorization } }))
        .status,
    ).toBe(403)
    expect(await ask({})).toEqual({})
    expect(await ask({ configs: [], checks: null })).toEqual({})
    expect(await ask({ configs: [{}, { search: ' ' }, { types: [] }] })).toEqual({})
  })

  it('does not hear its own syntax in what people type', async () => {
    await config('100% _under')
    expect(await configs({ search: '100%' })).toEqual(['100% _under'])
    expect(await configs({ search: '%' })).toEqual([])
    for (const search of [`'`, `\\`, `':*`, `a' | 'b`, '!', '(', '$zz', '\u{1F600}', 'ä'.repeat(400)]) {
      expect(await configs({ search })).toEqual([])
    }
  })

  it('puts the exact name first, then beginnings, then words inside, then labels', async () => {
    await config('mango')
    await config('mango-tree')
    await config('green mango')
    await config('fruit', { labels: { kind: 'mango' } })
    expect(await configs({ search: 'Mango' })).toEqual(['mango', 'mango-tree', 'green mango', 'fruit'])
    expect(await configs({ search: 'tree man' })).toEqual(['mango-tree'])
    expect(await configs({ search: 'ango' })).toEqual([])
  })

  it('finds an incident by its number, and puts one that is closed behind one that is open', async () => {
    const author = (await database.query<{ id: string }>('select created_by as id from incidents limit 1')).rows[0]?.id
    const row = { created_by: author, severity: 'Low', description: '', type: 'security' }
    await insert('incidents', { ...row, title: 'Owl', status: 'closed' })
    await insert('incidents', { ...row, title: 'Owl again and again', status: 'open' })
    const aliases = async (search: string) =>
      (await ask({ incidents: [{ search }] })).incidents?.map(({ alias }) => alias)
    expect(await aliases('INC-1')).toEqual(['INC-1'])
    expect((await ask({ incidents: [{ search: 'ow' }] })).incidents?.map(({ status }) => status)).toEqual([
      'open',
      'closed',
    ])
  })

  it('selects by id, name, namespace, agent, types, statuses and scope', async () => {
    const id = await config('kiwi', { status: 'Running', tags: { namespace: 'south' } })
    await config('kiwi', { agent_id: agentId, type: 'Other' })
    expect(await configs({ id })).toEqual(['kiwi'])
    expect(await configs({ id: 'nonsense' })).toEqual([])
    expect(await configs({ name: 'kiw' })).toEqual([])
    expect(await configs({ name: 'kiwi' })).toEqual(['kiwi'])
    expect(await configs({ name: 'kiwi', agent: 'all' })).toEqual(['kiwi', 'kiwi'])
    expect(await configs({ name: 'kiwi', agent: 'edge', types: ['Other'] })).toEqual(['kiwi'])
    expect(await configs({ name: 'kiwi', agent: agentId, types: ['Kubernetes::Pod'] })).toEqual([])
    expect(await configs({ namespace: 'south' })).toEqual(['kiwi'])
    expect(await configs({ statuses: ['Running', 'Failed'] })).toEqual(['kiwi'])
    expect(await configs({ scope: id })).toEqual([])
  })

  it('selects by tags, labels, fields and properties, and refuses what it cannot read', async () => {
    expect(await configs({ tagSelector: 'cluster=Mono' })).toEqual(['zebra-pod'])
    expect(await configs({ labelSelector: 'app in (printer, other),!team' })).toEqual(['zebra-pod'])
    expect(await configs({ labelSelector: 'app=printer,app!=printer' })).toEqual([])
    expect(await configs({ fieldSelector: 'external_id=z2,config_class=Pod' })).toEqual(['zebra-pod'])
    expect(await configs({ fieldSelector: 'external_id in (z3),config_class=Pod' })).toEqual([])
    expect(
      (await ask({ components: [{ name: 'zebra web', fieldSelector: 'owner notin (ada)' }] })).components,
    ).toHaveLength(1)
    expect(await ask({ components: [{ fieldSelector: 'hidden=1' }] })).toEqual({})
    expect(await ask({ configs: [{ labelSelector: 'a b' }] }, 'admin', 400)).toEqual({
      error: 'cannot read the selector at: a b',
    })
    expect(await ask({ checks: [{ fieldSelector: 'spec=1' }] }, 'admin', 400)).toEqual({
      error: 'field spec cannot be selected by',
    })
    await ask({ configs: 'all' }, 'admin', 400)
    await ask({ configs: Array.from({ length: 21 }, () => ({ name: 'a' })) }, 'admin', 400)
  })

  it('finds what is deleted only when asked to, and each row once, up to the limit', async () => {
    await config('plum', { deleted_at: new Date() })
    expect(await configs({ search: 'plum' })).toEqual([])
    expect(await configs({ search: 'plum', includeDeleted: true })).toEqual(['plum'])
    for (let at = 0; at < 5; at++) await config(`pear ${at}`)
    const found = await ask({ limit: 3, configs: [{ name: 'pear 4' }, { search: 'pear' }] })
    expect(found.configs?.map(({ name }) => name)).toEqual(['pear 4', 'pear 0', 'pear 1'])
  })

  it('has at most two questions of one search under way, and answers kinds in their order', async () => {
    const pool = new Pool({ connectionString: backend.databaseUrl })
    onTestFinished(() => pool.end())
    const underWay: number[] = []
    pool.on('acquire', () => underWay.push(pool.totalCount - pool.idleCount))
    const asked = SEARCH_KIND_NAMES.map((kind) => [kind, [{ search: 'zeb', agent: 'all' }]] as const)
    const found = await findOfKinds(pool, asked, 10)
    expect(found.map(([kind, rows]) => [kind, rows.length])).toEqual(SEARCH_KIND_NAMES.map((kind) => [kind, 1]))
    expect([underWay.length, Math.max(...underWay)]).toEqual([SEARCH_KIND_NAMES.length, 2])
  })

  it('uses its indexes, whoever wrote the row', async () => {
    const { email, password } = await backend.createPerson('editor')
    const headers = await backend.signIn(email, password)
    const row = {
      config_class: 'Pod',
      type: 'Pod',
      name: 'written by hand',
      labels: { deep: { er: ['x'] }, n: 1, none: null },
    }
    expect((await backend.call('/db/config_items', { method: 'POST', body: row, headers })).status).toBe(201)
    expect(await configs({ search: 'hand wri' })).toEqual(['written by hand'])
    await database.query(
      `insert into config_items (config_class, type, name) select 'Pod', 'Pod', 'filler ' || n from generate_series(1, 3000) n;
       analyze config_items`,
    )
    const explain = async (condition: string): Promise<string> =>
      JSON.stringify(
        (await database.query(`explain select id from config_items r where r.deleted_at is null and ${condition}`))
          .rows,
      )
    expect(
      await explain(
        `watchroom_internal.search_vector(r.name, r.tags, r.labels) @@ watchroom_internal.search_query('zeb')`,
      ),
    ).toContain('config_items_search_idx')
    expect(await explain(`lower(r.name) collate "C" like 'zeb%'`)).toContain('config_items_name_idx')
  })
})

describe('many selectors', () => {
  const SEEDS = 9
  const SELECTORS = 120
  const KINDS = ['checks', 'components', 'configs'] as const
  // Letters that languages write small in ways of their own, and what patterns mean by themselves.
  const LETTERS = ['a', 'B', 'I', 'i', 'İ', 'ı', 'Σ', 'ß', 'ẞ', '%', '_', '\\', '~', ' ', 'z']
  const names: string[] = []
  let pool: Pool

  const pickFrom = <Item>(random: () => number, items: readonly Item[]): Item =>
    items[Math.floor(random() * items.length)] as Item
  const randomName = (random: () => number): string =>
    Array.from({ length: 1 + Math.floor(random() * 4) }, () => pickFrom(random, LETTERS)).join('')
  const toPattern = (random: () => number): string => {
    const name = pickFrom(random, names)
    const at = Math.floor(random() * (name.length + 1))
    return pickFrom(random, [name, `${name.slice(0, at)}*`, `*${name.slice(at)}`, `${name}*`])
  }

  beforeAll(async () => {
    pool = new Pool({ connectionString: backend.databaseUrl, max: 2 })
    const random = createRandom(16)
    const canary = await insert('canaries', { name: 'many', namespace: 'west', spec: {}, agent_id: agentId })
    for (let row = 0; row < 80; row++) {
      const name = `${randomName(random)}${row % 2 === 0 ? '' : row}`
      if (names.includes(name)) continue
      names.push(name)
      const labels = { team: pickFrom(random, ['pay', 'ship']), tier: row % 4 }
      const common = { name, labels, agent_id: row % 5 === 0 ? agentId : NIL_UUID }
      await insert('checks', {
        ...common,
        agent_id: agentId,
        canary_id: canary,
        type: 'http',
        status: 'healthy',
        namespace: row % 3 === 0 ? 'own' : null,
      })
      await insert('components', {
        ...common,
        external_id: name,
        status: 'warning',
        type: 'Service',
        owner: row % 2 === 0 ? 'ada' : null,
      })
      await config(name, { ...common, tags: { namespace: pickFrom(random, ['east', 'west']) } })
    }
  })
  afterAll(async () => pool?.end())

  const randomSelector = (kind: SearchKind, random: () => number): ResourceSelector => {
    const maybe = <Value>(share: number, value: () => Value): Value | undefined =>
      random() < share ? value() : undefined
    return {
      name: maybe(0.7, () => toPattern(random)),
      namespace: maybe(0.2, () => pickFrom(random, ['east', 'w*', '*n', 'none', ''])),
      agent: maybe(0.7, () => pickFrom(random, ['all', 'edge', agentId, 'nobody', ''])),
      types: maybe(0.2, () => pickFrom(random, [['http', 'Service'], ['Kub*'], []])),
      // Of components it is worked out meanwhile.
      statuses: maybe(kind === 'components' ? 0 : 0.1, () => ['healthy', 'warning']),
      search: maybe(0.05, () => randomName(random)),
      scope: maybe(0.05, () => pickFrom(random, ['nonsense', NIL_UUID])),
      includeDeleted: maybe(0.1, () => true),
      tagSelector: maybe(0.1, () => pickFrom(random, ['namespace=east', 'team in (pay,ship),!none', '= broken'])),
      labelSelector: maybe(0.2, () => pickFrom(random, ['team=pay', 'tier!=1', 'tier', 'team notin (ship)'])),
      fieldSelector: maybe(0.1, () => pickFrom(random, ['owner=ada', 'external_id!=x', 'cpu'])),
    }
  }

  const alone = async (
    kind: SearchKind,
    selector: ResourceSelector,
    limit: number,
  ): Promise<readonly string[] | string> => {
    try {
      return (await findResources(pool, kind, [selector], limit)).map(({ id }) => id).toSorted()
    } catch (error) {
      if (error instanceof Refusal) return String(error.body['error'])
      throw error
    }
  }

  it(`mean in one statement what each means alone, over ${SEEDS} seeds`, async () => {
    for (let seed = 0; seed < SEEDS; seed++) {
      const random = createRandom(seed)
      const kind = KINDS[seed % KINDS.length] ?? 'checks'
      const limit = pickFrom(random, [2, 1_000])
      const selectors = Array.from({ length: SELECTORS }, () => randomSelector(kind, random))
      const together = (await findEach(pool, kind, selectors, limit)).map((found) =>
        found.ok ? found.value.toSorted() : found.error,
      )
      expect({ seed, together }).toEqual({
        seed,
        together: await Promise.all(selectors.map((selector) => alone(kind, selector, limit))),
      })
    }
  })

  it('mean names by their letters as they are written, in whatever way an index writes them small', async () => {
    const random = createRandom(80)
    const patterns = Array.from({ length: 600 }, () => toPattern(random))
    const found = await findEach(
      pool,
      'components',
      patterns.map((name) => ({ name, agent: 'all' })),
      1_000,
    )
    const { rows } = await pool.query<{ id: string; name: string }>(
      'select id, name from components where deleted_at is null',
    )
    const fits = (name: string, pattern: string): boolean =>
      pattern.endsWith('*')
        ? name.startsWith(pattern.slice(0, -1))
        : pattern.startsWith('*')
          ? name.endsWith(pattern.slice(1))
          : name === pattern
    for (const [at, pattern] of patterns.entries()) {
      const meant = rows.filter(({ name }) => fits(name, pattern)).map(({ id }) => id)
      expect([pattern, found[at]]).toEqual([pattern, { ok: true, value: expect.arrayContaining(meant) as string[] }])
      expect(found[at]).toHaveProperty('value.length', meant.length)
    }
  })
})
