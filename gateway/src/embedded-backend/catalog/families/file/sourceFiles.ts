// Which files scrapers may read: those below the data directory's `sources`, and below folders that the operator names. No link
// leads out of them, and nothing but an ordinary file is opened.
import { constants } from 'node:fs'
import { type FileHandle, lstat, open, readdir, realpath } from 'node:fs/promises'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'

import { type FileRoots, isBelowAny, matches, toRealRoots } from '../../../../platform/fileRoots.ts'
import { SourceFault } from '../../family.ts'

export interface SourcePattern {
  /** The folder that is there whether or not anything in it matches. */
  readonly folder: string
  /** Names below it, one for each folder on the way; `**` stands for any number of them. */
  readonly parts: readonly string[]
}

const MAX_FILES = 50_000
const MAX_FILE_BYTES = 5_000_000

/**
 * @param isFileName whether a path without a pattern names a file rather than a folder
 * @throws SourceFault with a sentence for the author, when the path leads where nothing is read
 */
export function toPattern(path: string, roots: FileRoots, isFileName: (name: string) => boolean): SourcePattern {
  const whole = resolve(roots.own, path)
  if (path.includes('\0') || !isWithinAny(whole, roots)) {
    throw new SourceFault(`${path} is outside of the folders that sources are read from (WATCHROOM_SOURCE_ROOTS)`)
  }
  const parts = whole.split(sep)
  const first = parts.findIndex(isPattern)
  if (first !== -1) return { folder: parts.slice(0, first).join(sep), parts: parts.slice(first) }
  return isFileName(basename(whole))
    ? { folder: dirname(whole), parts: [basename(whole)] }
    : { folder: whole, parts: ['**', '*'] }
}

/**
 * Refuses what leads out by a link, also one on the way to the folder.
 *
 * @throws SourceFault where the folder is not there, or not for us to read
 */
export async function requireFolder({ folder }: SourcePattern, roots: FileRoots): Promise<void> {
  if (!(await requireWithin(folder, roots))) throw new SourceFault(`${showPath(folder, roots)} is not there`)
}

/**
 * Refuses one file that is named and leads out by a link.
 *
 * @throws SourceFault
 */
export async function requireFile({ folder, parts }: SourcePattern, roots: FileRoots): Promise<void> {
  const [name = '', ...more] = parts
  if (more.length === 0 && !isPattern(name)) await requireWithin(join(folder, name), roots)
}

/** @returns whether it is there. @throws SourceFault where it leads out */
async function requireWithin(path: string, roots: FileRoots): Promise<boolean> {
  const real = await realpath(path).catch(() => null)
  if (real !== null && !isWithinAny(real, await toRealRoots(roots))) {
    throw new SourceFault(
      `${showPath(path, roots)} leads out of the folders that sources are read from (WATCHROOM_SOURCE_ROOTS)`,
    )
  }
  return real !== null
}

/**
 * Files that the pattern means, by name.
 *
 * @throws SourceFault where a folder cannot be read, or there are too many
 */
export async function listFiles(
  { folder, parts }: SourcePattern,
  isWanted: (name: string) => boolean,
  signal: AbortSignal,
): Promise<string[]> {
  const found: string[] = []
  // All that a folder may stand for is looked at together: each is read once, however many ways lead to it.
  const walk = async (path: string, from: readonly number[]): Promise<void> => {
    signal.throwIfAborted()
    const places = withNone(parts, from)
    const entries = await readdir(path, { withFileTypes: true }).catch(() => {
      throw new SourceFault(`${basename(path)}: this folder cannot be read`)
    })
    for (const entry of entries) {
      if (entry.name === '.git') continue
      if (entry.isDirectory()) {
        const next = stepInto(parts, places, entry.name)
        if (next.length > 0) await walk(join(path, entry.name), next)
      } else if (isWanted(entry.name) && endsWith(parts, places, entry.name)) {
        found.push(join(path, entry.name))
      }
    }
    if (found.length > MAX_FILES) throw new SourceFault(`more than ${MAX_FILES} files`)
  }
  await walk(folder, [0])
  return found.toSorted()
}

/** Any number of folders is none, too. */
function withNone(parts: readonly string[], places: readonly number[]): readonly number[] {
  const all = new Set(places)
  // Those that are added meanwhile are looked at, too.
  for (const place of all) if (parts[place] === '**' && place + 1 < parts.length) all.add(place + 1)
  return [...all]
}

const stepInto = (parts: readonly string[], places: readonly number[], name: string): readonly number[] =>
  places.flatMap((place) => {
    if (parts[place] === '**') return [place]
    return place + 1 < parts.length && matches(parts[place] ?? '', name) ? [place + 1] : []
  })

const endsWith = (parts: readonly string[], places: readonly number[], name: string): boolean => {
  const last = parts.length - 1
  return places.includes(last) && (parts[last] === '**' || matches(parts[last] ?? '', name))
}

/** @returns why it cannot be used, or null where it has gone since it was listed */
export async function readSourceFile(path: string, real: FileRoots): Promise<Buffer | string | null> {
  let handle: FileHandle | null = null
  try {
    const target = await realpath(path)
    if (!isBelowAny(target, real)) return 'is a link that leads out of the folders that sources are read from'
    // A pipe would wait for its writer, and a link that was put there meanwhile is not followed.
    handle = await open(target, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
    const facts = await handle.stat()
    if (!facts.isFile()) return 'is no ordinary file'
    if (facts.size > MAX_FILE_BYTES) return 'is larger than 5 MB'
    // What is added meanwhile is read by the next run; `readFile` would ask for the size again.
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(facts.size + 1))
    return buffer.subarray(0, bytesRead)
  } catch (error) {
    const isGone = error instanceof Error && 'code' in error && error.code === 'ENOENT' && !(await isLink(path))
    return isGone ? null : 'cannot be read'
  } finally {
    await handle?.close()
  }
}

/** One that leads nowhere is there. */
const isLink = (path: string): Promise<boolean> =>
  lstat(path).then(
    () => true,
    () => false,
  )

/** As people know it: without the data directory. */
export const showPath = (path: string, { own }: FileRoots): string =>
  relative(own, path).startsWith('..') ? path : relative(own, path) || 'sources'

const isPattern = (name: string): boolean => /[*?]/.test(name)

/** The folder itself, too. */
const isWithinAny = (folder: string, roots: FileRoots): boolean => isBelowAny(join(folder, 'any'), roots)
