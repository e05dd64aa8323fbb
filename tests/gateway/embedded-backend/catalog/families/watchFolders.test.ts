// Real folders, and the watches of the system for them: only the time that it waits for a burst to end is the test's own.
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, beforeEach, expect, it } from 'vitest'

import { eventually } from '#support/eventually.ts'
import { FakeClock } from '#support/fakeClock.ts'

import { watchFolders } from '../../../../../gateway/src/embedded-backend/catalog/families/file/watchFolders.ts'

let folder: string
let clock: FakeClock
let calls: number
let watching: { close(): void } | undefined

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchroom-watch-'))
  clock = new FakeClock()
  calls = 0
})
afterEach(() => {
  watching?.close()
  rmSync(folder, { recursive: true, force: true })
})

const at = (path: string): string => join(folder, path)
const save = (path: string): void => writeFileSync(at(path), String(Math.random()))
const watchFolder = (path: string): void => {
  watching = watchFolders([at(path)], clock, () => {
    calls += 1
  })
}

async function isTold(act: () => void): Promise<void> {
  const before = calls
  act()
  await eventually(async () => {
    await clock.advance(150)
    expect(calls).toBeGreaterThan(before)
  })
}

const SAVES = 4

/** More than one: what is late of an earlier change tells once at most. @returns how many were told of */
async function saveRepeatedly(path: string): Promise<number> {
  for (let round = 1; round <= SAVES; round += 1) await isTold(() => save(path))
  return SAVES
}

/** A watch is set a moment after it is asked for: done until it is told of. */
async function isWatched(act: () => void): Promise<void> {
  const before = calls
  await eventually(async () => {
    act()
    await clock.advance(150)
    expect(calls).toBeGreaterThan(before)
  })
}

it('tells of saves in a folder, and in those that come later', async () => {
  mkdirSync(at('saved'))
  watchFolder('saved')
  await isWatched(() => save('saved/one.yaml'))
  await isTold(() => mkdirSync(at('saved/deeper')))
  expect(await saveRepeatedly('saved/deeper/two.yaml')).toBe(SAVES)
})

it('follows a folder that another one takes the place of', async () => {
  mkdirSync(at('saved/deeper'), { recursive: true })
  watchFolder('saved')
  await isWatched(() => save('saved/deeper/one.yaml'))
  await isTold(() => {
    rmSync(at('saved'), { recursive: true })
    mkdirSync(at('saved/deeper'), { recursive: true })
  })
  expect(await saveRepeatedly('saved/one.yaml')).toBe(SAVES)
  expect(await saveRepeatedly('saved/deeper/one.yaml')).toBe(SAVES)
})

it('follows a folder that is away for a while', async () => {
  mkdirSync(at('saved'))
  watchFolder('saved')
  await isWatched(() => save('saved/one.yaml'))
  await isTold(() => rmSync(at('saved'), { recursive: true }))
  await isTold(() => mkdirSync(at('saved')))
  expect(await saveRepeatedly('saved/one.yaml')).toBe(SAVES)
})

it('follows a folder that comes later, with those above it', async () => {
  watchFolder('later/saved')
  await isWatched(() => {
    rmSync(at('later'), { recursive: true, force: true })
    mkdirSync(at('later'))
  })
  await isTold(() => mkdirSync(at('later/saved')))
  expect(await saveRepeatedly('later/saved/one.yaml')).toBe(SAVES)
})

it('follows where another working copy takes the place of the one that the folder is in', async () => {
  mkdirSync(at('copy/saved'), { recursive: true })
  mkdirSync(at('next/saved'), { recursive: true })
  watchFolder('copy/saved')
  await isWatched(() => save('copy/saved/one.yaml'))
  await isTold(() => {
    renameSync(at('copy'), at('former'))
    renameSync(at('next'), at('copy'))
  })
  expect(await saveRepeatedly('copy/saved/one.yaml')).toBe(SAVES)
})

it('follows a link that leads elsewhere', async () => {
  for (const name of ['first', 'second']) mkdirSync(at(name))
  symlinkSync('first', at('current'))
  watchFolder('current')
  await isWatched(() => save('current/one.yaml'))
  await isTold(() => {
    symlinkSync('second', at('current.new'))
    renameSync(at('current.new'), at('current'))
  })
  expect(await saveRepeatedly('current/one.yaml')).toBe(SAVES)
})
