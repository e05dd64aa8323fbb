import { mkdir, mkdtemp, rm, symlink, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type CheckSpec, CheckSpecSchema } from '@watchroom/shared/health/check-types'
import { describe, expect, it, onTestFinished } from 'vitest'

import { buildRunDeps } from '#support/runDeps.ts'

import { folderRunner } from '../../../../gateway/src/check-runner/types/folder.ts'

interface TestFile {
  bytes: number
  ageS: number
}

async function createFolder(files: Record<string, TestFile>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'watchroom-folder-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
  for (const [name, { bytes, ageS }] of Object.entries(files)) {
    const path = join(folder, name)
    await writeFile(path, Buffer.alloc(bytes))
    const at = Date.now() / 1_000 - ageS
    await utimes(path, at, at)
  }
  return folder
}

const BACKUPS = { 'old.tar': { bytes: 5_000, ageS: 7_200 }, 'new.tar': { bytes: 2_000, ageS: 600 } }
const parse = (spec: object): CheckSpec<'folder'> => CheckSpecSchema.folder.parse(spec)

describe('folder runner', () => {
  it('describes the folder', async () => {
    const path = await createFolder(BACKUPS)
    await mkdir(join(path, 'subfolder'))
    const outcome = await folderRunner.run({ path }, buildRunDeps())
    expect(outcome).toMatchObject({
      passed: true,
      details: { count: 2, newest: 'new.tar', smallestBytes: 2_000, largestBytes: 5_000 },
    })
    expect(outcome.message).toMatch(/^2 files, .+ free$/)
  })

  it('asks nobody for the free space behind a connection', async () => {
    const spec = parse({ path: '/backups', availableSize: '1kB' })
    const listFolder = async function* () {
      yield []
    }
    expect(await folderRunner.run(spec, buildRunDeps({ listFolder }))).toMatchObject({
      invalid: true,
      error: 'availableSize: nobody tells the free space behind a connection',
    })
  })

  it('stops with its signal, though the file system does not answer', async () => {
    const stop = new AbortController()
    const listFolder = async function* () {
      yield []
      stop.abort(new Error('deadline passed'))
      await new Promise(() => undefined)
    }
    const deps = buildRunDeps({ listFolder, signal: stop.signal })
    expect(await folderRunner.run(parse({ path: '/backups' }), deps)).toMatchObject({ passed: false })
  })

  it.each([
    [{ minCount: 2, maxCount: 2 }, undefined],
    [{ minCount: 3 }, '2 files, fewer than 3'],
    [{ maxCount: 1 }, '2 files, more than 1'],
    [{ maxAge: '1h' }, undefined],
    [{ maxAge: '5m' }, 'the newest file new.tar is 10m old, more than 5m'],
    [{ minAge: '5m' }, undefined],
    [{ minAge: '1h' }, 'the newest file new.tar is 10m old, less than 1h'],
    [{ minSize: '2kB', maxSize: '5kB' }, undefined],
    [{ minSize: '3kB' }, 'new.tar has 2 KiB, less than 2.9 KiB'],
    [{ maxSize: '3kB' }, 'old.tar has 4.9 KiB, more than 2.9 KiB'],
    [{ availableSize: '1kB' }, undefined],
    [{ minCount: 3, maxCount: 1 }, '2 files, fewer than 3; 2 files, more than 1'],
  ])('judges %j', async (limits, error) => {
    const spec = parse({ path: await createFolder(BACKUPS), ...limits })
    const outcome = await folderRunner.run(spec, buildRunDeps())
    expect(outcome.error).toBe(error)
    expect(outcome.passed).toBe(error === undefined)
  })

  it('fails when the disk has less room than asked for', async () => {
    const spec = parse({ path: await createFolder({}), availableSize: '9000TiB' })
    expect((await folderRunner.run(spec, buildRunDeps())).error).toMatch(/free, less than 9000 TiB$/)
  })

  it('finds nothing recent in an empty folder', async () => {
    const spec = parse({ path: await createFolder({}), maxAge: '1h', minSize: 1 })
    expect((await folderRunner.run(spec, buildRunDeps())).error).toBe('there is no file, so none is recent')
  })

  describe('where it may look', () => {
    const rules = async () => {
      const root = await createFolder({})
      const elsewhere = await createFolder(BACKUPS)
      for (const name of ['open', 'data', 'data/demo']) await mkdir(join(root, name))
      await symlink(elsewhere, join(root, 'open', 'way-out'))
      await symlink(join(root, 'data'), join(root, 'open', 'way-in'))
      const folders = { roots: [root], hidden: [join(root, 'data')], own: [join(root, 'data', 'demo')] }
      const run = (path: string) => folderRunner.run({ path }, buildRunDeps({ folders }))
      return { root, elsewhere, run }
    }

    it('is below the folders that the operator allows, and in those of the product that are its own', async () => {
      const { root, run } = await rules()
      for (const path of [root, join(root, 'open'), join(root, 'data', 'demo')]) {
        expect([path, (await run(path)).passed]).toEqual([path, true])
      }
    })

    it('is nowhere else: not beside them, not through a link or .., not in the data of the product', async () => {
      const { root, elsewhere, run } = await rules()
      const ways = [elsewhere, `${root}-2`, '/', join(root, 'open', 'way-out'), join(root, 'open', 'way-in')]
      for (const path of [...ways, `${root}/../..`, join(root, 'data'), `${root}/data/demo/..`]) {
        expect([path, await run(path)]).toEqual([
          path,
          expect.objectContaining({ invalid: true, error: expect.stringContaining(`the operator allows ${root} (`) }),
        ])
      }
      expect(await run('open')).toMatchObject({ invalid: true, error: 'open must begin with /' })
    })

    it('is nowhere where nobody said so', async () => {
      const { folders: _, ...deps } = buildRunDeps()
      expect(await folderRunner.run({ path: tmpdir() }, deps)).toMatchObject({ invalid: true })
    })
  })

  it.each([
    ['/nonexistent/backups', 'not found'],
    [process.execPath, 'not a folder'],
  ])('says what is wrong with %s', async (path, reason) => {
    const deps = buildRunDeps({ folders: { roots: ['/'], hidden: [], own: [] } })
    expect(await folderRunner.run({ path }, deps)).toMatchObject({
      passed: false,
      error: `${path}: ${reason}`,
    })
  })
})
