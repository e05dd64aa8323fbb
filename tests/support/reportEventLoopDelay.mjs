// Preloaded into a process under test: tells over IPC for how long one turn of its event loop kept the main thread busy at most
// since it was last asked. Busy means processor time of that thread: what other processes take away is the machine's doing.
import { readFileSync } from 'node:fs'

const LOOK_MS = 5
const STATISTICS = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds the main thread has run so far; on systems that do not say, the time on the wall. */
function busyMs() {
  try {
    return Number(readFileSync(STATISTICS, 'utf8').split(' ')[0]) / 1e6
  } catch {
    return performance.now()
  }
}

let longestMs = 0
let before = busyMs()
const look = () => {
  const now = busyMs()
  // A look is never later than the end of the turn that it falls into, so that what ran between two is one turn and a little.
  longestMs = Math.max(longestMs, now - before - LOOK_MS)
  before = now
}
setInterval(look, LOOK_MS).unref()
process.on('message', (message) => {
  if (message !== 'eventLoopDelay') return
  look()
  process.send?.({ kind: 'eventLoopDelay', maxMs: Math.max(0, longestMs) })
  longestMs = 0
})
// A test that dies takes the process along.
process.on('disconnect', () => process.exit(1))
// Being asked must not keep the process alive.
process.channel?.unref()
