// Kills the backend's process or PostgreSQL the hard way in the middle of syncs of a topology, again and again. There is no half tree and nothing
// double, whatever was edited; the next sync completes, and ids stay.
import { afterAll, beforeAll, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import { howMany } from '../support/howMany.ts'
import { killPart, type Part } from '../support/killPart.ts'
import { createRandom } from '../support/random.ts'
import { startTopologyWorld, type TopologyWorld } from '../support/topologyWorld.ts'

const SEED = Number(process.env['FUZZ_SEED'] ?? 20_261_123)
const KILLS = howMany('WATCHROOM_FAULT_ROUNDS', { short: 3, long: 40 })
const GROUPS = 30
const PARTS = 20
const LONGEST_MS = 700
const VICTIMS: readonly Part[] = ['backend', 'PostgreSQL']
const LATEST = { timeout: 40_000, interval: 200 }

let world: TopologyWorld
beforeAll(async () => {
  world = await startTopologyWorld()
})
afterAll(() => world?.stop())

/** In odd versions every seventh part is gone, every fifth group stands below another one, and every part says something else. */
function specOf(version: number): object {
  const isOdd = version % 2 === 1
  const group = (number: number): object => ({
    name: `group ${number}`,
    components: [
      ...Array.from({ length: PARTS }, (_, part) => part)
        .filter((part) => !(isOdd && part % 7 === 6))
        .map((part) => ({
          name: `part ${number}.${part}`,
          text: `version ${version}`,
          selectors: [{ name: `part ${number}.${(part + 1) % 6}` }],
          ...(part === 0 && {
            checks: [{ inline: { interval: 3_600, http: [{ name: 'up', url: 'http://127.0.0.1:9' }] } }],
          }),
        })),
      ...(isOdd && number % 5 === 0 && number + 1 < GROUPS ? [group(number + 1)] : []),
    ],
  })
  return {
    components: Array.from({ length: GROUPS }, (_, number) => number)
      .filter((number) => !(isOdd && number % 5 === 1))
      .map(group),
  }
}

interface Soundness {
  readonly versions: number
  readonly live: number
  readonly misplaced: number
  readonly orphans: number
  readonly doubles: number
  readonly withoutCanary: number
  readonly strayCanaries: number
}

async function look(topology: string): Promise<Soundness> {
  const { rows } = await world.database.query<Soundness>(
    `select count(distinct part.text) filter (where part.text is not null)::int as versions, count(*)::int as live,
       count(*) filter (where part.path is distinct from concat_ws('.', nullif(parent.path, ''), parent.id))::int as misplaced,
       count(*) filter (where part.parent_id is not null and parent.deleted_at is not null)::int as orphans,
       (count(*) - count(distinct part.name))::int as doubles,
       count(*) filter (where part.name like 'part %.0' and (
         select count(*) from canaries where source = 'component/' || part.id and deleted_at is null) <> 1)::int as "withoutCanary",
       (select count(*) from canaries where deleted_at is null and source like 'component/%' and not exists (
         select from components as owner where canaries.source = 'component/' || owner.id and owner.deleted_at is null))::int as "strayCanaries"
     from components as part left join components as parent on parent.id = part.parent_id
     where part.topology_id = $1 and part.deleted_at is null`,
    [topology],
  )
  if (!rows[0]) throw new Error('the database counts nothing')
  return rows[0]
}

it(
  'leaves no half tree when the backend or PostgreSQL is killed in the middle of a sync',
  { timeout: 1_200_000 },
  async () => {
    const random = createRandom(SEED)
    const topology = await world.add('killed', specOf(0))
    await world.run(topology)
    const sound = { versions: 1, misplaced: 0, orphans: 0, doubles: 0, withoutCanary: 0, strayCanaries: 0 }
    const first = await look(topology)
    expect(first).toEqual({ ...sound, live: GROUPS * (PARTS + 1) })
    const ids = await idsOf(topology)
    for (let version = 1; version <= KILLS; version++) {
      await world.edit(topology, specOf(version))
      const run = world.run(topology).catch(() => null)
      await new Promise((resolve) => setTimeout(resolve, random() * LONGEST_MS))
      killPart(world.backend, VICTIMS[version % VICTIMS.length] ?? 'backend')
      await run
      // The database is started again with the backend.
      const seen = await eventually(() => look(topology), LATEST)
      expect([SEED, version, seen]).toEqual([SEED, version, { ...sound, live: seen.live }])
      const answer = await eventually(() => world.run(topology), LATEST)
      expect([SEED, version, answer]).toEqual([SEED, version, { status: 'ok', count: answer.count, errors: [] }])
      const after = await look(topology)
      expect([SEED, version, after]).toEqual([SEED, version, { ...sound, live: Number(answer.count) }])
      expect([SEED, version, await idsOf(topology)]).toEqual([SEED, version, ids])
    }
  },
)

/** Deleted ones, too: what comes back has its id. */
async function idsOf(topology: string): Promise<Readonly<Record<string, string>>> {
  const components = Object.values(await world.components(topology)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return Object.fromEntries(components.map(({ id, name }) => [name, id]))
}
