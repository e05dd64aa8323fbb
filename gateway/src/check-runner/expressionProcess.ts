// The process in which expressions are evaluated: it has no secrets and little memory, and ends with whoever started it, or when
// nobody has asked it for a while.
import { createTimer } from '@watchroom/shared/kernel'

import { systemClock } from '../platform/clock.ts'
import { evaluateLook, type Look } from './evaluateLook.ts'

const IDLE_MS = 60_000

const idle = createTimer(systemClock)
const waitForMore = (): void => idle.set(() => process.exit(0), IDLE_MS)

process.on('disconnect', () => process.exit(0))
process.on('message', (looks) => {
  // Only the parent has the other end of this channel.
  process.send?.((looks as Look[]).map(evaluateLook))
  waitForMore()
})
process.send?.('ready')
waitForMore()
