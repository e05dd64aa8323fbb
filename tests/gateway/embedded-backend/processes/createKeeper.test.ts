import { pino } from 'pino'
import { describe, expect, it } from 'vitest'

import {
  createKeeper,
  type KeeperState,
  type KeptProcess,
} from '../../../../gateway/src/embedded-backend/processes/createKeeper.ts'
import { FakeClock } from '../../../support/fakeClock.ts'

const logger = pino({ level: 'silent' })

/** A process that a test kills, and a start that a test lets fail. */
class FakeProgram {
  readonly running: { die: (reason: string) => void; stopped: boolean }[] = []
  failures: Error[] = []
  starts = 0

  start = async (): Promise<KeptProcess> => {
    this.starts++
    const failure = this.failures.shift()
    if (failure) throw failure
    let die = (_reason: string): void => undefined
    const exited = new Promise<string>((resolve) => {
      die = resolve
    })
    const entry = { die, stopped: false }
    this.running.push(entry)
    return {
      exited,
      stop: async () => {
        entry.stopped = true
        die('stopped')
      },
    }
  }
}

function build(program: FakeProgram, options: { startAttempts?: number } = {}) {
  const clock = new FakeClock()
  const keeper = createKeeper(
    { name: 'fake', start: program.start, isFinal: (error) => (error as Error).message === 'final', ...options },
    { clock, logger },
  )
  const states: KeeperState[] = []
  keeper.onState((state) => states.push(state))
  return { clock, keeper, states }
}

describe('createKeeper', () => {
  it('starts a dead process again, at once the first time and ever later while it keeps dying', async () => {
    const program = new FakeProgram()
    const { clock, keeper } = build(program)
    await keeper.start()
    program.running[0]?.die('killed')
    await clock.advance(20)
    expect(program.starts).toBe(2)
    program.running[1]?.die('killed')
    await clock.advance(39)
    expect(program.starts).toBe(2)
    await clock.advance(1)
    expect(program.starts).toBe(3)
    await keeper.close()
  })

  it('waits at most 4 s between attempts, so that it is back within 10 s', async () => {
    const program = new FakeProgram()
    const { clock, keeper } = build(program)
    await keeper.start()
    program.failures = Array.from({ length: 50 }, () => new Error('not yet'))
    program.running[0]?.die('killed')
    await clock.advance(60_000)
    const before = program.starts
    await clock.advance(4_000)
    expect(program.starts).toBe(before + 1)
    await keeper.close()
  })

  it('forgives earlier deaths of a process that ran for 30 s', async () => {
    const program = new FakeProgram()
    const { clock, keeper } = build(program)
    await keeper.start()
    for (let death = 0; death < 4; death++) {
      program.running.at(-1)?.die('killed')
      await clock.advance(5_000)
    }
    await clock.advance(30_000)
    const before = program.starts
    program.running.at(-1)?.die('killed')
    await clock.advance(20)
    expect(program.starts).toBe(before + 1)
    await keeper.close()
  })

  it('rejects a first start with the error of its last attempt', async () => {
    const program = new FakeProgram()
    program.failures = [new Error('one'), new Error('two')]
    const { clock, keeper } = build(program, { startAttempts: 2 })
    const outcome = keeper.start().then(
      () => 'started',
      (error: unknown) => (error as Error).message,
    )
    await clock.advance(1_000)
    expect(await outcome).toBe('two')
    expect(keeper.state()).toBe('failed')
    await keeper.close()
  })

  it('stops trying after a final error and says so', async () => {
    const program = new FakeProgram()
    const { clock, keeper, states } = build(program, { startAttempts: 5 })
    await keeper.start()
    program.failures = [new Error('final')]
    program.running[0]?.die('killed')
    await clock.advance(600_000)
    expect(program.starts).toBe(2)
    expect(states).toEqual(['starting', 'running', 'restarting', 'failed'])
    expect(keeper.failure()).toMatchObject({ message: 'final' })
    await keeper.close()
  })

  it('restarts on request without a wait', async () => {
    const program = new FakeProgram()
    const { clock, keeper } = build(program)
    await keeper.start()
    await keeper.restart()
    await clock.advance(0)
    expect(program.running.map(({ stopped }) => stopped)).toEqual([true, false])
    await keeper.close()
  })

  it('stops what runs when it is closed and leaves no timer', async () => {
    const program = new FakeProgram()
    const { clock, keeper } = build(program)
    await keeper.start()
    await keeper.close()
    expect(program.running[0]?.stopped).toBe(true)
    expect(clock.pending).toBe(0)
    expect(keeper.state()).toBe('closed')
  })

  it('gives up a pending restart when it is closed', async () => {
    const program = new FakeProgram()
    const { clock, keeper } = build(program)
    await keeper.start()
    program.failures = Array.from({ length: 10 }, () => new Error('not yet'))
    program.running[0]?.die('killed')
    await clock.advance(500)
    await keeper.close()
    expect(clock.pending).toBe(0)
    const before = program.starts
    await clock.advance(60_000)
    expect(program.starts).toBe(before)
  })
})
