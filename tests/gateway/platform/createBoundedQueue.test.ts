import { describe, expect, it } from 'vitest'

import { createBoundedQueue } from '../../../gateway/src/platform/createBoundedQueue.ts'

/** A task that ends when it is told to. */
function buildTask(name: string, started: string[]) {
  let end = (): void => undefined
  const ended = new Promise<void>((resolve) => {
    end = resolve
  })
  return {
    end,
    run: async (): Promise<string> => {
      started.push(name)
      await ended
      return name
    },
  }
}

describe('createBoundedQueue', () => {
  it('runs so many at once, keeps a short line, and refuses the rest at once', async () => {
    const started: string[] = []
    const queue = createBoundedQueue({ parallel: 2, maxWaiting: 1 })
    const tasks = ['a', 'b', 'c', 'd'].map((name) => buildTask(name, started))
    const results = tasks.map(({ run }) => queue.run(run, false))
    expect(started).toEqual(['a', 'b'])
    expect(results[3]).toBeNull()
    tasks[0]?.end()
    expect(await results[0]).toBe('a')
    await Promise.resolve()
    expect(started).toEqual(['a', 'b', 'c'])
    tasks[1]?.end()
    tasks[2]?.end()
    expect(await results[2]).toBe('c')
  })

  it('lets those go first who have the right to, and keeps a place in line for them', async () => {
    const started: string[] = []
    const queue = createBoundedQueue({ parallel: 1, maxWaiting: 1 })
    const [running, other, first] = ['running', 'other', 'first'].map((name) => buildTask(name, started))
    const results = [queue.run(running!.run, false), queue.run(other!.run, false), queue.run(first!.run, true)]
    running!.end()
    first!.end()
    other!.end()
    expect(await Promise.all(results.map((result) => Promise.resolve(result)))).toEqual(['running', 'other', 'first'])
    expect(started).toEqual(['running', 'first', 'other'])
  })

  it('hands the place of a task that ended to the next in line, whoever comes at that moment', async () => {
    const started: string[] = []
    const queue = createBoundedQueue({ parallel: 1, maxWaiting: 2 })
    const waiting = buildTask('waiting', started)
    const late = buildTask('late', started)
    let end = (): void => undefined
    const ended = new Promise<void>((resolve) => {
      end = resolve
    })
    void queue.run(() => ended, false)
    void queue.run(waiting.run, false)
    // Right after the queue itself has learned of the end.
    const came = ended.then(() => void queue.run(late.run, false))
    end()
    await came
    for (let turn = 0; turn < 5; turn++) await Promise.resolve()
    expect(started).toEqual(['waiting'])
    waiting.end()
    late.end()
  })

  it('goes on after a task that failed', async () => {
    const queue = createBoundedQueue({ parallel: 1, maxWaiting: 1 })
    const failing = queue.run(() => Promise.reject(new Error('no')), false)
    const next = queue.run(() => Promise.resolve('yes'), false)
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('yes')
  })
})
