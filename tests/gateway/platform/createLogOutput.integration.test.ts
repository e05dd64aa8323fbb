// The log of real programs on real pipes: one that nobody reads, and one whose reader comes late.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { pathToFileURL } from 'node:url'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { openNamedPipe } from '#support/namedPipe.ts'

const TSX = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
const LOGGER = new URL('../../../gateway/src/platform/logger.ts', import.meta.url).href

let directory: string
let child: ChildProcess | null

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'watchroom-log-'))
  child = null
})

afterEach(async () => {
  if (child?.exitCode === null && child.signalCode === null) {
    const gone = once(child, 'exit')
    child.kill('SIGKILL')
    await gone
  }
  await rm(directory, { recursive: true, force: true })
})

/** Until not a byte more fits. */
const FILL = `const { writeSync } = require('node:fs')
void process.stdout
for (const size of [4096, 1]) {
  try { for (;;) writeSync(1, 'x'.repeat(size)) } catch {}
}`

/** Standard outputs that are full, or will be, and that nobody reads. */
const UNREAD: Readonly<Record<string, (folder: string) => { stdout: number | 'pipe'; close: () => void }>> = {
  pipe: (folder) => {
    const pipe = openNamedPipe(folder)
    pipe.fill()
    return { stdout: pipe.writer, close: () => pipe.close() }
  },
  // What programs get that Node starts.
  socket: () => ({ stdout: 'pipe', close: () => undefined }),
}

describe('a standard output that nobody reads', () => {
  it.each(['pipe', 'socket'])('keeps a program neither from its work nor from ending (%s)', async (kind) => {
    const output = UNREAD[kind]?.(directory)
    const code = `import { createLogger } from '${LOGGER}'
const logger = createLogger({ level: 'info' })
process.on('SIGTERM', () => process.exit(3))
setInterval(() => logger.info('x'.repeat(10_000)), 1)
setTimeout(() => process.stderr.write('works'), 100)`
    const program = [process.execPath, '--import', TSX, '--input-type=module', '-e', code]
    const started = spawn('sh', ['-c', '"$0" -e "$FILL"; exec "$@"', process.execPath, ...program], {
      env: { PATH: process.env.PATH ?? '', FILL },
      stdio: ['ignore', output?.stdout ?? 'pipe', 'pipe'],
    })
    child = started
    try {
      if (started.stderr) await once(started.stderr, 'data')
      const ended = once(started, 'exit')
      started.kill('SIGTERM')
      expect(await ended).toEqual([3, null])
    } finally {
      output?.close()
    }
  })
})

describe('a standard output that is read late', () => {
  it.each([
    ['ends', 'process.exit(3)'],
    ['crashes', 'throw new Error("crash")'],
  ])('has the last line of a program that %s', async (_, end) => {
    const lines = 5_000
    const code = `import { createLogger } from '${LOGGER}'
const logger = createLogger({ level: 'info' })
for (let line = 1; line <= ${lines}; line++) logger.info({ line }, 'x'.repeat(50))
process.stderr.write('written')
${end}`
    const started = spawn(process.execPath, ['--import', TSX, '--input-type=module', '-e', code], {
      env: { PATH: process.env.PATH ?? '' },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = started
    // More than a pipe holds has been logged by now, and nothing of it was read.
    await once(started.stderr, 'data')
    const seen = (await text(started.stdout)).trimEnd().split('\n')
    expect(seen.map((line) => (JSON.parse(line) as { line: number }).line)).toEqual(
      Array.from({ length: lines }, (_line, index) => index + 1),
    )
  })
})
