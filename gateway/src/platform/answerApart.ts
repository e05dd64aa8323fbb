import { createTimer } from '@watchroom/shared/kernel'

import { systemClock } from './clock.ts'

const IDLE_MS = 60_000

/**
 * The other side of `createApartProcess`. This process knows only what it is asked and has little memory. It ends together with whoever
 * started it, or after a while without questions.
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
