import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'

import { afterAll, beforeAll, expect, it } from 'vitest'

import { listFiles } from '../../../../../gateway/src/embedded-backend/catalog/families/file/sourceFiles.ts'

/** Folders below each other: what is tried for each number of them that a `**` may stand for comes to no end. */
const DEEP = Array.from({ length: 12 }, (_, index) => `deep${index}`).join('/')
const FILES = ['one.yaml', 'a/two.yaml', 'a/b/three.yaml', 'a/b/c/four.yaml', 'a/.git/hidden.yaml', `${DEEP}/last.yaml`]

let folder: string
const { signal } = new AbortController()
const list = async (path: string, ending = signal): Promise<string[]> => {
  const files = await listFiles({ folder, parts: path.split('/') }, (name) => name.endsWith('.yaml'), ending)
  return files.map((file) => relative(folder, file))
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'watchroom-sources-'))
  for (const file of [...FILES, 'a/other.txt']) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), '')
  }
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it.each([
  ['*', ['one.yaml']],
  ['*/*', ['a/two.yaml']],
  ['a/**', ['a/b/c/four.yaml', 'a/b/three.yaml', 'a/two.yaml']],
  ['**/three.yaml', ['a/b/three.yaml']],
  ['**/one.yaml', ['one.yaml']],
  ['**/b/*', ['a/b/three.yaml']],
  ['**/b/**/*.yaml', ['a/b/c/four.yaml', 'a/b/three.yaml']],
  ['**/**/b/**/**', ['a/b/c/four.yaml', 'a/b/three.yaml']],
  ['a/*/**/f*', ['a/b/c/four.yaml']],
  ['?/b/c/*', ['a/b/c/four.yaml']],
  ['b/*', []],
])('finds the files that %s means', async (path, files) => {
  expect(await list(path)).toEqual(files)
})

it.each([
  [`${'**/'.repeat(300)}last.yaml`, [`${DEEP}/last.yaml`]],
  [`${'**/d*/'.repeat(12)}*`, [`${DEEP}/last.yaml`]],
  [`${'**/d*/'.repeat(13)}*`, []],
])('looks into each folder once, however many folders a path may stand for: %s', async (path, files) => {
  expect(await list(path)).toEqual(files)
})

it('ends when its run does', async () => {
  const stop = new AbortController()
  stop.abort(new Error('takes too long'))
  await expect(list('**', stop.signal)).rejects.toThrow('takes too long')
})
