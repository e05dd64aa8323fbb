import { type Component, cutTopology } from '@watchroom/shared/topology'
import type { Pool } from 'pg'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'

import {
  type ComponentEstate,
  createComponentEstate,
} from '../../../../gateway/src/embedded-backend/topology/estate/createComponentEstate.ts'
import { writeRolledUp } from '../../../../gateway/src/embedded-backend/topology/estate/writeRolledUp.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'
import { inTransaction } from '../../../../gateway/src/platform/database/inTransaction.ts'
import { startTestDatabase, type TestDatabase } from '../../../support/database.ts'
import { insertRow } from '../../../support/insertRow.ts'

const LATEST = { timeout: 20_000, interval: 20 }
const PAGE = { levels: 3, isFiltered: false }

let database: TestDatabase
let pool: Pool
let estate: ComponentEstate

const insert = (table: string, row: Readonly<Record<string, unknown>>): Promise<string> => insertRow(pool, table, row)

let count = 0
const component = (values: Record<string, unknown> = {}): Promise<string> => {
  const name = `c${(count += 1)}`
  return insert('components', { external_id: name, name, status: '', type: 'Service', ...values })
}

async function check(componentId: string, status: string): Promise<string> {
  const name = `k${(count += 1)}`
  const canary = await insert('canaries', { name, namespace: 'default', spec: {} })
  const id = await insert('checks', { canary_id: canary, type: 'http', name, status })
  await insert('check_component_relationships', {
    component_id: componentId,
    check_id: id,
    canary_id: canary,
    selector_id: 's',
  })
  return id
}

const setStatus = (id: string, status: string) =>
  pool.query('update checks set status = $2 where id = $1', [id, status])

async function read(id: string): Promise<Component | undefined> {
  const view = await estate.read()
  const answer = cutTopology(view, { id, depth: 3, sortBy: 'status', sortOrder: 'desc', showHidden: true })
  return answer.components?.[0]
}

async function stored(id: string) {
  const { rows } = await pool.query<Record<string, unknown>>(
    'select health, status, status_reason, summary from components where id = $1',
    [id],
  )
  return rows[0]
}

async function events(id: string): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `select name from event_queue where properties ->> 'id' = $1 and name like 'component.%' order by created_at`,
    [id],
  )
  return rows.map(({ name }) => name)
}

async function sync(): Promise<void> {
  const job = estate.jobs.find(({ name }) => name === 'ComponentStatusSummarySync')
  await job?.run({
    pool,
    signal: new AbortController().signal,
    now: Date.now(),
    report: { success: () => undefined, failure: () => undefined },
  })
}

beforeAll(async () => {
  database = await startTestDatabase()
  pool = database.pool
  await pool.query('delete from components')
  estate = createComponentEstate({
    pool,
    channels: database.channels,
    clock: systemClock,
    logger: pino({ level: 'silent' }),
  })
  await estate.start()
})

afterAll(async () => {
  await estate?.close()
  await database?.stop()
})

describe('the estate in memory', () => {
  it('writes nothing over what someone said of a new component meanwhile', async () => {
    const id = await component({ health: 'healthy', status: 'ok' })
    await eventually(async () => expect((await stored(id))?.['summary']).toEqual({ healthy: 1 }), LATEST)
    await pool.query('delete from watchroom_internal.component_said where component_id = $1', [id])
    // Unseen by the estate, as in the moment before it is told.
    await pool.query(
      `begin; select set_config('watchroom.rolls_up', 'on', true); update components set health = 'unhealthy' where id = '${id}'; commit`,
    )
    const was = { health: 'healthy', status: 'ok', status_reason: null, summary: null }
    const state = { ...was, summary: { healthy: 7 } }
    expect(await writeRolledUp(pool, new Map([[id, { state, was }]]))).toEqual(new Map())
    expect(await stored(id)).toMatchObject({ health: 'unhealthy', summary: { healthy: 1 } })
    const known = { ...was, health: 'unhealthy' }
    expect(
      (await writeRolledUp(pool, new Map([[id, { state: { ...known, summary: { unhealthy: 1 } }, was: known }]]))).size,
    ).toBe(1)
  })

  it('tells a new component that fails at once of one transition', async () => {
    const ids = await Promise.all(Array.from({ length: 20 }, () => component({ health: 'healthy', status: 'ok' })))
    for (const id of ids) await pool.query(`update components set health = 'unhealthy' where id = $1`, [id])
    for (const id of ids) {
      await eventually(async () => expect((await stored(id))?.['summary']).toEqual({ unhealthy: 1 }), LATEST)
      expect((await events(id)).filter((name) => name === 'component.unhealthy')).toHaveLength(1)
    }
  })

  it('turns those above a failing check red, in the call at once and in their rows, and says why', async () => {
    const root = await component()
    const middle = await component({ parent_id: root })
    const leaf = await component({ parent_id: middle })
    const id = await check(leaf, 'healthy')
    expect((await read(root))?.health).toBe('healthy')
    await eventually(async () => expect(await stored(root)).toMatchObject({ health: 'healthy' }), LATEST)

    await setStatus(id, 'unhealthy')
    const shown = await read(root)
    expect(shown).toMatchObject({ health: 'unhealthy', summary: { unhealthy: 1, checks: { unhealthy: 1 } } })
    expect(shown?.because).toMatchObject([{ kind: 'check', id, path: [{ id: middle }, { id: leaf }] }])
    expect(shown?.because?.[0]?.since).toMatch(/^\d{4}-/)
    for (const each of [root, middle, leaf]) {
      await eventually(async () => expect(await stored(each)).toMatchObject({ health: 'unhealthy' }), LATEST)
      expect(await events(each)).toContain('component.unhealthy')
    }
    expect((await stored(root))?.['summary']).toEqual({ unhealthy: 1, checks: { unhealthy: 1 } })
  })

  it('counts a check once that two selectors mean', async () => {
    const id = await component()
    const twice = await check(id, 'healthy')
    await pool.query(
      `insert into check_component_relationships (component_id, check_id, canary_id, selector_id)
       select component_id, check_id, canary_id, 'manual' from check_component_relationships where check_id = $1`,
      [twice],
    )
    expect((await read(id))?.summary).toMatchObject({ healthy: 1, checks: { healthy: 1 } })
    const { rows } = await pool.query('select id from checks_by_component where component_id = $1', [id])
    expect(rows).toEqual([{ id: twice }])
  })

  it('answers with what was committed before the call, every time', async () => {
    const root = await component()
    const id = await component({ parent_id: root, health: 'healthy' })
    for (let round = 0; round < 100; round += 1) {
      const hidden = round % 2 === 0
      await pool.query('update components set hidden = $2, name = $3 where id = $1', [id, hidden, `round ${round}`])
      const shown = (await read(root))?.components?.[0]
      expect([shown?.name, shown?.hidden ?? false]).toEqual([`round ${round}`, hidden])
    }
  })

  it('waits for nobody who only points to a component', async () => {
    const id = await component()
    const checkId = await check(id, 'healthy')
    await eventually(async () => expect(await stored(id)).toMatchObject({ health: 'healthy' }), LATEST)
    const author = await insert('people', { name: 'Ada', email: 'ada@example.org' })
    const team = await insert('teams', { name: 'Ops', spec: {}, created_by: author })
    await inTransaction(pool, async (other) => {
      await other.query('insert into team_components (team_id, component_id) values ($1, $2)', [team, id])
      await setStatus(checkId, 'unhealthy')
      await eventually(async () => expect(await stored(id)).toMatchObject({ health: 'unhealthy' }), LATEST)
    })
  })

  it('keeps what was said apart from what was worked out', async () => {
    const id = await component({ health: 'healthy', status: 'Running', status_reason: 'as ever' })
    const probe = await check(id, 'unhealthy')
    await eventually(async () => expect(await stored(id)).toMatchObject({ health: 'unhealthy' }), LATEST)

    await pool.query(`update components set health = 'warning', status_reason = 'odd' where id = $1`, [id])
    expect(await read(id)).toMatchObject({ health: 'unhealthy', status_reason: 'odd' })
    await eventually(async () => expect(await stored(id)).toMatchObject({ status_reason: 'odd' }), LATEST)
    expect(await stored(id)).toMatchObject({ health: 'unhealthy', status: 'Running' })

    await setStatus(probe, 'healthy')
    expect(await read(id)).toMatchObject({ health: 'warning', because: [{ kind: 'component', id }] })
    await eventually(async () => expect(await stored(id)).toMatchObject({ health: 'warning' }), LATEST)
    expect(await events(id)).toEqual(['component.unhealthy', 'component.warning'])
    await pool.query(`update components set health = 'healthy' where id = $1`, [id])
    await eventually(async () => expect(await stored(id)).toMatchObject({ health: 'healthy' }), LATEST)
  })

  it('says again what someone says though the row shows it already', async () => {
    const id = await component({ health: 'healthy' })
    const probe = await check(id, 'unhealthy')
    await eventually(async () => expect(await stored(id)).toMatchObject({ health: 'unhealthy' }), LATEST)
    await pool.query(`update components set health = 'unhealthy' where id = $1`, [id])
    await setStatus(probe, 'healthy')
    expect(await read(id)).toMatchObject({ health: 'unhealthy' })
  })

  it('follows items of the catalog, their insights, incidents, links, teams and moves', async () => {
    const [left, right] = [await component(), await component()]
    const id = await component({ parent_id: left })
    const item = await insert('config_items', { config_class: 'Database', type: 'T', name: 'store', health: 'healthy' })
    await insert('config_component_relationships', { component_id: id, config_id: item, selector_id: 'manual' })
    expect((await read(left))?.health).toBe('healthy')
    await pool.query(`update config_items set health = 'warning' where id = $1`, [item])
    expect(await read(left)).toMatchObject({
      health: 'warning',
      because: [{ kind: 'config', id: item, name: 'store', since: expect.any(String) as string }],
    })
    await insert('config_analysis', {
      config_id: item,
      analyzer: 'a',
      analysis_type: 'cost',
      severity: 'high',
      status: 'open',
    })
    expect((await read(left))?.summary?.insights).toEqual({ cost: { high: 1 } })
    await pool.query(`update config_analysis set status = 'resolved' where config_id = $1`, [item])
    expect((await read(left))?.summary?.insights ?? {}).toEqual({})
    await pool.query(`update config_analysis set status = 'silenced' where config_id = $1`, [item])
    expect((await read(left))?.summary?.insights ?? {}).toEqual({})

    await insert('component_relationships', { component_id: id, relationship_id: right, selector_id: 's' })
    expect((await read(right))?.health).toBe('warning')
    await pool.query('update component_relationships set deleted_at = now() where component_id = $1', [id])
    expect((await read(right))?.health).toBe('unknown')
    await pool.query('update components set parent_id = $2 where id = $1', [id, right])
    expect([(await read(left))?.health, (await read(right))?.health]).toEqual(['unknown', 'warning'])

    await pool.query('update components set deleted_at = now() where id = $1', [id])
    expect((await read(right))?.components).toBeUndefined()
    expect(await read(id)).toBeUndefined()
    await pool.query('update components set deleted_at = null where id = $1', [id])
    expect((await read(right))?.components?.map((each) => each.id)).toEqual([id])
  })

  it('counts an open incident once, however many components are evidence in it, until it is over', async () => {
    const root = await component()
    const parts = [await component({ parent_id: root }), await component({ parent_id: root })]
    const author = await insert('people', { name: 'Eve', email: 'eve@example.org' })
    const by = { created_by: author, title: 'storm', description: '' }
    const kind = { type: 'availability', severity: 'high', status: 'investigating' }
    const incident = await insert('incidents', { ...by, ...kind })
    const guess = { created_by: author, title: 'all of it', type: 'root', status: 'possible' }
    const hypothesis = await insert('hypotheses', { ...guess, incident_id: incident })
    for (const id of [...parts, ...parts]) {
      const evidence = { hypothesis_id: hypothesis, component_id: id, type: 'component', description: '' }
      await insert('evidences', { ...evidence, created_by: author })
    }
    const counted = async (id = root) => (await read(id))?.summary?.open_incidents ?? 0
    await eventually(async () => expect([await counted(), await counted(parts[0])]).toEqual([1, 1]), LATEST)
    expect(Object.values((await read(root))?.summary?.incidents ?? {}).map((counts) => Object.values(counts))).toEqual([
      [4],
    ])
    await pool.query(`update incidents set status = 'closed' where id = $1`, [incident])
    await eventually(async () => expect(await counted()).toBe(0), LATEST)
  })

  it('says unknown, and why, where an expression fails, and writes that', async () => {
    const id = await component({ health_expr: 'nonsense(', status_expr: 'summary.unhealthy > 0 ? "down" : "up"' })
    await check(id, 'unhealthy')
    await eventually(
      async () =>
        expect(await stored(id)).toMatchObject({
          status: 'down',
          status_reason: expect.stringMatching(/^healthExpr: (?!is still)/) as string,
        }),
      LATEST,
    )
    expect(await read(id)).toMatchObject({ health: 'unknown', status: 'down' })
    await pool.query('update components set health_expr = null where id = $1', [id])
    await eventually(async () => expect(await stored(id)).toMatchObject({ status_reason: null }), LATEST)
  })

  it('says unknown, and why, where an expression runs over its time, and goes on with the others', async () => {
    const neverEnds = 'matches("^(a+)+$")'
    const status = `${'a'.repeat(40)}!`
    const parent = await component()
    const runaway = await component({
      parent_id: parent,
      health: 'healthy',
      status,
      health_expr: `self.status.${neverEnds} ? "healthy" : "warning"`,
      status_expr: `"${status}".${neverEnds} ? "up" : "down"`,
    })
    const other = await component({ parent_id: parent, health_expr: 'summary.unhealthy > 0 ? "warning" : "healthy"' })
    await check(other, 'unhealthy')
    const tooLong = 'takes too long on this answer'
    await eventually(
      async () =>
        expect(await stored(runaway)).toMatchObject({
          health: 'unknown',
          status: 'unknown',
          status_reason: `healthExpr: ${tooLong}; statusExpr: ${tooLong}`,
        }),
      LATEST,
    )
    expect(await read(runaway)).toMatchObject({ health: 'unknown', status: 'unknown' })
    // What is known decides over what is not.
    expect((await read(parent))?.components).toMatchObject([{ id: other, health: 'warning' }, { id: runaway }])
    expect(await read(parent)).toMatchObject({ health: 'warning', summary: { warning: 1, unknown: 1 } })
  })

  it('leaves the rows of agents as their agents said them', async () => {
    const agent = await insert('agents', { name: 'edge' })
    const id = await component({ agent_id: agent, health: 'healthy' })
    await check(id, 'unhealthy')
    expect(await read(id)).toMatchObject({ health: 'unhealthy' })
    await sync()
    expect(await stored(id)).toMatchObject({ health: 'healthy' })
  })

  it('reads everything again when it could not listen', async () => {
    const id = await component({ health: 'healthy' })
    await read(id)
    await pool.query(
      `select pg_terminate_backend(pid) from pg_stat_activity
       where query in ('listen "watchroom_estate"', 'select 1') and pid <> pg_backend_pid() and datname = current_database()`,
    )
    await pool.query(`update components set health = 'warning', name = 'unheard' where id = $1`, [id])
    expect(await read(id)).toMatchObject({ health: 'warning', name: 'unheard' })
    await eventually(async () => expect(await stored(id)).toMatchObject({ health: 'warning' }), LATEST)
  })

  it('tells a page that asks with a cursor whether it is different, and no other one', async () => {
    const [here, there] = [await component(), await component()]
    const id = await component({ parent_id: here, health: 'healthy' })
    await sync()
    const { cursor } = await estate.read()
    await pool.query(`update components set health = 'unhealthy' where id = $1`, [id])
    const view = await estate.read()
    const isDifferent = (page: string | undefined): boolean =>
      view.isDifferent(cursor, { ...PAGE, ...(page === undefined ? {} : { id: page }) })
    expect([isDifferent(here), isDifferent(id), isDifferent(undefined), isDifferent(there)]).toEqual([
      true,
      true,
      true,
      false,
    ])
    expect(view.isDifferent(cursor, { id: there, levels: 3, isFiltered: true })).toBe(true)
    expect(view.isDifferent('another.1', { ...PAGE, id: there })).toBe(true)
    expect(view.isDifferent(view.cursor, { ...PAGE, id: here })).toBe(false)
  })
})

describe('ComponentCostSync', () => {
  it('sums up the items of a component and of all below it, each once', async () => {
    const root = await component({ cost_total_1d: 99 })
    const [left, right] = [await component({ parent_id: root }), await component({ parent_id: root })]
    const bare = await component({ cost_total_1d: 7 })
    const item = (cost: number): Promise<string> =>
      insert('config_items', {
        config_class: 'Node',
        type: 'T',
        name: `i${cost}`,
        cost_per_minute: 1,
        cost_total_1d: cost,
      })
    const [shared, own] = [await item(10), await item(5)]
    for (const [componentId, config] of [
      [left, shared],
      [right, shared],
      [right, own],
    ]) {
      await insert('config_component_relationships', { component_id: componentId, config_id: config, selector_id: 's' })
    }
    const job = estate.jobs.find(({ name }) => name === 'ComponentCostSync')
    let successes = 0
    const report = {
      success: (done = 1) => {
        successes += done
      },
      failure: () => undefined,
    }
    const run = () => job?.run({ pool, signal: new AbortController().signal, now: Date.now(), report })
    await run()
    const costs = await Promise.all(
      [root, left, right, bare].map(async (id) => {
        const { rows } = await pool.query<{ cost: string }>(
          'select cost_total_1d as cost from components where id = $1',
          [id],
        )
        return Number(rows[0]?.cost)
      }),
    )
    expect(costs).toEqual([15, 10, 15, 7])
    successes = 0
    await run()
    expect(successes).toBe(0)
  })
})
