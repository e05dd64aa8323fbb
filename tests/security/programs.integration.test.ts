// Who gets a program executed, by every door that leads to a definition, and what that program learns about us. The real backend.
import { readdirSync, readFileSync } from 'node:fs'

import type { Role } from '@watchroom/shared/access'
import { AboutProgramsSchema, TryChecksResponseSchema } from '@watchroom/shared/health'
import { NIL_UUID } from '@watchroom/shared/kernel'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { type BackendAnswer, startEmbeddedBackend, TEST_ADMIN, type TestBackend } from '#support/embeddedBackend.ts'
import { KratosBrowser } from '#support/kratosBrowser.ts'

const ONLY_ADMINS = 'Only an administrator may save what executes programs (exec).'
const EXEC = { schedule: '@every 1h', exec: [{ name: 'own', script: 'echo ok' }] }
const HTTP = { schedule: '@every 1h', http: [{ name: 'own', url: 'http://127.0.0.1:1/' }] }

let backend: TestBackend
/** With the rights of whom starts the product. */
let owner: Client
let headers: Record<Role, Record<string, string>>

beforeAll(async () => {
  backend = await startEmbeddedBackend()
  owner = new Client({ connectionString: backend.databaseUrl })
  await owner.connect()
  const signIn = async (role: Role): Promise<[Role, Record<string, string>]> => {
    if (role === 'admin') return [role, await backend.signIn(TEST_ADMIN.email, TEST_ADMIN.password)]
    const person = await backend.createPerson(role)
    return [role, await backend.signIn(person.email, person.password)]
  }
  const roles = ['admin', 'editor', 'commander', 'responder', 'viewer'] as const
  headers = Object.fromEntries(await Promise.all(roles.map(signIn))) as typeof headers
})
afterAll(async () => {
  await owner.end()
  await backend.stop()
})

const send = (role: Role, method: string, path: string, body: unknown, prefer = 'return=representation') =>
  backend.call(`/db/${path}`, { method, body, headers: { ...headers[role], prefer } })

const refused = (message: string) => [403, '42501', message]
const REFUSED = refused(ONLY_ADMINS)

/** As PostgREST tells it; whatever else was answered fails a comparison with `REFUSED`. */
function toRefusal({ status, text }: BackendAnswer): unknown[] {
  const { code, message } = (text === '' ? {} : JSON.parse(text)) as { code?: string; message?: string }
  return [status, code, message]
}

let count = 0
async function save(role: Role, spec: unknown, more: object = {}): Promise<string> {
  const answer = await send(role, 'POST', 'canaries', { name: `canary-${++count}`, namespace: 'x', spec, ...more })
  expect(answer.status, answer.text).toBe(201)
  return (answer.json() as { id: string }[])[0]?.id ?? ''
}

describe('what a process of ours shows to others', () => {
  it('is no secret: neither its environment nor its arguments hold one', async () => {
    const password = decodeURIComponent(/:([^:@/]+)@/.exec(backend.databaseUrl)?.[1] ?? '')
    const { rows } = await owner.query<{ password: string }>(
      `select rolpassword as password from pg_authid where rolname = 'postgres'`,
    )
    expect([password.length > 10, rows.length]).toEqual([true, 1])
    const secrets = [backend.serviceToken, TEST_ADMIN.password, password, encodeURIComponent(password)]
    const seen = descendantsOf(process.pid)
    // Backend, postmaster and PostgREST at least, with the shells that tie them.
    expect(seen.length).toBeGreaterThan(5)
    expect(seen.some(({ text }) => text.includes('postgrest'))).toBe(true)
    expect(seen.filter(({ text }) => secrets.some((secret) => text.includes(secret))).map(({ pid }) => pid)).toEqual([])
    // Any address or key, also of a kind that this test does not know the words of.
    const ours = seen.filter(({ text }) => !text.includes('VITEST'))
    const shown = ours.flatMap(({ text }) =>
      text.split('\0').filter((word) => /:\/\/[^/@\s]*:[^/@\s]+@|SECRET=[^@]/.test(word)),
    )
    expect(shown).toEqual([])
  })
})

describe('a check that executes a program', () => {
  it('runs as nobody who could read us: not our environment, not our data', async () => {
    const pid = backend.supervisor.pid() ?? 0
    const script = `id -u; cat /proc/${pid}/environ /proc/${pid}/cmdline /proc/*/environ; ls ${backend.dataDirectory}; cat ${backend.dataDirectory}/postgres-password; ls ${backend.socketPath}`
    const answer = await backend.call('/canary/api/try', {
      method: 'POST',
      body: { spec: { exec: [{ name: 'steal', script }] } },
      headers: headers.admin,
    })
    const [check] = TryChecksResponseSchema.parse(answer.json()).checks
    const stdout = String(check?.details?.['stdout'])
    expect(stdout).toMatch(/^\d+\n/)
    expect(stdout).not.toMatch(/^0\n/)
    expect(stdout).not.toContain(backend.serviceToken)
    expect(stdout).not.toContain(backend.dataDirectory)
    expect(stdout).not.toMatch(/postgres-password|first-admin/)
  })

  it.each(['editor', 'commander', 'responder', 'viewer'] as const)(
    'is not tried by a person with the role %s',
    async (role) => {
      const call = { method: 'POST', body: { spec: EXEC }, headers: headers[role] }
      const answer = await backend.call('/canary/api/try', call)
      expect(answer.status).toBe(403)
      // The others may not try anything.
      expect(answer.text).toContain(role === 'editor' ? ONLY_ADMINS : 'unauthorized. Access Denied')
    },
  )

  it('is saved by an administrator and by nobody else, however it is written', async () => {
    await save('admin', EXEC)
    await save('editor', HTTP)
    for (const spec of [
      EXEC,
      { ...HTTP, ...EXEC },
      { exec: {} },
      { http: [{ name: 'a', url: 'http://a/', exec: [1] }] },
    ]) {
      expect(toRefusal(await send('editor', 'POST', 'canaries', { name: 'no', namespace: 'x', spec }))).toEqual(REFUSED)
    }
    // Several at once, one of them harmless; nothing of it stays.
    const both = ['a', 'b'].map((name) => ({ name, namespace: 'bulk', spec: name === 'a' ? HTTP : EXEC }))
    expect(toRefusal(await send('editor', 'POST', 'canaries', both))).toEqual(REFUSED)
    expect((await send('editor', 'GET', 'canaries?namespace=eq.bulk', undefined)).json()).toEqual([])
  })

  it('is neither added nor changed by an editor in a canary that is there', async () => {
    const harmless = await save('editor', HTTP)
    expect(
      toRefusal(await send('editor', 'PATCH', `canaries?id=eq.${harmless}`, { spec: { ...HTTP, ...EXEC } })),
    ).toEqual(REFUSED)
    const existing = await save('admin', { ...EXEC, exec: [{ ...EXEC.exec[0], env: [{ name: 'A', value: '1' }] }] })
    for (const exec of [
      [{ name: 'own', script: 'id', env: [{ name: 'A', value: '1' }] }],
      [{ name: 'own', script: 'echo ok', env: [{ name: 'A', value: '2' }] }],
      [{ name: 'own', script: 'echo ok', env: [{ name: 'A', value: '1' }] }, { script: 'id' }],
      [],
    ]) {
      expect(
        toRefusal(await send('editor', 'PATCH', `canaries?id=eq.${existing}`, { spec: { ...EXEC, exec } })),
      ).toEqual(REFUSED)
    }
    const upsert = { id: harmless, name: 'again', namespace: 'x', spec: EXEC }
    expect(toRefusal(await send('editor', 'POST', 'canaries', upsert, 'resolution=merge-duplicates'))).toEqual(REFUSED)
  })

  it('stays when an editor changes what is not part of it', async () => {
    const spec = { ...EXEC, exec: [{ name: 'own', script: 'echo ok' }] }
    const id = await save('admin', spec)
    for (const change of [
      { spec: { ...spec, schedule: '@every 2h', severity: 'low' } },
      { spec: { ...spec, ...HTTP } },
      { name: 'another name', namespace: 'another', labels: { a: 'b' } },
      { deleted_at: new Date().toISOString() },
    ]) {
      const answer = await send('editor', 'PATCH', `canaries?id=eq.${id}`, change)
      expect(answer.status, answer.text).toBe(200)
    }
    // What was deleted does not run; to bring it back is to run it.
    expect(toRefusal(await send('editor', 'PATCH', `canaries?id=eq.${id}`, { deleted_at: null }))).toEqual(REFUSED)
    expect((await send('admin', 'PATCH', `canaries?id=eq.${id}`, { deleted_at: null })).status).toBe(200)
    const upsert = { id, name: 'kept', namespace: 'x', spec: { ...spec, ...HTTP } }
    const answer = await send('editor', 'POST', 'canaries', upsert, 'resolution=merge-duplicates')
    expect(answer.status, answer.text).toBeLessThan(300)
  })

  it('is taken away by an editor, part by part or as a whole', async () => {
    const id = await save('admin', { ...HTTP, ...EXEC })
    expect((await send('editor', 'PATCH', `canaries?id=eq.${id}`, { spec: HTTP })).status).toBe(200)
  })

  it('does not come to another machine by a word of an editor, least of all one that an agent brought', async () => {
    const { rows } = await owner.query<{ id: string }>(`insert into agents (name) values ('far away') returning id`)
    const agentId = rows[0]?.id ?? ''
    const ours = await save('admin', EXEC)
    expect(toRefusal(await send('editor', 'PATCH', `canaries?id=eq.${ours}`, { agent_id: agentId }))).toEqual(REFUSED)
    const pushed = await owner.query<{ id: string }>(
      `insert into canaries (agent_id, name, namespace, spec, source) values ($1, 'theirs', 'x', $2, 'ConfigFile') returning id`,
      [agentId, EXEC],
    )
    expect(
      toRefusal(await send('editor', 'PATCH', `canaries?id=eq.${pushed.rows[0]?.id}`, { agent_id: NIL_UUID })),
    ).toEqual(REFUSED)
  })

  it('is not written past its canary: neither as a check nor in another kind of definition', async () => {
    const canary = await save('editor', HTTP)
    const check = { canary_id: canary, name: 'direct', type: 'exec', spec: { script: 'id' } }
    expect(toRefusal(await send('editor', 'POST', 'checks', check))).toEqual(REFUSED)
    const harmless = await send('editor', 'POST', 'checks', { ...check, type: 'http', spec: { url: 'http://a/' } })
    const [row] = harmless.json() as { id: string }[]
    expect(toRefusal(await send('editor', 'PATCH', `checks?id=eq.${row?.id}`, { type: 'exec' }))).toEqual(REFUSED)
    for (const [table, row] of Object.entries({
      config_scrapers: { name: 'scraper', spec: { exec: [{ script: 'id', id: '$.id', type: 'Test::Item' }] } },
      topologies: {
        name: 'topology',
        namespace: 'x',
        spec: { components: [{ name: 'a', lookup: { exec: [{ script: 'id', id: '$.id', type: 'Test::Item' }] } }] },
      },
      playbooks: { name: 'playbook', spec: { actions: [{ name: 'a', exec: { script: 'id' } }] } },
    })) {
      expect(toRefusal(await send('editor', 'POST', table, row))).toEqual(REFUSED)
      const answer = await send('admin', 'POST', table, row)
      expect([table, answer.status]).toEqual([table, 201])
    }
    // Where no playbook has a program, nobody may put one.
    const hidden = { name: 'hidden', spec: { a: { b: [{ exec: { script: 'id' } }] } } }
    for (const role of ['editor', 'admin'] as const) {
      expect(toRefusal(await send(role, 'POST', 'playbooks', hidden)).slice(0, 2)).toEqual([400, '23514'])
    }
  })

  it('is not given another machine, environment, condition or caller by an editor of its playbook', async () => {
    const written = {
      env: [{ name: 'MODE', value: 'safe' }],
      approval: { approvers: {} },
      actions: [
        { name: 'wait', delay: '1s' },
        { name: 'own', exec: { script: 'git fetch' }, isDangerous: true },
      ],
    }
    const [wait, own] = written.actions
    const answer = await send('admin', 'POST', 'playbooks', { name: 'careful', spec: written })
    const [playbook] = answer.json() as { id: string; spec: typeof written }[]
    // As a form has it.
    const spec = playbook?.spec ?? written
    expect((await send('editor', 'PATCH', `playbooks?id=eq.${playbook?.id}`, { spec })).status).toBe(200)
    const path = `playbooks?id=eq.${playbook?.id}`
    for (const change of [
      { env: [{ name: 'GIT_SSH_COMMAND', value: 'id' }] },
      { approval: undefined },
      { runsOn: ['far away'] },
      { actions: [wait, { ...own, runsOn: ['far away'] }] },
      { actions: [wait, { ...own, isDangerous: false }] },
      { actions: [own] },
      { parameters: [{ name: 'p' }] },
      { on: { webhook: { path: 'anyone' } } },
    ]) {
      const refusal = toRefusal(await send('editor', 'PATCH', path, { spec: { ...spec, ...change } }))
      expect([change, ...refusal]).toEqual([change, ...REFUSED])
    }
    for (const change of [{ title: 'Other words' }, { spec: { ...spec, description: 'Other words', icon: 'git' } }]) {
      const kept = await send('editor', 'PATCH', path, change)
      expect(kept.status, kept.text).toBe(200)
    }
    // What executes nothing any more is theirs again.
    expect((await send('editor', 'PATCH', path, { spec: { actions: [wait] } })).status).toBe(200)
  })

  it('has no approver who made themselves one: by joining, renaming or making a team, or by taking an address', async () => {
    const mallory = await backend.createPerson('editor')
    const asMallory = await backend.signIn(mallory.email, mallory.password)
    const write = async (method: string, path: string, body: unknown) =>
      backend.call(`/db/${path}`, { method, body, headers: { ...asMallory, prefer: 'return=representation' } })
    const idOf = (answer: BackendAnswer): string => {
      expect(answer.status, answer.text).toBe(201)
      return (answer.json() as { id: string }[])[0]?.id ?? ''
    }
    const team = (name: string, more: object = {}) => ({
      name,
      icon: '',
      source: 'UI',
      created_by: mallory.id,
      ...more,
    })
    const approvers = { teams: ['Guards', 'Vacant'], people: ['boss@corp.test', 'chief@corp.test', TEST_ADMIN.email] }
    const guards = idOf(await send('admin', 'POST', 'teams', team('Guards')))
    const spec = { approval: { approvers }, actions: [{ name: 'own', exec: { script: 'true' } }] }
    const playbook = idOf(
      await send('admin', 'POST', 'playbooks', { name: 'guarded', title: 'Guarded', source: 'UI', spec }),
    )
    const others = idOf(await write('POST', 'teams', team('Others')))

    const sentence = (name: string) =>
      refused(
        `Only an administrator may add to the team ${name}, or give a team its name: it approves what executes programs (exec).`,
      )
    const join = (id: string) => write('POST', 'team_members', { team_id: id, person_id: mallory.id })
    expect(toRefusal(await join(guards))).toEqual(sentence('Guards'))
    // Ordinary editing of every other team goes on, and of this one what makes nobody an approver.
    expect((await join(others)).status).toBe(201)
    expect((await write('PATCH', `teams?id=eq.${guards}`, { icon: 'shield' })).status).toBe(200)
    expect((await write('PATCH', `teams?id=eq.${others}`, { name: 'Some others' })).status).toBe(200)
    const moved = await write('PATCH', `team_members?team_id=eq.${others}`, { team_id: guards })
    expect(toRefusal(moved)).toEqual(sentence('Guards'))
    expect(toRefusal(await write('PATCH', `teams?id=eq.${others}`, { name: 'Vacant' }))).toEqual(sentence('Vacant'))
    expect(toRefusal(await write('POST', 'teams', team('Vacant')))).toEqual(sentence('Vacant'))
    expect((await write('POST', 'teams', team('Fourth'))).status).toBe(201)
    const gone = { deleted_at: new Date().toISOString() }
    expect((await write('PATCH', `teams?id=eq.${guards}`, gone)).status).toBe(200)
    expect(toRefusal(await write('PATCH', `teams?id=eq.${guards}`, { deleted_at: null }))).toEqual(sentence('Guards'))

    const browser = new KratosBrowser(backend)
    await browser.signIn(mallory.email, mallory.password)
    const say = async (email: string): Promise<void> => {
      const traits = { email, name: { first: 'Boss', last: '' } }
      const saved = await browser.submit('settings', await browser.start('settings'), { method: 'profile', traits })
      expect(saved.status, saved.text).toBe(200)
    }
    const askToApprove = async () => {
      const asked = await backend.call('/playbook/run', { method: 'POST', body: { id: playbook }, headers: asMallory })
      expect(asked.status, asked.text).toBe(201)
      const path = `/playbook/run/approve/${(asked.json() as { run_id: string }).run_id}`
      return async () => (await backend.call(path, { method: 'POST', headers: asMallory })).status
    }
    const asAdmin = async (path: string, body: object) =>
      (await backend.call(path, { method: 'POST', body, headers: headers.admin })).status
    await say('boss@corp.test')
    const approve = await askToApprove()
    expect(await approve()).toBe(403)
    // Once they proved that the address is theirs they are who the playbook names.
    await owner.query('update watchroom_identity.identities set email_verified_at = now() where id = $1', [mallory.id])
    expect(await approve()).toBe(200)
    // The same once an administrator says so, and no word less than that.
    await say('chief@corp.test')
    const approveAgain = await askToApprove()
    expect(await asAdmin('/people/update', { id: mallory.id, email: 'chief@corp.test', lastName: 'Chief' })).toBe(200)
    expect(await approveAgain()).toBe(403)
    expect(await asAdmin(`/people/${mallory.id}/confirm_address`, { email: 'chief@corp.test' })).toBe(200)
    expect(await approveAgain()).toBe(200)
  })

  it('cannot be freed by writing the rules: no role of the console reaches them', async () => {
    for (const role of ['watchroom_admin', 'watchroom_editor']) {
      const stranger = new Client({ connectionString: backend.databaseUrl })
      await stranger.connect()
      await stranger.query(`set role ${role}`)
      for (const statement of [
        `update watchroom_internal.program_rules set savers = 'editor'`,
        'alter table canaries disable trigger all',
        `set session_replication_role = 'replica'`,
      ]) {
        await expect(stranger.query(statement)).rejects.toThrow(/permission denied|must be owner/)
      }
      await stranger.end()
    }
  })

  it('has its guard on every table that has definitions', async () => {
    const { rows } = await owner.query<{ name: string }>(`
      select relname as name from pg_class join pg_attribute on attrelid = pg_class.oid
      where relnamespace = 'public'::regnamespace and relkind = 'r' and attname = 'spec' and not attisdropped
        and has_table_privilege('watchroom_editor', pg_class.oid, 'insert')
        and not exists (select from pg_trigger where tgrelid = pg_class.oid and tgname = '_guard_programs')`)
    expect(rows).toEqual([])
  })

  it('is saved by nobody where people do not sign in, and by every editor where the operator says so', async () => {
    const within = async (savers: string, work: () => Promise<void>): Promise<void> => {
      await owner.query('update watchroom_internal.program_rules set savers = $1', [savers])
      try {
        await work()
      } finally {
        await owner.query(`update watchroom_internal.program_rules set savers = 'admin'`)
      }
    }
    const body = { name: 'rules', namespace: 'x', spec: EXEC }
    const sentence = 'Nobody may save what executes programs (exec) here, because people do not sign in.'
    await within('nobody', async () => {
      expect(toRefusal(await send('admin', 'POST', 'canaries', body))).toEqual(refused(sentence))
      const asService = { method: 'POST', body, headers: { prefer: 'return=minimal' } }
      expect(toRefusal(await backend.callAsService('/db/canaries', asService))).toEqual(refused(sentence))
    })
    await within('editor', async () => void (await save('editor', EXEC)))
  })

  it('tells the console who may save it, and whether it runs', async () => {
    const answer = await backend.call('/canary/about', { headers: headers.viewer })
    expect(AboutProgramsSchema.parse(answer.json()).programs).toEqual({ savers: 'admin', refusal: null })
  })
})

interface SeenProcess {
  pid: number
  /** Arguments and environment, separated by NUL. */
  text: string
}

function descendantsOf(root: number): SeenProcess[] {
  const parents = new Map<number, number>()
  for (const name of readdirSync('/proc').filter((entry) => /^\d+$/.test(entry))) {
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8')
      parents.set(Number(name), Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]))
    } catch {
      // It ended while we looked.
    }
  }
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid)
    return parent !== undefined && parent > 1 && (parent === root || isBelow(parent))
  }
  return [...parents.keys()].filter(isBelow).flatMap((pid) => {
    try {
      return [
        { pid, text: readFileSync(`/proc/${pid}/cmdline`, 'utf8') + readFileSync(`/proc/${pid}/environ`, 'utf8') },
      ]
    } catch {
      return []
    }
  })
}
