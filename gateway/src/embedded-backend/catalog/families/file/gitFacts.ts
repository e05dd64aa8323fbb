// What a git working copy says of its files: who committed what stands in them now, and when. The copy is someone else's: git is
// asked for facts alone, with everything off by which a copy could start a program.
import { createHash } from 'node:crypto'
import { dirname, relative } from 'node:path'

import type { Clock } from '@watchroom/shared/kernel'

import { runProcess } from '../../../../platform/runProcess.ts'
import type { Authorship } from '../../item.ts'

export interface GitFacts {
  /** Null where git is not here, the file is no part of a copy, or its content was not committed. */
  authorOf(path: string, bytes: Buffer): Promise<Authorship | null>
}

const TIMEOUT_MS = 10_000
const MAX_OUTPUT_BYTES = 100_000
const SAFE = [
  '--no-optional-locks',
  '--literal-pathspecs',
  ...[
    'safe.directory=*',
    'core.fsmonitor=false',
    'core.hooksPath=/dev/null',
    'log.showSignature=false',
    'protocol.allow=never',
  ].flatMap((setting) => ['-c', setting]),
]
const FORMAT = '--format=%an%x00%aI'

export function createGitFacts({ clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal }): GitFacts {
  /** By folder; null where there is none. */
  const copies = new Map<string, Promise<string | null>>()
  let isHere = true

  async function git(folder: string, ...args: readonly string[]): Promise<string | null> {
    if (!isHere) return null
    const stop = new AbortController()
    const handleAbort = (): void => stop.abort()
    signal.addEventListener('abort', handleAbort, { once: true })
    const cancel = clock.schedule(handleAbort, TIMEOUT_MS)
    try {
      const { exitCode, stdout } = await runProcess({
        command: 'git',
        args: [...SAFE, '-C', folder, ...args],
        env: {
          PATH: process.env['PATH'] ?? '',
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_CONFIG_GLOBAL: '/dev/null',
          GIT_TERMINAL_PROMPT: '0',
          GIT_NO_LAZY_FETCH: '1',
          GIT_ALLOW_PROTOCOL: '',
          LC_ALL: 'C',
        },
        signal: stop.signal,
        clock,
        maxOutputBytes: MAX_OUTPUT_BYTES,
      })
      return exitCode === 0 ? stdout : null
    } catch {
      isHere = false
      return null
    } finally {
      cancel()
      signal.removeEventListener('abort', handleAbort)
    }
  }

  const copyOf = (folder: string): Promise<string | null> => {
    const known = copies.get(folder)
    if (known) return known
    const found = git(folder, 'rev-parse', '--show-toplevel').then((top) => top?.trimEnd() ?? null)
    copies.set(folder, found)
    return found
  }

  return {
    authorOf: async (path, bytes) => {
      const top = await copyOf(dirname(path))
      if (top === null) return null
      const name = relative(top, path)
      const committed = await git(top, 'rev-parse', '--verify', '--quiet', `HEAD:${name}`)
      if (committed?.trim() !== blobIdOf(bytes)) return null
      const [author, at] = ((await git(top, 'log', '-1', FORMAT, 'HEAD', '--', name)) ?? '').trimEnd().split('\0')
      const moment = new Date(at ?? '')
      return author && !Number.isNaN(moment.getTime()) ? { author, at: moment } : null
    },
  }
}

const blobIdOf = (bytes: Buffer): string =>
  createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex')
