/**
 * Longest stretch of processor time between two turns of the event loop. Processor time, not wall time: what other processes
 * of a busy machine take away does not count.
 *
 * @returns function that stops measuring and returns milliseconds
 */
export function measureLongestTurn(): () => number {
  let isMeasuring = true
  let longestUs = 0
  let before = process.cpuUsage()
  const turn = (): void => {
    const now = process.cpuUsage()
    longestUs = Math.max(longestUs, now.user + now.system - before.user - before.system)
    before = now
    if (isMeasuring) setImmediate(turn)
  }
  setImmediate(turn)
  return () => {
    isMeasuring = false
    return longestUs / 1_000
  }
}
