import { randomUUID } from 'node:crypto'

import { type Role, ROLES, TABLE_ACCESS } from '@watchroom/shared/access'
import { LIMITS } from '@watchroom/shared/collab'
import {
  canChangeStatus,
  EVIDENCE_TYPES,
  HYPOTHESIS_STATUSES,
  HYPOTHESIS_TYPES,
  INCIDENT_SEVERITIES,
  INCIDENT_STATUSES,
  INCIDENT_TYPES,
} from '@watchroom/shared/incidents'
import { BLANK_RANGES, isBlank } from '@watchroom/shared/kernel'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { insertConsoleRows, rows } from '#support/consoleRows.ts'
import { startTestDatabase, type TestDatabase } from '#support/database.ts'
import { startTestPostgrest, type TestPostgrest } from '#support/postgrest.ts'

let database: TestDatabase
let postgrest: TestPostgrest

beforeAll(async () => {
  database = await startTestDatabase()
  await insertConsoleRows(database.pool)
  postgrest = await startTestPostgrest(database)
})
afterAll(async () => {
  await postgrest.stop()
  await database.stop()
})

type Row = Record<string, unknown>
interface Answer {
  status: number
  row: Row
  message: unknown
}

/** Bob unless someone else is named: what stands there is Ada's. */
async function write(
  role: Role,
  method: 'POST' | 'PATCH' | 'DELETE',
  path: string,
  body?: unknown,
  personId: string = rows.bob,
): Promise<Answer> {
  const { status, body: answer } = await postgrest.ask({ role, personId }, { method, path, body })
  const row = (Array.isArray(answer) ? answer[0] : answer) as Row | null
  return { status, row: row ?? {}, message: row?.['message'] }
}

const query = async (sql: string, values: unknown[] = []): Promise<Row[]> =>
  (await database.pool.query<Row>(sql, values)).rows

/** A row of Ada's, as the owner of the database makes it. */
async function make(table: string, values: Row): Promise<string> {
  const id = randomUUID()
  const row: Row = { id, ...values }
  const names = Object.keys(row)
  await query(
    `insert into ${table} (${names.join(', ')}) values (${names.map((_, index) => `$${String(index + 1)}`).join(', ')})`,
    Object.values(row),
  )
  return id
}

const INCIDENT = {
  title: 'Late parcels',
  description: '',
  severity: 'low',
  type: 'cost',
  status: 'open',
  created_by: rows.ada,
}
const makeIncident = (values: Row = {}): Promise<string> => make('incidents', { ...INCIDENT, ...values })
const makeHypothesis = (incident: string, values: Row = {}): Promise<string> =>
  make('hypotheses', {
    incident_id: incident,
    type: 'factor',
    title: 'Slow scanner',
    status: 'possible',
    created_by: rows.ada,
    ...values,
  })
const makeComment = (incident: string, values: Row = {}): Promise<string> =>
  make('comments', { incident_id: incident, comment: 'first words', created_by: rows.ada, ...values })
const makeEvidence = (hypothesis: string, values: Row = {}): Promise<string> =>
  make('evidences', { hypothesis_id: hypothesis, type: 'log', description: 'seen', created_by: rows.ada, ...values })

describe('a text', () => {
  it('is blank for the tables where it is for documents', async () => {
    const edges = BLANK_RANGES.flatMap(([first, last]) => [first - 1, first, last, last + 1])
    // Neither is a text of PostgreSQL.
    const texts = edges
      .filter((code) => code > 0 && (code < 0xd800 || code > 0xdfff))
      .map((code) => String.fromCodePoint(code))
    const found = await query(
      'select text, watchroom_internal.is_blank(text) as blank from unnest($1::text[]) with ordinality as texts (text, place) order by place',
      [texts],
    )
    expect(found).toEqual(texts.map((text) => ({ text, blank: isBlank(text) })))
  })
})

describe('authors and times', () => {
  it('are the session’s, whatever a row says', async () => {
    const sent = { ...INCIDENT, created_by: rows.ada, created_at: '2001-01-01', updated_at: '2001-01-01' }
    const { row: incident } = await write('responder', 'POST', 'incidents', sent)
    expect(incident).toMatchObject({ created_by: rows.bob })
    expect(Date.parse(String(incident['created_at']))).toBeGreaterThan(Date.parse('2020-01-01'))
    expect(Date.parse(String(incident['updated_at']))).toBeGreaterThan(Date.parse('2020-01-01'))
    const comment = { incident_id: incident['id'], comment: 'hello', created_by: rows.ada }
    expect((await write('responder', 'POST', 'comments', comment)).row).toMatchObject({ created_by: rows.bob })
    const silent = { incident_id: incident['id'], comment: 'hello' }
    expect((await write('responder', 'POST', 'comments', silent)).row).toMatchObject({ created_by: rows.bob })
  })

  it('stand for good', async () => {
    const id = await makeIncident()
    const sent = { title: 'renamed', created_by: rows.bob, created_at: 'now()' }
    const [before] = await query('select created_by, created_at from incidents where id = $1', [id])
    await write('admin', 'PATCH', `incidents?id=eq.${id}`, sent)
    expect(await query('select title, created_by, created_at from incidents where id = $1', [id])).toEqual([
      { title: 'renamed', ...before },
    ])
  })

  it('survive a row that is sent a second time', async () => {
    const incident = await makeIncident()
    const id = await makeComment(incident)
    const again = await postgrest.ask(
      { role: 'commander', personId: rows.bob },
      {
        method: 'POST',
        path: 'comments',
        body: { id, incident_id: incident, comment: 'moderated', created_by: rows.bob },
        headers: { prefer: 'resolution=merge-duplicates,return=representation' },
      },
    )
    expect(again.body).toMatchObject([{ comment: 'moderated', created_by: rows.ada }])
  })

  it('are stamped in every table that names an author and that people write', async () => {
    const stamped = await query(
      `select tgrelid::regclass::text as name from pg_trigger where tgname = 'a_stamp_author' order by name`,
    )
    const wanted = await query(
      `select table_name as name from information_schema.columns join information_schema.tables using (table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE' and column_name = 'created_by' order by name`,
    )
    const names = wanted.map(({ name }) => String(name)).filter((name) => isWrittenByPeople(name))
    expect(stamped.map(({ name }) => String(name))).toEqual(expect.arrayContaining(names))
  })

  it('are the product’s where nobody signs in', async () => {
    const { body } = await postgrest.ask({ role: 'editor' }, { method: 'POST', path: 'incidents', body: INCIDENT })
    const [system] = await query(`select id from people where name = 'System'`)
    expect(body).toMatchObject([{ created_by: system?.['id'] }])
  })

  it('count from when something is said to be over, not from when someone says it was', async () => {
    const id = await makeIncident()
    const { row } = await write('responder', 'PATCH', `incidents?id=eq.${id}`, { resolved: '2001-01-01' })
    expect(Date.parse(String(row['resolved']))).toBeGreaterThan(Date.parse('2020-01-01'))
  })
})

const isWrittenByPeople = (name: string): boolean => {
  const rule = TABLE_ACCESS[name]?.write ?? 'nobody'
  return rule !== 'nobody' && rule !== 'service'
}

describe('what happened', () => {
  it.each(['incident_histories', 'job_history', 'event_queue', 'check_statuses', 'config_changes', 'playbook_runs'])(
    'is written in %s by no person',
    async (table) => {
      for (const role of ROLES) {
        expect((await write(role, 'DELETE', `${table}?created_at=not.is.null`)).status, role).toBe(403)
        expect((await write(role, 'PATCH', `${table}?created_at=not.is.null`, { created_at: 'now()' })).status).toBe(
          403,
        )
        expect((await write(role, 'POST', table, {})).status, role).toBe(403)
      }
    },
  )

  it('stays when an incident would be deleted with it', async () => {
    const id = await makeIncident()
    expect(await write('admin', 'DELETE', `incidents?id=eq.${id}`)).toMatchObject({
      status: 403,
      message: 'An incident is not deleted, its history would go with it: close it.',
    })
    expect(await query('select type from incident_histories where incident_id = $1', [id])).toHaveLength(1)
  })

  it('names who was called in for good', async () => {
    expect(await write('admin', 'DELETE', `responders?id=eq.${rows.personResponder}`)).toMatchObject({ status: 403 })
  })

  it('is still written when people do something', async () => {
    const { row } = await write('responder', 'POST', 'incidents', INCIDENT)
    await write('responder', 'PATCH', `incidents?id=eq.${String(row['id'])}`, { status: 'closed' })
    expect(
      await query('select type, created_by from incident_histories where incident_id = $1 order by created_at', [
        row['id'],
      ]),
    ).toEqual([
      { type: 'incident.created', created_by: rows.bob },
      { type: 'incident.status_updated', created_by: rows.bob },
    ])
  })
})

describe('an incident', () => {
  it.each([
    ['a title of blanks', { title: ' \u00a0\u200b\u2060\u3164 ' }, 'The title must not be blank.'],
    ['a long title', { title: 'x'.repeat(LIMITS.titleLength + 1) }, 'The title is longer than 300 characters.'],
    ['a title of long characters', { title: '😀'.repeat(151) }, 'The title is longer than 300 characters.'],
    [
      'a long description',
      { description: 'x'.repeat(LIMITS.descriptionLength + 1) },
      'The description is longer than 20000 characters.',
    ],
    ['an unknown status', { status: 'broken' }, `The status has to be one of ${INCIDENT_STATUSES.join(', ')}.`],
    ['an unknown severity', { severity: 'bad' }, `The severity has to be one of ${INCIDENT_SEVERITIES.join(', ')}.`],
    ['an unknown type', { type: 'bad' }, `The type has to be one of ${INCIDENT_TYPES.join(', ')}.`],
  ])('takes no %s, new or changed', async (_name, values, message) => {
    const id = await makeIncident()
    expect(await write('admin', 'POST', 'incidents', { ...INCIDENT, ...values })).toMatchObject({
      status: 400,
      message,
    })
    expect(await write('admin', 'PATCH', `incidents?id=eq.${id}`, values)).toMatchObject({ status: 400, message })
  })

  it('takes what other consoles write', async () => {
    for (const values of [{ severity: 'Medium' }, { type: 'technical_debt' }, { title: '😀'.repeat(150) }])
      expect((await write('responder', 'POST', 'incidents', { ...INCIDENT, ...values })).status).toBe(201)
  })

  it('keeps its id, its number and its rule', async () => {
    const id = await makeIncident()
    for (const values of [{ id: randomUUID() }, { incident_id: 'INC-1' }, { incident_rule_id: rows.incidentRule }])
      expect(await write('admin', 'PATCH', `incidents?id=eq.${id}`, values)).toMatchObject({
        status: 400,
        message: `${Object.keys(values)[0]} does not change.`,
      })
  })

  it('gets its number from the sequence, so that nobody takes one ahead of its time', async () => {
    const { row } = await write('responder', 'POST', 'incidents', { ...INCIDENT, incident_id: 'INC-9999' })
    expect(row['incident_id']).toMatch(/^INC-\d{1,3}$/)
    expect((await write('responder', 'POST', 'incidents', INCIDENT)).status).toBe(201)
  })

  it('is commanded by a person', async () => {
    const id = await makeIncident()
    const gone = await make('people', { name: 'Gone', deleted_at: new Date() })
    const machine = await make('people', { name: 'agent-1', type: 'agent' })
    for (const commander of [randomUUID(), gone, machine])
      expect(await write('responder', 'PATCH', `incidents?id=eq.${id}`, { commander_id: commander })).toMatchObject({
        status: 409,
        message: 'There is no such person.',
      })
    const { status } = await write('responder', 'PATCH', `incidents?id=eq.${id}`, { commander_id: rows.bob })
    expect(status).toBe(200)
  })

  it('changes its status as the document lets it', async () => {
    for (const from of INCIDENT_STATUSES) {
      for (const to of INCIDENT_STATUSES) {
        const id = await makeIncident({ status: from })
        const { status } = await write('admin', 'PATCH', `incidents?id=eq.${id}`, { status: to })
        expect([from, to, status]).toEqual([from, to, canChangeStatus(from, to) ? 200 : 400])
      }
    }
  })
})

describe('a hypothesis', () => {
  it.each([
    ['a blank title', { title: '\n\t' }, 'The title must not be blank.'],
    ['a long title', { title: 'x'.repeat(LIMITS.titleLength + 1) }, 'The title is longer than 300 characters.'],
    ['an unknown status', { status: 'x' }, `The status has to be one of ${HYPOTHESIS_STATUSES.join(', ')}.`],
    ['an unknown type', { type: 'x' }, `The type has to be one of ${HYPOTHESIS_TYPES.join(', ')}.`],
  ])('takes no %s, new or changed', async (_name, values, message) => {
    const incident = await makeIncident()
    const id = await makeHypothesis(incident)
    const sent = { incident_id: incident, type: 'factor', title: 'x', status: 'possible', ...values }
    expect(await write('admin', 'POST', 'hypotheses', sent)).toMatchObject({ status: 400, message })
    expect(await write('admin', 'PATCH', `hypotheses?id=eq.${id}`, values)).toMatchObject({ status: 400, message })
  })

  it('that is a solution has no children, by whatever way', async () => {
    const incident = await makeIncident()
    const solution = await makeHypothesis(incident, { type: 'solution' })
    const factor = await makeHypothesis(incident)
    await makeHypothesis(incident, { parent_id: factor })
    const refused = { status: 400, message: 'A solution cannot have children.' }
    const child = { incident_id: incident, type: 'factor', title: 'x', status: 'possible', parent_id: solution }
    expect(await write('admin', 'POST', 'hypotheses', child)).toMatchObject(refused)
    expect(await write('admin', 'PATCH', `hypotheses?id=eq.${factor}`, { parent_id: solution })).toMatchObject(refused)
    expect(await write('admin', 'PATCH', `hypotheses?id=eq.${factor}`, { type: 'solution' })).toMatchObject(refused)
  })

  it('stands in its own incident and never below itself', async () => {
    const incident = await makeIncident()
    const top = await makeHypothesis(incident)
    const below = await makeHypothesis(incident, { parent_id: top })
    const foreign = { status: 409, message: 'There is no such hypothesis in this incident.' }
    const move = (id: string, parent: string) =>
      write('responder', 'PATCH', `hypotheses?id=eq.${id}`, { parent_id: parent })
    expect(await move(top, rows.rootHypothesis)).toMatchObject(foreign)
    expect(await move(top, randomUUID())).toMatchObject(foreign)
    const ring = { status: 400, message: 'A hypothesis cannot be moved below itself.' }
    expect(await move(top, below)).toMatchObject(ring)
    expect(await move(top, top)).toMatchObject(ring)
    expect(await write('admin', 'PATCH', `hypotheses?id=eq.${top}`, { incident_id: rows.incident })).toMatchObject({
      status: 400,
      message: 'incident_id does not change.',
    })
  })

  it('is not made part of a ring by two moves at once', async () => {
    const incident = await makeIncident()
    const [first, second] = [await makeHypothesis(incident), await makeHypothesis(incident)]
    const statuses = await Promise.all(
      [
        [first, second],
        [second, first],
      ].map(
        async ([id, parent]) => (await write('admin', 'PATCH', `hypotheses?id=eq.${id}`, { parent_id: parent })).status,
      ),
    )
    expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 400])
  })
})

describe('evidence', () => {
  it('is of a known kind and size', async () => {
    const hypothesis = await makeHypothesis(await makeIncident())
    const post = (values: Row): Promise<Answer> =>
      write('responder', 'POST', 'evidences', { hypothesis_id: hypothesis, type: 'log', description: '', ...values })
    expect(await post({ type: 'x' })).toMatchObject({
      status: 400,
      message: `The type has to be one of ${EVIDENCE_TYPES.join(', ')}.`,
    })
    expect(await post({ script: 'x'.repeat(LIMITS.scriptLength + 1) })).toMatchObject({ status: 400 })
    expect(await post({ evidence: { lines: 'x'.repeat(LIMITS.evidenceLength) } })).toMatchObject({ status: 400 })
    expect(await post({ check_id: randomUUID() })).toMatchObject({ status: 409 })
    expect(await post({ created_by: rows.ada })).toMatchObject({ status: 201, row: { created_by: rows.bob } })
  })

  it('is removed by its author or a moderator', async () => {
    const id = await makeEvidence(await makeHypothesis(await makeIncident()))
    const remove = (role: Role, person?: string) => write(role, 'DELETE', `evidences?id=eq.${id}`, undefined, person)
    expect(await remove('responder')).toMatchObject({
      status: 403,
      message: 'Only its author or a moderator may remove evidence.',
    })
    expect((await remove('responder', rows.ada)).status).toBe(200)
    const other = await makeEvidence(await makeHypothesis(await makeIncident()))
    expect((await write('commander', 'DELETE', `evidences?id=eq.${other}`)).status).toBe(200)
  })

  it('stays what it was; what is said about it changes', async () => {
    const id = await makeEvidence(await makeHypothesis(await makeIncident()))
    const patch = (values: Row, person?: string) => write('responder', 'PATCH', `evidences?id=eq.${id}`, values, person)
    for (const values of [{ hypothesis_id: rows.hypothesis }, { type: 'check' }, { check_id: rows.check }])
      expect((await patch(values, rows.ada)).status).toBe(400)
    expect((await patch({ definition_of_done: true, script: 'true', done: true })).status).toBe(200)
    expect(await patch({ description: 'forged' })).toMatchObject({ status: 403 })
    expect((await patch({ description: 'seen twice' }, rows.ada)).status).toBe(200)
  })

  it('in words can be put into other words by everyone, but not into none', async () => {
    const id = await makeEvidence(await makeHypothesis(await makeIncident()), { type: 'comment' })
    const { status } = await write('responder', 'PATCH', `evidences?id=eq.${id}`, { description: 'in other words' })
    expect(status).toBe(200)
    const blank = await write('admin', 'PATCH', `evidences?id=eq.${id}`, { description: ' ' })
    expect(blank).toMatchObject({ status: 400, message: 'The description must not be blank.' })
  })
})

describe('a comment', () => {
  it('is changed and removed by its author or a moderator', async () => {
    const id = await makeComment(rows.incident)
    const path = `comments?id=eq.${id}`
    expect(await write('responder', 'PATCH', path, { comment: 'forged' })).toMatchObject({
      status: 403,
      message: 'Only its author or a moderator may change a comment.',
    })
    expect(await write('responder', 'DELETE', path)).toMatchObject({
      status: 403,
      message: 'Only its author or a moderator may remove a comment.',
    })
    expect((await write('responder', 'PATCH', path, { comment: 'better' }, rows.ada)).status).toBe(200)
    expect((await write('commander', 'PATCH', path, { comment: 'moderated' })).row).toMatchObject({
      comment: 'moderated',
      created_by: rows.ada,
    })
    expect((await write('editor', 'DELETE', path)).status).toBe(200)
  })

  it('says something, in its own name and its own incident', async () => {
    const post = (values: Row): Promise<Answer> =>
      write('responder', 'POST', 'comments', { incident_id: rows.incident, comment: 'x', ...values })
    expect(await post({ comment: ' \u200b ' })).toMatchObject({
      status: 400,
      message: 'The comment must not be blank.',
    })
    expect((await post({ comment: 'x'.repeat(LIMITS.commentLength + 1) })).status).toBe(400)
    expect((await post({ comment: 'a\u0000b' })).status).toBe(400)
    const foreign = await makeHypothesis(await makeIncident())
    expect(await post({ hypothesis_id: foreign })).toMatchObject({ status: 409 })
    for (const values of [
      { responder_id: rows.teamResponder },
      { external_created_by: 'jira user' },
      { external_id: 'JIRA-1' },
    ])
      expect((await post(values)).status).toBe(403)
    const id = await makeComment(rows.incident)
    const moved = await write('admin', 'PATCH', `comments?id=eq.${id}`, { hypothesis_id: rows.rootHypothesis })
    expect(moved).toMatchObject({ status: 400, message: 'hypothesis_id does not change.' })
  })
})

describe('a responder', () => {
  it('is called in as a person or a system, and its ticket is not made up', async () => {
    const post = (values: Row): Promise<Answer> =>
      write('responder', 'POST', 'responders', { incident_id: rows.incident, type: 'system', ...values })
    expect((await post({ type: 'ghost' })).status).toBe(400)
    expect((await post({ person_id: randomUUID() })).status).toBe(409)
    expect((await post({ external_id: 'JIRA-1' })).status).toBe(403)
    expect((await post({ person_id: rows.ada, created_by: rows.ada })).row).toMatchObject({ created_by: rows.bob })
  })

  it('stays who it is', async () => {
    const path = `responders?id=eq.${rows.personResponder}`
    for (const values of [{ person_id: rows.ada }, { team_id: rows.team }, { external_id: 'x' }, { type: 'person' }])
      expect((await write('admin', 'PATCH', path, values)).status).toBe(400)
  })
})

describe('an agent', () => {
  it('keeps the account that its token leads to', async () => {
    const refused = await write('editor', 'PATCH', `agents?id=eq.${rows.agent}`, { person_id: rows.ada })
    expect(refused).toMatchObject({ status: 400, message: 'person_id does not change.' })
    const made = await write('editor', 'POST', 'agents', { name: 'double', person_id: rows.ada })
    expect(made.status).toBe(403)
    const seen = await write('editor', 'PATCH', `agents?id=eq.${rows.agent}`, { last_seen: '2001-01-01' })
    expect(Date.parse(String(seen.row['last_seen']))).toBeGreaterThan(Date.parse('2020-01-01'))
  })
})

describe('one call', () => {
  it.each([
    ['incidents', { title: 'taken over' }],
    ['hypotheses', { title: 'taken over' }],
    ['comments', { comment: 'taken over' }],
    ['evidences', { done: true }],
    ['responders', { properties: {} }],
  ])('changes %s of one incident only, even of an administrator', async (table, values) => {
    for (const incident of [await makeIncident(), await makeIncident()]) {
      await makeEvidence(await makeHypothesis(incident))
      await makeComment(incident)
      await make('responders', { incident_id: incident, type: 'system', person_id: rows.bob, created_by: rows.ada })
    }
    const refused = {
      status: 400,
      message: 'One call may change rows of one incident and at most 500 of them: nothing was changed.',
    }
    expect(await write('admin', 'PATCH', `${table}?id=not.is.null`, values)).toMatchObject(refused)
  })

  it('deletes comments of one incident only', async () => {
    for (const incident of [await makeIncident(), await makeIncident()]) await makeComment(incident)
    expect((await write('admin', 'DELETE', 'comments?id=not.is.null')).status).toBe(400)
  })

  it('still removes what hangs on one hypothesis, however much was said', async () => {
    const incident = await makeIncident()
    const hypothesis = await makeHypothesis(incident)
    await query(
      `insert into comments (incident_id, hypothesis_id, comment, created_by)
       select $1, $2, 'words', $3 from generate_series(1, 300)`,
      [incident, hypothesis, rows.ada],
    )
    expect((await write('commander', 'DELETE', `comments?hypothesis_id=eq.${hypothesis}`)).status).toBe(200)
  })

  it('changes at most 100 rows of any other table', async () => {
    await query(`insert into properties (name, value) select 'flag-' || n, 'on' from generate_series(1, 101) as n`)
    expect(await write('admin', 'PATCH', 'properties?name=not.is.null', { value: 'off' })).toMatchObject({
      status: 400,
      message: 'One call may change at most 100 rows: nothing was changed.',
    })
    expect((await write('admin', 'DELETE', 'properties?name=not.is.null')).status).toBe(400)
    expect(await query(`select 1 from properties where value = 'on'`)).toHaveLength(101)
  })

  it('is bounded in every table that people write', async () => {
    const bounded = await query(
      `select tgrelid::regclass::text as name from pg_trigger where tgname in ('bound_updates', 'bound_deletes')
       group by tgrelid having count(*) = 2`,
    )
    const tables = await query(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const names = tables.map(({ name }) => String(name)).filter((name) => isWrittenByPeople(name))
    expect(bounded.map(({ name }) => String(name))).toEqual(expect.arrayContaining(names))
  })

  it('takes along as much as a trigger has to', async () => {
    const canary = await make('canaries', { name: 'many', namespace: 'default', spec: '{}' })
    await query(
      `insert into checks (canary_id, type, name) select $1, 'http', 'check-' || n from generate_series(1, 150) as n`,
      [canary],
    )
    expect((await write('editor', 'PATCH', `canaries?id=eq.${canary}`, { deleted_at: 'now()' })).status).toBe(200)
    expect(await query('select 1 from checks where canary_id = $1 and deleted_at is null', [canary])).toEqual([])
  })
})

describe('an incident', () => {
  it(`holds at most ${LIMITS.entities} entries`, async () => {
    const incident = await makeIncident()
    await query(
      `insert into comments (incident_id, comment, created_by) select $1, 'words', $2 from generate_series(1, $3)`,
      [incident, rows.ada, LIMITS.entities],
    )
    const sent = { incident_id: incident, comment: 'one more' }
    expect(await write('responder', 'POST', 'comments', sent)).toMatchObject({
      status: 400,
      message: `An incident holds at most ${LIMITS.entities} entries.`,
    })
  })
})
