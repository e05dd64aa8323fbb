import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { EVIDENCE_TYPES, HYPOTHESIS_STATUSES } from '@watchroom/shared/incidents'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { startTestDatabase, type TestDatabase } from '#support/database.ts'

import { seedIncidents } from '../../../../gateway/src/embedded-backend/demo/seedIncidents.ts'
import { openIncidents } from '../../../../gateway/src/embedded-backend/incident-rules/openIncidents.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

let database: TestDatabase
const dataDirectory = mkdtempSync(join(tmpdir(), 'wr-demo-'))

beforeAll(async () => {
  database = await startTestDatabase()
})
afterAll(async () => {
  rmSync(dataDirectory, { recursive: true, force: true })
  await database?.stop()
})

const seed = () => seedIncidents(database.pool, { clock: systemClock, dataDirectory })
const column = async (text: string): Promise<unknown[]> =>
  (await database.pool.query<{ value: unknown }>(text)).rows.map(({ value }) => value)

describe('incidents of the demo', () => {
  it('need the people of the demo', async () => {
    await seed()
    expect(await column('select id as value from incidents')).toEqual([])
  })

  it('show what the room is for: a tree with every status, evidence of every type, something done and someone called in', async () => {
    await database.pool.query(
      `insert into people (name, email) select initcap(role), role || '@demo.watchroom.local'
       from unnest(array['responder', 'commander', 'editor']) role`,
    )
    await seed()
    expect(
      await column(`select status as value from incidents where status <> 'closed' order by created_at desc`),
    ).toEqual(['open', 'investigating', 'mitigated'])
    expect(await column(`select count(*)::int as value from incidents where status = 'closed'`)).toEqual([6])
    const ofOpen = `join hypotheses h on h.id = e.hypothesis_id join incidents i on i.id = h.incident_id where i.status = 'open'`
    const statuses = await column(
      `select distinct h.status as value from hypotheses h join incidents i on i.id = h.incident_id where i.status = 'open'`,
    )
    expect(new Set(statuses)).toEqual(new Set(HYPOTHESIS_STATUSES))
    const types = await column(`select distinct e.type as value from evidences e ${ofOpen}`)
    // Without the demo's checks there is nothing for evidence of that type to be about.
    expect(new Set(types)).toEqual(new Set(EVIDENCE_TYPES.filter((type) => type !== 'check')))
    expect(
      await column(`select e.description as value from evidences e ${ofOpen} and e.definition_of_done`),
    ).toHaveLength(1)
    expect(
      await column(`select comment as value from comments where comment like '%@[Commander](user:%'`),
    ).toHaveLength(1)
    expect(await column('select count(*)::int as value from responders')).toEqual([5])
    // The history tells of the invented past, not of the moment when it was invented.
    expect(
      await column(
        `select count(*)::int as value from incident_histories where created_at > now() - interval '1 minute'`,
      ),
    ).toEqual([0])
  })

  it('show lines of a log that stand in it', async () => {
    const shown = (await column(
      `select line as value from evidences e, jsonb_array_elements(e.evidence -> 'lines') as line where e.type = 'log'`,
    )) as { timestamp: string; message: string }[]
    const log = readFileSync(join(dataDirectory, 'logs', 'demo', 'edge-eu-workers.log'), 'utf8')
      .trim()
      .split('\n')
    const written = log.map((line) => JSON.parse(line) as { time: string; msg: string })
    expect(shown).toHaveLength(4)
    for (const { timestamp, message } of shown)
      expect(written).toContainEqual(expect.objectContaining({ time: timestamp, msg: message }))
    expect(written.map(({ time }) => time)).toEqual(written.map(({ time }) => time).toSorted())
  })

  it('are made once: what people did to them stays', async () => {
    await database.pool.query(`update incidents set title = 'Changed by someone' where status = 'open'`)
    await seed()
    expect(await column(`select title as value from incidents where status = 'open'`)).toEqual(['Changed by someone'])
    expect(await column('select count(*)::int as value from incidents')).toEqual([9])
  })

  it('have one that a rule opened, which opens no other while it is not over', async () => {
    const opened = `from incidents join incident_rules as rule on rule.id = incidents.incident_rule_id`
    expect(await column(`select rule.name || ': ' || incidents.status || ' ' || severity as value ${opened}`)).toEqual([
      'Payment providers: investigating critical',
    ])
    const [componentId = ''] = (await column(
      `select id as value from components where name = 'Bank transfer north'`,
    )) as string[]
    const turn = () => openIncidents(database.pool, { componentId, health: 'unhealthy' })
    expect(await turn()).toEqual([])
    await database.pool.query(`update incidents set status = 'closed' where incident_rule_id is not null`)
    expect(await turn()).toHaveLength(1)
  })
})
