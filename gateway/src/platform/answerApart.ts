import { createTimer } from '@watchroom/shared/kernel'

import { systemClock } from './clock.ts'

const IDLE_MS = 60_000

/**
 * The other side of `createApartProcess`. The process knows only what it is asked, has little memory, and ends with whoever started it, or when
 * nobody has asked it for a while.
 */
export function answerApart(answer: (question: unknown) => unknown): void {
  const idle = createTimer(systemClock)
  const waitForMore = (): void => idle.set(() => process.exit(0), IDLE_MS)
  process.on('disconnect', () => process.exit(0))
  process.on('message', (question) => {
    // Only the parent has the other end of this channel.
    process.send?.(answer(question))
    waitForMore()
  })
  process.send?.('ready')
  waitForMore()
}
