// Which files a source of logs may read: those below the data directory's `logs`, and below folders that the operator names. No
// link leads out of them, and nothing but an ordinary file is opened.
import { constants } from 'node:fs'
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises'
import { basename, extname, join, resolve, sep } from 'node:path'

import { type FileRoots, isBelowAny, matches, toRealRoots } from '../../../platform/fileRoots.ts'
import type { OpenFile } from './createFileLog.ts'

/** Of one source. */
const MAX_FILES = 64
const MAX_LOOKED_AT = 10_000
const ROTATED = /^\.\d{1,4}$/

/** @throws Error with a sentence for the author, when the path leads where nothing is read */
function requireAllowed(path: string, roots: FileRoots): string {
  const whole = resolve(roots.own, path)
  if (path.includes('\0') || !isBelowAny(whole, roots)) {
    throw new Error(`${path} is outside of the folders that logs are read from (WATCHROOM_LOG_ROOTS)`)
  }
  return whole
}

/** Those of the paths and patterns that are there, newest first; the caller closes them. `*` and `?` stand for parts of one name. */
export async function openLogFiles(
  paths: readonly string[],
  roots: FileRoots,
  labels: Readonly<Record<string, string>>,
): Promise<OpenFile[]> {
  const found = await Promise.all(paths.map((path) => expand(requireAllowed(path, roots))))
  const names = [...new Set(found.flat())].toSorted()
  const real = await toRealRoots(roots)
  const files: OpenFile[] = []
  for (const name of names.slice(0, MAX_FILES)) {
    const file = await tryOpen(name, real, labels)
    if (file) files.push(file)
  }
  return files.toSorted((a, b) => b.modifiedAt - a.modifiedAt)
}

/** Another text when one of the files was written to, came or went. */
export async function signatureOf(paths: readonly string[], roots: FileRoots): Promise<string> {
  const found = await Promise.all(paths.map((path) => expand(requireAllowed(path, roots))))
  const names = [...new Set(found.flat())].toSorted().slice(0, MAX_FILES)
  const facts = await Promise.all(names.map((name) => stat(name).catch(() => null)))
  return facts.map((each) => (each ? `${each.ino} ${each.size} ${each.mtimeMs}` : '')).join()
}

/** The file itself and what it was called before it was rotated (`name.1`), or all that a pattern means. */
async function expand(path: string): Promise<string[]> {
  let folders: string[] = [sep]
  const parts = path.split(sep).filter(Boolean)
  const last = parts.pop() ?? ''
  for (const part of parts) {
    folders = /[*?]/.test(part)
      ? (await Promise.all(folders.map((folder) => list(folder, (name) => matches(part, name))))).flat()
      : folders.map((folder) => join(folder, part))
  }
  const isMeant = (name: string): boolean => matches(last, name) || isRotated(last, name)
  return (await Promise.all(folders.slice(0, MAX_FILES).map((folder) => list(folder, isMeant)))).flat()
}

function isRotated(pattern: string, name: string): boolean {
  const dot = name.lastIndexOf('.')
  return dot > 0 && ROTATED.test(name.slice(dot)) && matches(pattern, name.slice(0, dot))
}

async function list(folder: string, isMeant: (name: string) => boolean): Promise<string[]> {
  try {
    const names = await readdir(folder)
    return names
      .slice(0, MAX_LOOKED_AT)
      .filter(isMeant)
      .map((name) => join(folder, name))
  } catch {
    // A folder that is not there has no files, and neither has a file.
    return []
  }
}

async function tryOpen(
  path: string,
  real: FileRoots,
  labels: Readonly<Record<string, string>>,
): Promise<OpenFile | null> {
  let handle: FileHandle | null = null
  try {
    const target = await realpath(path)
    if (!isBelowAny(target, real)) return null
    // A pipe would wait for its writer, and a link that was put there meanwhile is not followed.
    handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const facts = await handle.stat({ bigint: true })
    if (facts.isFile()) {
      return {
        handle,
        size: Number(facts.size),
        modifiedAt: Number(facts.mtimeMs),
        identity: `${facts.dev}:${facts.ino}`,
        isRotated: ROTATED.test(extname(path)),
        labels: { ...labels, file: basename(path) },
      }
    }
  } catch {
    // It is gone, or not for us to read.
  }
  await handle?.close()
  return null
}
