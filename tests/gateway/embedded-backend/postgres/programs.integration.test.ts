import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readlinkSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { findPostgresPrograms, prepareNative } from '../../../../gateway/src/embedded-backend/postgres/programs.ts'
import { unprivilegedOwner } from '../../../../gateway/src/embedded-backend/processes/unprivilegedOwner.ts'

const isRoot = process.getuid?.() === 0
const owner = unprivilegedOwner()

let root: string

/** A package like the real one: a program, a library, and the list of links that the install script should have made. */
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'wr-programs-'))
  chmodSync(root, 0o755)
  mkdirSync(join(root, 'native', 'bin'), { recursive: true })
  mkdirSync(join(root, 'native', 'lib'))
  writeFileSync(join(root, 'native', 'bin', 'postgres'), '#!/bin/sh\ncat "$(dirname "$0")/../lib/libx.so"\n')
  chmodSync(join(root, 'native', 'bin', 'postgres'), 0o755)
  writeFileSync(join(root, 'native', 'lib', 'libx.so.1'), 'a library')
  const links = [{ source: 'native/lib/libx.so.1', target: 'native/lib/libx.so' }]
  writeFileSync(join(root, 'native', 'pg-symlinks.json'), JSON.stringify(links))
})

afterEach(() => {
  rmSync(root, { recursive: true, force: true })
})

const run = (directory: string): string =>
  execFileSync(join(directory, 'bin', 'postgres'), { ...owner, cwd: '/', encoding: 'utf8' })

describe('the programs', () => {
  it('are found, and know their version', () => {
    const programs = findPostgresPrograms(owner)
    expect(programs.major).toBe(18)
    expect(spawnSync(programs.postgres, ['--version'], { encoding: 'utf8' }).stdout).toMatch(
      /^postgres \(PostgreSQL\) 18\./,
    )
  })

  it('get the links that a skipped install script left out', () => {
    const directory = prepareNative(root, 'unused', owner)
    expect(directory).toBe(join(root, 'native'))
    expect(readlinkSync(join(directory, 'lib', 'libx.so'))).toBe('libx.so.1')
    expect(run(directory)).toBe('a library')
  })

  it.runIf(isRoot)('are copied once to where the unprivileged uid can run them, below a private directory', () => {
    chmodSync(root, 0o700)
    const key = basename(root)
    const first = prepareNative(root, key, owner)
    try {
      expect(first).not.toContain(root)
      expect(run(first)).toBe('a library')
      rmSync(join(root, 'native', 'bin', 'postgres'))
      expect(prepareNative(root, key, owner)).toBe(first)
      expect(run(first)).toBe('a library')
    } finally {
      rmSync(dirname(first), { recursive: true, force: true })
    }
  })
})
