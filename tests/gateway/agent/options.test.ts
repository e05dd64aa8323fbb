import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { helpText, isHelpRequested, parseOptions } from '../../../gateway/src/agent/options.ts'

const NEEDED = ['--upstream', 'http://w', '--token', 't']

function problemsOf(argv: string[], env: Record<string, string> = {}): string {
  try {
    parseOptions(env, argv)
    return ''
  } catch (error) {
    return error instanceof Error ? error.message : ''
  }
}

describe('parseOptions', () => {
  it('reads options in both spellings and fills in what is not said', () => {
    expect(parseOptions({}, ['--upstream=https://w.example/', '--token', 'abc'])).toMatchObject({
      upstream: 'https://w.example',
      token: 'abc',
      canaries: null,
      heartbeat: 15_000,
      queueSize: 256 * 2 ** 20,
      exec: 'file',
      logLevel: 'info',
    })
  })

  it('prefers an option to its variable, and takes the token from the environment', () => {
    const env = { WATCHROOM_AGENT_TOKEN: 'from-env', WATCHROOM_AGENT_HEARTBEAT: '5s' }
    expect(parseOptions(env, ['--upstream', 'http://w', '--heartbeat', '1s', '--allow-exec'])).toMatchObject({
      token: 'from-env',
      heartbeat: 1_000,
      exec: 'on',
    })
  })

  it('takes the token from a file, and names the variable whose file cannot be read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'wr-agent-options-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    writeFileSync(join(folder, 'token'), 'from-file\n', { mode: 0o600 })
    const env = { WATCHROOM_AGENT_TOKEN_FILE: join(folder, 'token') }
    expect(parseOptions(env, ['--upstream', 'http://w']).token).toBe('from-file')
    expect(problemsOf(['--upstream', 'http://w'], { WATCHROOM_AGENT_TOKEN_FILE: '/nowhere/token' })).toBe(
      'The options are not valid:\n  WATCHROOM_AGENT_TOKEN_FILE: /nowhere/token cannot be read (ENOENT)',
    )
    expect(problemsOf(['--upstream', 'http://w'], { ...env, WATCHROOM_AGENT_TOKEN: 'x' })).toContain('both are set')
  })

  it('names everything that is wrong at once', () => {
    const text = problemsOf(['--upstream', 'ftp://w', '--nonsense', '--queue-size', '1', '--id', 'x'])
    for (const part of ['--upstream', '--token', '--nonsense', '--queue-size', '--id']) expect(text).toContain(part)
  })

  it.each([
    [['--heartbeat', '1ms']],
    [['--heartbeat', 'often']],
    [['--queue-size', 'big']],
    [['--log-level', 'loud']],
    [['--canaries']],
    [['--name', '--id']],
  ])('refuses %j', (extra) => {
    expect(problemsOf([...NEEDED, ...extra])).not.toBe('')
  })
})

describe('helpText', () => {
  it('names each option with its variable', () => {
    expect(isHelpRequested(['--help'])).toBe(true)
    for (const name of [
      'upstream',
      'token',
      'canaries',
      'data',
      'name',
      'id',
      'heartbeat',
      'queue-size',
      'allow-exec',
    ]) {
      expect(helpText()).toContain(`--${name}`)
    }
  })
})
