// A few tasks at a time, a short line, and no more than that: whoever comes later is told to come back.

export interface BoundedQueue {
  /** @returns null when the line is full: nothing was started */
  run<Value>(task: () => Promise<Value>, isFirst: boolean): Promise<Value> | null
}

export interface BoundedQueueOptions {
  /** Tasks under way at once. */
  readonly parallel: number
  /** Tasks that wait, in each of the two lines. */
  readonly maxWaiting: number
}

/** `isFirst` tasks have a line of their own that goes before the other one. */
export function createBoundedQueue({ parallel, maxWaiting }: BoundedQueueOptions): BoundedQueue {
  const lines = { first: [] as (() => void)[], other: [] as (() => void)[] }
  let running = 0

  /** The place of a task that ended goes to the next in line at once: nobody who comes in between takes it. */
  const handOn = (): void => {
    const start = lines.first.shift() ?? lines.other.shift()
    if (start) start()
    else running -= 1
  }

  const work = async <Value>(task: () => Promise<Value>): Promise<Value> => {
    try {
      return await task()
    } finally {
      handOn()
    }
  }

  return {
    run: (task, isFirst) => {
      if (running < parallel) {
        running += 1
        return work(task)
      }
      const line = isFirst ? lines.first : lines.other
      if (line.length >= maxWaiting) return null
      return new Promise<void>((resolve) => {
        line.push(resolve)
      }).then(() => work(task))
    },
  }
}
