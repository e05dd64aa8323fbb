// What people get through the gateway, by every topic, document, table, write and link, is never more than what the backend itself answers
// them over HTTP at that moment, whatever stands behind it; and where the matrix and the backend agree that they may, it is no less.
import { isDeepStrictEqual } from 'node:util'

import { type Role, ROLES, TABLE_ACCESS } from '@watchroom/shared/access'
import { NewWallLinkSchema } from '@watchroom/shared/wall'
import { Client } from 'pg'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'

import type { RawAnswer } from '#support/embeddedBackend.ts'
import { eventually } from '#support/eventually.ts'
import { inLanes } from '#support/inLanes.ts'
import {
  askPatiently,
  judgeDocument,
  judgeTopic,
  readIds,
  seesAll,
  sourceOf,
  type TopicVerdict,
} from '#support/judgeBackend.ts'
import {
  askGateway,
  askPast,
  findUnasked,
  gatewayReadsOf,
  readsOf,
  toComparable,
  toGatewayCall,
  type Write,
  WRITES,
} from '#support/judgedCalls.ts'
import { type DocumentKindName, openDocument } from '#support/judgedDocument.ts'
import {
  idsOf,
  isMadeOfShared,
  isScoped,
  type JudgedPerson,
  type JudgedWorld,
  type Mode,
  MODES,
  type Side,
  startJudgedWorld,
  toCall,
  storedIdsOf,
  topicsOf,
} from '#support/judgedWorld.ts'
import { patientFetch, patientRequest } from '#support/patientFetch.ts'
import { openRawLive, openRawLives, settled } from '#support/rawLive.ts'
import { SCOPED_TABLES } from '#support/scopedTables.ts'
import { shareOf } from '#support/share.ts'

import { DOCUMENT_KINDS } from '../../gateway/src/app/documentKinds.ts'

/** As the poller asks for it. */
const SUMMARY = [
  '/catalog/summary',
  { method: 'POST', body: { groupBy: ['type'], changes: { since: '30d' }, analysis: { since: '30d' }, cost: '30d' } },
] as const
/** What has names. */
const NAMED = ['agents', 'canaries', 'checks', 'components', 'config_items', 'playbooks']
  .map((table) => `${table}?select=name`)
  .concat('incidents?select=title')
/** Names of what scopes hide. */
const HIDDEN = /\b\w+ hidden\b/g
const UUID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g
/** Questions under way at once: one person's share of the gateway. */
const MAX_LOOKS = 6
const AT_ONCE = 4
/** Where nobody tells of changes they are found by the next look. */
const LATEST = { timeout: 40_000, interval: 200 }
/** So that what is late is named. */
vi.setConfig({ testTimeout: 3 * LATEST.timeout })

let world: JudgedWorld
/** A column of each relation that a PATCH may name. */
const columns = new Map<string, string>()

beforeAll(async () => {
  world = await startJudgedWorld()
  const database = new Client({ connectionString: world.backend.databaseUrl })
  await database.connect()
  const { rows } = await database.query<{ relation: string; name: string }>(
    `select distinct on (table_name) table_name as relation, column_name as name from information_schema.columns
     where table_schema = 'public' and is_generated = 'NEVER' order by table_name, ordinal_position`,
  )
  await database.end()
  for (const { relation, name } of rows) columns.set(relation, name)
})

afterAll(() => world?.stop())

/** Every role in front of every backend, a fifth of them at a time: each backend once, with another role. */
const CASES = MODES.flatMap((mode, first) =>
  shareOf([...ROLES.slice(first), ...ROLES.slice(0, first)], ROLES.length).map((role) => ({ mode, role })),
)

describe.each(MODES)('behind which is the %s backend, the gateway', (mode: Mode) => {
  const roles = CASES.filter((each) => each.mode === mode).map(({ role }) => role)
  it.each(roles)(
    '[LIVE-64] shows a %s the rows of every topic that the backend answers them, and no other',
    async (role) => {
      const side = world.side(mode)
      expect(await findBeyondTopics(side, await world.createPerson(mode, role), role)).toEqual([])
    },
  )

  it.each(roles)(
    '[COLLAB-42] opens to a %s the documents whose rows the backend answers them, and takes the edits that it takes',
    async (role) => {
      const side = world.side(mode)
      const person = await world.createPerson(mode, role)
      for (const kind of Object.keys(DOCUMENT_KINDS) as DocumentKindName[]) {
        for (const id of side.incidents) {
          const { mayRead, mayWrite } = await judgeDocument(side, person, role, kind, id)
          const document = await openDocument(side.gateway.url, person.headers, kind, id)
          onTestFinished(() => document.client.close())
          const isSynced = document.client.isSynced()
          const isTaken = isSynced && (await document.edit())
          expect([id, isSynced, isTaken]).toEqual([id, mayRead, mayWrite])
          const heard = /incident (?:shown|hidden)|evidence of|comment/.exec(document.received())
          expect(isSynced ? null : heard).toBeNull()
        }
      }
    },
  )

  it.each(roles)('answers a %s below /api/db no row and takes no write that the backend would not', async (role) => {
    const side = world.side(mode)
    const person = await world.createPerson(mode, role)
    const surprises: string[] = []
    const tables = Object.keys(TABLE_ACCESS).filter((name) => !name.startsWith('rpc/'))
    await inLanes(tables, AT_ONCE, async (name) => {
      surprises.push(...(await findReadBeyond(side, person, name)), ...(await findWriteBeyond(side, person, name)))
    })
    expect(surprises).toEqual([])
  })

  it.each(roles)('answers a %s every other call with what the backend answers them, or refuses it', async (role) => {
    const side = world.side(mode)
    const person = await world.createPerson(mode, role)
    const surprises: string[] = []
    await inLanes(readsOf(side), AT_ONCE, async (asked) => {
      surprises.push(...(await findAnswerBeyond(side, person, asked)))
    })
    expect(surprises).toEqual([])
  })

  it.each(roles)('makes for a %s no other call that writes and that the backend would not', async (role) => {
    const side = world.side(mode)
    const person = await world.createPerson(mode, role)
    const surprises: string[] = []
    await inLanes(WRITES, AT_ONCE, async (write) => {
      surprises.push(...(await findCallBeyond(side, person, write)))
    })
    expect(surprises).toEqual([])
  })

  it.each(roles)('says to a %s by its own routes no more than the backend shows them', async (role) => {
    const side = world.side(mode)
    const person = await world.createPerson(mode, role)
    const topology = topicsOf(side).find(({ name }) => name === 'topology')
    if (!topology) throw new Error('there is no topology')
    const seesTopology = await seesAll(world, side, person, topology)
    const known = new Set(await readShown(side, person))
    const heard: { readonly asked: string; readonly words: readonly string[] }[] = []
    for (const { asked, isRecord } of gatewayReadsOf(side)) {
      const { status, text } = await askGateway(side, person, toGatewayCall(asked))
      expect([asked, status]).toEqual([asked, isRecord ? (seesTopology ? 200 : 403) : status])
      heard.push({ asked, words: wordsOf(text).filter((word) => !asked.includes(word)) })
    }
    const unknown = heard.flatMap(({ words }) => words).filter((word) => !known.has(word))
    const beyond = new Set(await readEstate(side, unknown))
    // Rows may have come meanwhile.
    if (beyond.size > 0) for (const word of await readShown(side, person)) beyond.delete(word)
    const lines = heard.flatMap(({ asked, words }) =>
      words.filter((word) => beyond.has(word)).map((word) => `${asked}: ${word}`),
    )
    expect(lines).toEqual([])
  })

  it.each(roles)('[LIVE-65] lets a %s make a link of no more than the backend answers them', async (role) => {
    const side = world.side(mode)
    const person = await world.createPerson(mode, role)
    const wall = topicsOf(side).find(({ name }) => name === 'wall')
    if (!wall) throw new Error('there is no board')
    const made = await post(side, `/gateway/wall/boards/${side.boardId}/links`, { name: role }, person.headers)
    expect(made.status === 201).toBe(role === 'admin' && (await seesAll(world, side, person, wall)))
    if (made.status !== 201) return
    const { token } = NewWallLinkSchema.parse(await made.json())
    const { origin } = person.headers
    const entered = await post(side, '/gateway/wall/device', { token }, { origin })
    const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const live = openRawLive(side.gateway.url, { cookie, origin }, 'device')
    onTestFinished(() => live.close())
    const subscriptions = topicsOf(side).map(({ name, params }) => ({ name, ...live.subscribe(name, params) }))
    for (const subscription of subscriptions) await settled(subscription)
    const open = subscriptions.filter(({ state }) => state() === 'open')
    expect(open.map(({ name }) => name)).toEqual(['wall'])
    await eventually(async () => {
      const { ids } = await judgeTopic(world, side, person, role, wall)
      expect(open[0]?.ids().toSorted()).toEqual(ids)
    })
  })
})

describe('someone from whom the backend hides rows of one table alone', () => {
  it.each(shareOf(SCOPED_TABLES, 6))('[LIVE-64] is shown no more than it answers them: %s', async (table) => {
    const side = world.side('strict')
    const person = await world.createPerson('strict', 'viewer')
    world.narrow(person, table)
    expect(await findBeyondTopics(side, person, 'viewer')).toEqual([])
  })
})

it('asks every call of the backend that reads', () => {
  expect(findUnasked(world.side('strict'))).toEqual([])
})

it('asks calls that an administrator is answered, but for those of other programs behind the backend', async () => {
  const side = world.side('embedded')
  const admin = await world.createPerson('embedded', 'admin')
  const refused: string[] = []
  await inLanes(readsOf(side), AT_ONCE, async (asked) => {
    const { status } = await askPast(side, admin, asked)
    if (!isSuccess({ status })) refused.push(`${asked}: ${status}`)
  })
  const ofOthers = ['/artifacts/list/all', '/canary/elsewhere', '/canary/health', '/metrics']
  expect(refused.toSorted()).toEqual(ofOthers.map((path) => `${path}: 404`))
})

it('asks calls that write and that an administrator may make', async () => {
  const side = world.side('embedded')
  const admin = await world.createPerson('embedded', 'admin')
  const refused: string[] = []
  await inLanes(WRITES, AT_ONCE, async ({ method, path }) => {
    if (isRefused(await askGateway(side, admin, { method, path: `/api${path}`, body: [] }))) refused.push(path)
  })
  expect(WRITES.length).toBeGreaterThan(20)
  expect(refused).toEqual([])
})

it('has rows of every topic, some of which scopes hide', async () => {
  for (const mode of MODES) {
    const side = world.side(mode)
    const admin = await world.createPerson(mode, 'admin')
    for (const topic of topicsOf(side)) {
      const what = `${mode} ${topic.name} ${JSON.stringify(topic.params)}`
      const isNarrowed = mode === 'strict with scopes' && isScoped(topic.name)
      const shown = new Set([side.incidents[0], side.runs[0]?.id, side.components[0], side.configs[0]])
      // What is below a component may be anywhere: its source are all of them.
      const isOfOne = topic.name !== 'topology' && Object.values(topic.params).some((id) => shown.has(id))
      const isHidden = isNarrowed && !isOfOne
      // The product looks at itself meanwhile: rows may come between the two answers.
      await eventually(async () => {
        const own = (await readIds(side, admin, sourceOf(topic)))?.length ?? 0
        const all = idsOf(await world.backend.callAsService(sourceOf(topic)))?.length ?? 0
        expect([what, all > 0, own < all]).toEqual([what, true, isHidden])
      })
    }
  }
})

/** Holds every topic against what the backend answers this person. @returns ids and hidden names that were heard beyond that */
async function findBeyondTopics(side: Side, person: JudgedPerson, role: Role): Promise<string[]> {
  const live = openRawLives(side.gateway.url, person.headers)
  onTestFinished(() => live.close())
  const known = new Set<string>()
  const answered = new Set<string>()
  await inLanes(topicsOf(side), AT_ONCE, async (topic) => {
    const what = `${topic.name} ${JSON.stringify(topic.params)}`
    const subscription = live.subscribe(topic.name, topic.params)
    await settled(subscription)
    const judge = async (): Promise<TopicVerdict> => {
      const verdict = await judgeTopic(world, side, person, role, topic)
      for (const text of verdict.texts) for (const word of wordsOf(text)) known.add(word)
      return verdict
    }
    let first: TopicVerdict | null = await judge()
    const { isOpen } = first
    expect(`${what} ${subscription.state()}`).toBe(`${what} ${isOpen ? 'open' : 'denied'}`)
    // Rows that were written a moment ago follow, and verdicts and boards come after their topic; never is there one too many. Asked
    // anew each further time: checks turn, and the product looks at itself.
    await eventually(async () => {
      const { ids } = first ?? (await judge())
      first = null
      const shown = storedIdsOf(topic, subscription.ids())
      const expected = isMadeOfShared(topic.name) ? ids.filter((id) => shown.includes(id)) : ids
      expect([what, shown.filter((id) => !ids.includes(id))]).toEqual([what, []])
      expect([what, ...shown]).toEqual([what, ...expected])
    }, LATEST)
    // Its rows count others.
    await eventually(async () => {
      const counts = isOpen && topic.name === 'catalogSummary' ? (await side.ask(person, ...SUMMARY)).json() : null
      expect(counts && subscription.rows()).toEqual(counts)
    }, LATEST)
    if (isOpen) for (const path of topic.answers) answered.add(path)
  })
  // Not one word of a row beyond these, whatever became of it later, and of those that came while others were waited for.
  const heard = wordsOf(live.received())
  const findBeyond = (): string[] => heard.filter((word) => !known.has(word))
  // Some topics have names where they were asked for ids alone.
  if (findBeyond().some(isName)) for (const word of await readHiddenNames(side, person)) known.add(word)
  if (findBeyond().length === 0) return []
  for (const word of await readWords(answered, (path) => askPatiently(side, person, path))) known.add(word)
  const beyond = findBeyond()
  const estate = await readEstate(side, beyond)
  return beyond.filter((word) => isName(word) || estate.has(word))
}

/** Ids, and names of what scopes hide. */
const wordsOf = (text: string): string[] => [...new Set([...(text.match(UUID) ?? []), ...(text.match(HIDDEN) ?? [])])]
const isName = (word: string): boolean => word.search(HIDDEN) !== -1

/** The words that each path is answered with, none where it is refused. */
async function readWords(
  paths: Iterable<string>,
  ask: (path: string) => Promise<Pick<RawAnswer, 'status' | 'text'>>,
): Promise<readonly string[]> {
  const words: string[] = []
  await inLanes([...new Set(paths)], AT_ONCE, async (path) => {
    const { status, text } = await ask(path)
    if (isSuccess({ status })) words.push(...wordsOf(text))
    // Whoever has no answer because there were too many questions is not refused.
    else if (![401, 403, 404].includes(status)) throw new Error(`${path}: ${status} ${text}`)
  })
  return words
}

/** Names of what scopes hide that the backend answers this person with all the same. */
const readHiddenNames = (side: Side, person: JudgedPerson): Promise<readonly string[]> =>
  readWords(NAMED, (select) => askPatiently(side, person, `/db/${select}`))

const answersOf = (side: Side): string[] => topicsOf(side).flatMap(({ answers }) => answers)

/** All that the backend answers this person with, as rows of any topic. */
const readShown = (side: Side, person: JudgedPerson): Promise<readonly string[]> =>
  readWords(answersOf(side), (path) => askPatiently(side, person, path))

/** Those of some words that are ids of rows which any topic could show anyone. */
async function readEstate(side: Side, words: readonly string[]): Promise<ReadonlySet<string>> {
  if (words.every(isName)) return new Set()
  const estate = await readWords(answersOf(side), (path) => world.backend.callAsService(...toCall(path, {})))
  return new Set(words.filter((word) => !isName(word) && estate.includes(word)))
}

const post = ({ gateway }: Side, path: string, body: unknown, headers: Record<string, string>) =>
  patientFetch(gateway.url + path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

const isSuccess = ({ status }: { readonly status: number }): boolean => status >= 200 && status < 300

/** Whether an answer is the one that the backend gives, unless the gateway refused. Rows may come and go: what differs is asked for again. */
async function findAnswerBeyond(side: Side, person: JudgedPerson, asked: string): Promise<string[]> {
  const look = async (): Promise<string[]> => {
    const through = await askGateway(side, person, toGatewayCall(asked.replace(/^(POST )?/, '$1/api')))
    if (!isSuccess(through)) return []
    const past = await askPast(side, person, asked)
    const isSame = isDeepStrictEqual(toComparable(through), toComparable(past))
    return isSame ? [] : [`${asked}: ${through.text.slice(0, 500)}, and ${past.status} ${past.text.slice(0, 500)}`]
  }
  for (let tries = 1; tries < MAX_LOOKS; tries += 1) if ((await look()).length === 0) return []
  return look()
}

/** Rows may come and go between two answers: what looks like a leak is asked for again. */
async function findReadBeyond(side: Side, person: JudgedPerson, name: string): Promise<string[]> {
  const path = `/db/${name}?limit=1000`
  const look = async (): Promise<string[]> => {
    const headers = { prefer: 'count=exact' }
    const through = await patientRequest(`${side.gateway.url}/api${path}`, {
      method: 'GET',
      headers: { ...headers, ...person.headers },
    })
    if (!isSuccess(through)) return []
    const answer = await side.ask(person, path, { headers })
    const own = new Set(answer.text.match(UUID))
    const isBeyond =
      !isSuccess(answer) ||
      through.headers['content-range'] !== answer.headers['content-range'] ||
      (through.bytes.toString().match(UUID) ?? []).some((id) => !own.has(id))
    return isBeyond ? [`GET ${name}: ${through.status}, and ${answer.status} past the gateway`] : []
  }
  // Checks run meanwhile: what grew between the two answers is no surprise, but what is there every time is.
  for (let tries = 1; tries < MAX_LOOKS; tries += 1) if ((await look()).length === 0) return []
  return look()
}

const isRefused = ({ status }: { readonly status: number }): boolean => status === 401 || status === 403

/** Whether a call with which nothing can be done gets further than past the gateway. */
async function findCallBeyond(side: Side, person: JudgedPerson, { method, path }: Write): Promise<string[]> {
  const through = await askGateway(side, person, { method, path: `/api${path}`, body: [] })
  if (isRefused(through)) return []
  const past = await side.ask(person, path, { method, body: [] })
  const isBeyond = isRefused(past) || (isSuccess(through) && !isSuccess(past))
  return isBeyond ? [`${method} ${path}: ${through.status}, and ${past.status} past the gateway`] : []
}

/** Of a row that is and is not null, and of no rows at all: rights are asked, nothing happens. */
async function findWriteBeyond(side: Side, person: JudgedPerson, name: string): Promise<string[]> {
  const column = columns.get(name) ?? 'id'
  const none = `/db/${name}?${column}=is.null&${column}=not.is.null`
  const calls = [
    { method: 'POST', path: `/db/${name}`, body: [] },
    { method: 'PATCH', path: none, body: { [column]: null } },
    { method: 'DELETE', path: none },
  ]
  const found = await Promise.all(
    calls.map(async ({ path, ...call }) => {
      if (!isSuccess(await askGateway(side, person, { ...call, path: `/api${path}` }))) return null
      const answer = await side.ask(person, path, call)
      return isSuccess(answer) ? null : `${call.method} ${name}: ${answer.status} past the gateway`
    }),
  )
  return found.filter((line) => line !== null)
}
