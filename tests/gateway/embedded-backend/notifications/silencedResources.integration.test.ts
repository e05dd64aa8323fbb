// What is shown as silenced is what the sender keeps back: the same rule, asked from both ends, on trees that a seed grows.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { createRandom } from '#support/random.ts'

import { previewSilence } from '../../../../gateway/src/embedded-backend/notifications/silences.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(() => database.stop())

const KINDS = ['check', 'canary', 'component', 'config'] as const
type Kind = (typeof KINDS)[number]

const insert = async (text: string, values: readonly unknown[] = []): Promise<string> =>
  (await database.pool.query<{ id: string }>(`${text} returning id`, [...values])).rows[0]?.id ?? ''

/** A few trees of components and items, and checks that belong to nodes of them. */
async function grow(random: () => number): Promise<Record<Kind, string[]>> {
  const pick = (ids: readonly string[]): string | null => ids[Math.floor(random() * (ids.length + 1))] ?? null
  const grown: Record<Kind, string[]> = { check: [], canary: [], component: [], config: [] }
  for (let at = 0; at < 8; at += 1) {
    grown.component.push(
      await insert(`insert into components (name, external_id, status, parent_id) values ($1, $1, 'healthy', $2)`, [
        `component ${at}`,
        pick(grown.component),
      ]),
    )
    grown.config.push(
      await insert(`insert into config_items (name, type, config_class, parent_id) values ($1, 'T', 'T', $2)`, [
        `item ${at}`,
        pick(grown.config),
      ]),
    )
  }
  for (const name of ['one', 'two', 'three'])
    grown.canary.push(await insert(`insert into canaries (name, namespace, spec) values ($1, 'proof', '{}')`, [name]))
  for (let at = 0; at < 10; at += 1) {
    const canary = grown.canary[at % 3]
    const check = await insert(`insert into checks (canary_id, type, name) values ($1, 'http', $2)`, [
      canary,
      `check ${at}`,
    ])
    grown.check.push(check)
    const gone = random() < 0.2 ? new Date() : null
    const [component, config] = [pick(grown.component), pick(grown.config)]
    if (component)
      await database.pool.query(
        `insert into check_component_relationships (component_id, check_id, canary_id, selector_id, deleted_at)
         values ($1, $2, $3, 'proof', $4)`,
        [component, check, canary, gone],
      )
    if (config)
      await database.pool.query(
        `insert into check_config_relationships (config_id, check_id, canary_id, selector_id, deleted_at)
         values ($1, $2, $3, 'proof', $4)`,
        [config, check, canary, gone],
      )
  }
  return grown
}

it.each([1, 2, 3, 4])('lists as silenced what the sender keeps back, and nothing else (seed %i)', async (seed) => {
  const random = createRandom(seed)
  const grown = await grow(random)
  for (const kind of KINDS) {
    for (const of of grown[kind]) {
      for (const recursive of [false, true]) {
        const silence = await insert(
          `insert into notification_silences (${kind}_id, "from", until, recursive)
           values ($1, now() - interval '1 minute', now() + interval '1 hour', $2)`,
          [of, recursive],
        )
        const { rows: shown } = await database.pool.query<{ id: string }>(
          'select resource_id as id from silenced_resources where silence_id = $1 order by 1',
          [silence],
        )
        const { rows: kept } = await database.pool.query<{ id: string }>(
          `select resource.id from unnest($1::text[], $2::uuid[]) as resource (kind, id)
           where watchroom_internal.matching_silence(resource.kind, resource.id, now()) = $3 order by 1`,
          [KINDS.flatMap((each) => grown[each].map(() => each)), KINDS.flatMap((each) => grown[each]), silence],
        )
        expect([kind, recursive, ...shown.map(({ id }) => id)]).toEqual([kind, recursive, ...kept.map(({ id }) => id)])
        expect(kept.map(({ id }) => id)).toContain(of)
        await database.pool.query('delete from notification_silences where id = $1', [silence])
      }
    }
  }
})

it('lists nothing of a silence that is over or deleted', async () => {
  const canary = await insert(`insert into canaries (name, namespace, spec) values ('quiet', 'proof', '{}')`)
  const over = `"from", until) values ($1, now() - interval '2 hours', now() - interval '1 hour')`
  await database.pool.query(`insert into notification_silences (canary_id, ${over}`, [canary])
  await database.pool.query(
    `insert into notification_silences (canary_id, "from", until, deleted_at) values ($1, now(), now() + interval '1 hour', now())`,
    [canary],
  )
  const { rows } = await database.pool.query('select from silenced_resources where resource_id = $1', [canary])
  expect(rows).toEqual([])
})

it('names the canary that would be silenced beside its checks, whatever their names', async () => {
  const canary = await insert(`insert into canaries (name, namespace, spec) values ('website', 'preview', '{}')`)
  for (const name of ['api', 'zone'])
    await insert(`insert into checks (canary_id, type, name) values ($1, 'http', $2)`, [canary, name])
  expect(await previewSilence(database.pool, { kind: 'canary', id: canary }, false)).toEqual({
    covered: 3,
    names: ['api', 'website', 'zone'],
    about: 'website',
    messages: 0,
  })
})
