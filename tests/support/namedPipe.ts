// A pipe between a program and a test that reads it as long as it likes to.
import { execFileSync } from 'node:child_process'
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'

const CHUNK_BYTES = 65_536

export interface NamedPipe {
  /** What a program is given to write to. */
  readonly writer: number
  /** What was written and not read yet. */
  read(): string
  /** Until not a byte more fits. */
  fill(): void
  close(): void
}

/** @param directory that the pipe is made in */
export function openNamedPipe(directory: string): NamedPipe {
  const path = join(directory, 'pipe')
  execFileSync('mkfifo', [path])
  const own = openSync(path, constants.O_RDWR | constants.O_NONBLOCK)
  const writer = openSync(path, constants.O_WRONLY)
  const chunk = Buffer.alloc(CHUNK_BYTES)
  return {
    writer,
    read: () => {
      let text = ''
      untilRefused(() => (text += chunk.toString('utf8', 0, readSync(own, chunk))))
      return text
    },
    fill: () => {
      for (const size of [4_096, 1]) untilRefused(() => writeSync(own, 'x'.repeat(size)))
    },
    close: () => {
      closeSync(own)
      closeSync(writer)
    },
  }
}

/** @throws whatever is no sign that it would have to wait */
function untilRefused(act: () => unknown): void {
  for (;;) {
    try {
      act()
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return
      throw error
    }
  }
}
