import type { Push, RefusedRow } from '@watchroom/shared/agents/upstream'
import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import { FakeClock } from '#support/fakeClock.ts'

import { createSender } from '../../../gateway/src/agent/createSender.ts'
import { AGENT_ERRORS } from '../../../gateway/src/agent/errors.ts'
import { CodedError } from '../../../gateway/src/platform/errors.ts'

const away = () => new CodedError(AGENT_ERRORS.AGENT_UPSTREAM_AWAY, { values: { url: 'u', detail: 'd' } })
const unreadable = () => new CodedError(AGENT_ERRORS.AGENT_PUSH_REFUSED, { values: { detail: 'd' } })
const failing = () => new CodedError(AGENT_ERRORS.AGENT_PUSH_FAILED, { values: { detail: 'd' } })
const unknown = () => new CodedError(AGENT_ERRORS.AGENT_CHECKS_UNKNOWN)

type Result = { check_id: string; n: number }

/** What the queue of these tests holds is sent as it is: rows with a number in place of what was found. */
const resultsOf = (push: Push): Result[] => (push.check_statuses ?? []) as unknown as Result[]

/** A queue in memory, and an upstream that answers as the test says. */
function build(answer: (push: Push) => Error | null = () => null, refuse: (push: Push) => RefusedRow[] = () => []) {
  const clock = new FakeClock()
  const said: string[] = []
  const logger = pino({ level: 'info' }, { write: (line: string) => void said.push(line) })
  const records: Result[] = []
  const received: Result[] = []
  const pushes: Push[] = []
  let head = 0
  /** Appended, and not on disk yet: it waits and cannot be read. */
  let unwritten: Result[] = []
  const sender = createSender({
    clock,
    logger,
    random: () => 0.5,
    queue: {
      read: async ({ maxRecords }) => {
        const batch = records.slice(head, head + maxRecords)
        if (batch.length === 0) return null
        return { records: batch.map((row) => JSON.stringify(row)), end: { segment: 1, offset: head + batch.length } }
      },
      drop: async ({ offset }) => {
        head = offset
      },
      get waiting() {
        return records.length + unwritten.length - head
      },
    },
    push: async (push) => {
      pushes.push(push)
      const error = answer(push)
      if (error) throw error
      received.push(...resultsOf(push))
      return { refused: refuse(push) }
    },
    settle: async (live) => {
      pushes.push({ live })
    },
  })
  const add = (count: number, checkId = 'a'): void => {
    for (let at = 0; at < count; at++) records.push({ check_id: checkId, n: records.length })
    sender.wake()
  }
  const append = (): void => void unwritten.push({ check_id: 'a', n: records.length })
  const write = (): void => {
    records.push(...unwritten)
    unwritten = []
  }
  /** In steps, so that long chains of promises settle between them. */
  const pass = async (ms: number): Promise<void> => {
    for (let passed = 0; passed < ms; passed += 25) await clock.advance(25)
  }
  return { sender, add, append, write, pass, received, pushes, said, waiting: () => records.length - head }
}

const canary = (id: string) => ({ id, name: id, namespace: 'default', spec: {} })
const check = (id: string) => ({ id, canary_id: 'c', type: 'tcp', name: id })

describe('createSender', () => {
  it('sends definitions first, then results in order and in batches', async () => {
    const { sender, add, pass, received, pushes } = build()
    sender.define({ pushedCanaries: [], pushedChecks: [check('a')] })
    add(1_200)
    await pass(500)
    expect(pushes[0]).toEqual({ checks: [check('a')] })
    expect(pushes[1]).toEqual({ live: { canaries: [], checks: ['a'] } })
    expect(pushes.slice(2).map((push) => push.check_statuses?.length)).toEqual([500, 500, 200])
    expect(received.map(({ n }) => n)).toEqual(Array.from({ length: 1_200 }, (_, n) => n))
  })

  it('keeps what could not be sent and asks again, longer each time', async () => {
    let isAway = true
    const { add, pass, received, pushes, waiting } = build(() => (isAway ? away() : null))
    add(10)
    await pass(5_000)
    expect(waiting()).toBe(10)
    expect(pushes.length).toBeGreaterThan(2)
    expect(pushes.length).toBeLessThan(8)
    isAway = false
    await pass(10_000)
    expect(received).toHaveLength(10)
  })

  it('does not wait any longer once the upstream is known to be back', async () => {
    let isAway = true
    const { sender, add, pass, received } = build(() => (isAway ? away() : null))
    add(1)
    await pass(20_000)
    isAway = false
    sender.retryNow()
    await pass(100)
    expect(received).toHaveLength(1)
  })

  it('gives up one result that the upstream cannot read, and none beside it', async () => {
    const isBad = (push: Push) => resultsOf(push).some(({ n }) => n === 7)
    const { add, pass, received, said } = build((push) => (isBad(push) ? unreadable() : null))
    add(20)
    await pass(500)
    expect(received.map(({ n }) => n)).toEqual([...Array(20).keys()].filter((n) => n !== 7))
    expect(said.join('')).toContain('RESULT LOST')
  })

  it('gives up the results at which the upstream fails again and again, while it takes those beside them', async () => {
    const isOdd = ({ n }: Result) => n === 0 || n === 7
    const { add, pass, received, said, waiting } = build((push) => (resultsOf(push).some(isOdd) ? failing() : null))
    add(20)
    await pass(200)
    // It may pass by itself.
    expect([received.length, waiting()]).toEqual([0, 20])
    await pass(10_000)
    expect(received.map(({ n }) => n)).toEqual([...Array(20).keys()].filter((n) => !isOdd({ check_id: 'a', n })))
    expect(said.join('').match(/RESULT LOST/g)).toHaveLength(2)
  })

  it('gives up nothing to an upstream that fails at everything, and asks it for little', async () => {
    let isBroken = true
    const { add, pass, received, pushes, said } = build(() => (isBroken ? failing() : null))
    add(500)
    await pass(60_000)
    expect(said.join('')).not.toContain('RESULT LOST')
    const tries = pushes.filter((push) => push.check_statuses?.length === 500).length
    expect(tries).toBeGreaterThan(3)
    expect(pushes.length).toBeLessThan(tries * 50)
    isBroken = false
    await pass(60_000)
    expect(received.map(({ n }) => n)).toEqual([...Array(500).keys()])
  })

  it('leaves out a definition that the upstream fails at, and none beside it', async () => {
    const { sender, pass, pushes, said } = build((push) =>
      push.checks?.some(({ id }) => id === 'odd') ? failing() : null,
    )
    sender.define({ pushedCanaries: [canary('c')], pushedChecks: ['odd', 'a', 'b'].map(check) })
    await pass(10_000)
    expect(pushes.at(-1)?.live?.checks).toEqual(['odd', 'a', 'b'])
    expect(said.join('')).toContain('this definition')
  })

  it('leaves out a definition that the upstream cannot read, and none beside it', async () => {
    const { sender, pass, pushes, said } = build((push) =>
      push.checks?.some(({ id }) => id === 'odd') ? unreadable() : null,
    )
    sender.define({ pushedCanaries: [], pushedChecks: ['a', 'odd', 'b'].map(check) })
    await pass(500)
    const taken = pushes.flatMap((push) => push.checks ?? []).map(({ id }) => id)
    expect(new Set(taken)).toEqual(new Set(['a', 'odd', 'b']))
    expect(pushes.filter((push) => push.checks?.length === 1).map((push) => push.checks?.[0]?.id)).toEqual([
      'a',
      'odd',
      'b',
    ])
    expect(pushes.at(-1)?.live?.checks).toEqual(['a', 'odd', 'b'])
    expect(said.join('')).toContain('this definition')
  })

  it('bounds what it sends at once in bytes', async () => {
    const { sender, pass, pushes } = build()
    const long = (id: string) => ({ ...check(id), description: 'x'.repeat(250_000) })
    sender.define({ pushedCanaries: [], pushedChecks: ['a', 'b', 'c', 'd', 'e'].map(long) })
    await pass(500)
    expect(pushes.map((push) => push.checks?.length)).toEqual([2, 2, 1, undefined])
  })

  it('does not hurry an upstream that refuses, only one that was away', async () => {
    const refused = new CodedError(AGENT_ERRORS.AGENT_TOKEN_REFUSED)
    const { sender, add, pass, pushes } = build(() => refused)
    add(1)
    await pass(1_000)
    sender.retryNow()
    await pass(1_000)
    expect(pushes).toHaveLength(1)
  })

  it('sends its definitions again when the upstream has forgotten them', async () => {
    let isKnown = false
    const { sender, add, pass, received } = build((push) => {
      if (push.checks) isKnown = true
      return push.check_statuses && !isKnown ? unknown() : null
    })
    sender.define({ pushedCanaries: [], pushedChecks: [check('a')] })
    await pass(200)
    isKnown = false
    add(3)
    await pass(300)
    expect(received).toHaveLength(3)
  })

  it('gives up results of checks that exist nowhere any more, and sends the others', async () => {
    const { sender, add, pass, received, said } = build((push) =>
      resultsOf(push).some((row) => row.check_id === 'gone') ? unknown() : null,
    )
    sender.define({ pushedCanaries: [], pushedChecks: [check('a')] })
    add(2, 'gone')
    add(2, 'a')
    await pass(500)
    expect(received.map((row) => row.check_id)).toEqual(['a', 'a'])
    expect(said.join('')).toContain('RESULTS LOST')
  })

  it('says what the upstream refused, and gives up what a refused check finds', async () => {
    const refused: RefusedRow = { table: 'checks', id: 'odd', name: 'odd', reason: 'labels: holds a NUL character' }
    const { sender, add, pass, received, said } = build(
      (push) => (resultsOf(push).some((row) => row.check_id === 'odd') ? unknown() : null),
      (push) => (push.checks ? [refused] : []),
    )
    sender.define({ pushedCanaries: [], pushedChecks: [check('a'), check('odd')] })
    await pass(200)
    add(2, 'odd')
    add(2, 'a')
    await pass(500)
    expect(received.map((row) => row.check_id)).toEqual(['a', 'a'])
    expect(said.join('')).toContain('holds a NUL character')
    expect(said.join('')).toContain('RESULTS LOST')
  })

  it('sends what is still on its way to the disk when it closes', async () => {
    const { sender, add, append, write, pass, received } = build()
    add(1)
    await pass(500)
    append()
    const closed = sender.close(5_000)
    await pass(50)
    write()
    await pass(500)
    expect(await closed).toBe(true)
    expect(received.map(({ n }) => n)).toEqual([0, 1])
  })

  it('sends what waits when it is closed, and says when there was no time', async () => {
    const reached = build()
    reached.add(5)
    const closed = reached.sender.close(5_000)
    await reached.pass(500)
    expect(await closed).toBe(true)

    const unreached = build(away)
    unreached.add(5)
    const given = unreached.sender.close(5_000)
    await unreached.pass(6_000)
    expect(await given).toBe(false)
    expect(unreached.waiting()).toBe(5)
  })
})
