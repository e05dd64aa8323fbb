import { expect, it, onTestFinished } from 'vitest'

import { EXITED_CLEANLY, spawnTied } from '../../../../gateway/src/embedded-backend/processes/spawnTied.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

/** A shell that ends by TERM with status 0, once it listens. */
const LISTEN = `trap 'exit 0' TERM; echo listening; while :; do sleep 0.1; done`

function run(script: string) {
  const child = spawnTied(
    { file: '/bin/sh', args: ['-c', script], env: {}, stopSignal: 'TERM', owner: null },
    systemClock,
  )
  onTestFinished(() => child.stop())
  return child
}

it('asks a program to stop again when it did not listen yet, instead of killing it in the end', async () => {
  const child = run(`trap '' TERM; echo deaf; sleep 1.5; ${LISTEN}`)
  await child.said('deaf')
  await child.stop()
  expect(await child.exited).toBe(EXITED_CLEANLY)
})

it('says how a program ended that nobody stopped', async () => {
  expect(await run('exit 3').exited).toBe('it exited with status 3')
  expect(await run('kill -9 $$').exited).toBe('it was ended by signal 9')
})
