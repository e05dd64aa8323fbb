// Preloaded into a process under test: tells over IPC for how long its event loop was blocked at most since it was last asked.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const RESOLUTION_MS = 5
const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
histogram.enable()
process.on('message', (message) => {
  if (message !== 'eventLoopDelay') return
  process.send?.({ kind: 'eventLoopDelay', maxMs: Math.max(0, histogram.max / 1e6 - RESOLUTION_MS) })
  histogram.reset()
})
// A test that dies takes the process along.
process.on('disconnect', () => process.exit(1))
// Being asked must not keep the process alive.
process.channel?.unref()
