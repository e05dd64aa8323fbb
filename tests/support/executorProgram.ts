// A program that runs scripts through the executor, one after the other, and prints what came of each as a line of JSON: to be
// started as another user, or where the kernel allows less. Arguments: what must be hidden. Input: a script per line, as JSON.
import { createInterface } from 'node:readline'

import { createExecutor } from '../../gateway/src/executor/createExecutor.ts'
import { systemClock as clock } from '../../gateway/src/platform/clock.ts'
import { createLogger } from '../../gateway/src/platform/logger.ts'

const options = { takenUids: new Set<number>(), hidden: process.argv.slice(2) }
const executor = await createExecutor(options, { clock, logger: createLogger({ level: 'silent' }) })
const { confinement } = executor
const { signal } = new AbortController()
for await (const line of createInterface({ input: process.stdin })) {
  const script = JSON.parse(line) as string
  const result =
    confinement.kind === 'off' ? null : await executor.run({ script, env: {}, signal, maxOutputBytes: 65_536 })
  process.stdout.write(`${JSON.stringify({ confinement, result })}\n`)
}
