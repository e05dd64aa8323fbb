import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { lockDirectory } from '../../../../gateway/src/embedded-backend/processes/lockDirectory.ts'
import { processIdentity } from '../../../../gateway/src/embedded-backend/processes/processIdentity.ts'
import {
  createRuntimeDirectory,
  sweepRuntimeDirectories,
} from '../../../../gateway/src/embedded-backend/processes/runtimeDirectory.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

/** A pid that ran a moment ago and no longer does. */
const deadPid = (): number => spawnSync('true').pid

const me = () => ({ pid: process.pid, identity: processIdentity(process.pid) ?? '' })

describe('lockDirectory', () => {
  let directory: string

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'wr-lock-'))
  })

  afterEach(() => {
    rmSync(directory, { recursive: true, force: true })
  })

  const writeLock = (holder: Record<string, unknown>): void =>
    writeFileSync(join(directory, 'lock'), JSON.stringify({ parentPid: 1, parentIdentity: 'x', ...holder }))

  it('is taken once, refused while held, and free after its release', async () => {
    const release = await lockDirectory(directory, systemClock)
    await expect(lockDirectory(directory, systemClock)).rejects.toMatchObject({
      code: 'BACKEND_DATA_IN_USE',
      message: expect.stringContaining(`process ${process.pid}`) as string,
    })
    release()
    const again = await lockDirectory(directory, systemClock)
    again()
    expect(existsSync(join(directory, 'lock'))).toBe(false)
  })

  it('takes over from a process that is dead, from a recycled pid, and from rubbish', async () => {
    for (const content of [{ pid: deadPid(), identity: '1' }, { pid: process.pid, identity: 'another start' }, {}]) {
      writeLock(content)
      const release = await lockDirectory(directory, systemClock)
      expect(JSON.parse(readFileSync(join(directory, 'lock'), 'utf8'))).toMatchObject(me())
      release()
    }
    writeFileSync(join(directory, 'lock'), '')
    const release = await lockDirectory(directory, systemClock)
    release()
  })

  it('gives a stale lock to exactly one of several that want it', async () => {
    writeLock({ pid: deadPid(), identity: '1' })
    const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => lockDirectory(directory, systemClock)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  })

  it('leaves nothing but the lock in the directory', async () => {
    writeLock({ pid: deadPid(), identity: '1' })
    const release = await lockDirectory(directory, systemClock)
    expect(statSync(join(directory, 'lock')).mode & 0o777).toBe(0o600)
    release()
    expect(readdirSync(directory)).toEqual([])
  })
})

describe('runtime directories', () => {
  it('are private, short enough for sockets, and gone after a close', () => {
    const directory = createRuntimeDirectory(null)
    expect(statSync(directory.path).mode & 0o777).toBe(0o700)
    expect(Buffer.byteLength(join(directory.path, '.s.PGSQL.5432.lock'))).toBeLessThanOrEqual(107)
    directory.close()
    expect(existsSync(directory.path)).toBe(false)
  })

  it('are swept when their process is dead, and only then', () => {
    const alive = createRuntimeDirectory(null)
    const dead = createRuntimeDirectory(null)
    const recycled = createRuntimeDirectory(null)
    writeFileSync(join(dead.path, 'owner.json'), JSON.stringify({ pid: deadPid(), identity: '1' }))
    writeFileSync(join(recycled.path, 'owner.json'), JSON.stringify({ pid: process.pid, identity: 'another start' }))
    try {
      const swept = sweepRuntimeDirectories(null, systemClock)
      expect(swept).toEqual(expect.arrayContaining([dead.path, recycled.path]))
      expect([alive, dead, recycled].map(({ path }) => existsSync(path))).toEqual([true, false, false])
    } finally {
      for (const directory of [alive, dead, recycled]) directory.close()
    }
  })

  it('without a name inside are swept only when they are old', () => {
    const young = createRuntimeDirectory(null)
    const old = createRuntimeDirectory(null)
    for (const { path } of [young, old]) rmSync(join(path, 'owner.json'))
    const anHourAgo = Date.now() / 1_000 - 3_600
    utimesSync(old.path, anHourAgo, anHourAgo)
    try {
      sweepRuntimeDirectories(null, systemClock)
      expect([young, old].map(({ path }) => existsSync(path))).toEqual([true, false])
    } finally {
      young.close()
      old.close()
    }
  })
})
