import { lstat, opendir, statfs } from 'node:fs/promises'
import { join } from 'node:path'

import type { CheckSpec } from '@watchroom/shared/health/check-types'
import { failed, formatByteSize, ok, type Result } from '@watchroom/shared/kernel'
import { formatDuration } from '@watchroom/shared/time'

import { untilAborted } from '../../platform/withDeadline.ts'
import type { CheckRunner, FileFacts, ListFolder } from '../contract.ts'
import { describeFailure } from '../describeFailure.ts'
import { findFolder, type FolderRules } from '../folderRules.ts'
import { invalid, judged, notPassed } from '../outcome.ts'

type FolderSpec = CheckSpec<'folder'>

interface FolderFacts {
  count: number
  newest: FileFacts | null
  smallest: FileFacts | null
  largest: FileFacts | null
  /** Null where the storage does not report it. */
  availableBytes: number | null
}

/** Looks at the regular files directly in a folder; in one of this machine at the free space of its file system, too. */
export const folderRunner: CheckRunner<FolderSpec> = {
  async run(spec, { signal, clock, folders, listFolder }) {
    const startedAt = clock.monotonic()
    try {
      const reading = listFolder ? readElsewhere(spec, listFolder, signal) : readHere(spec.path, folders, signal)
      // A file system that hangs, or a machine that is busy, keeps a call for as long as it likes.
      const read = await untilAborted(signal, reading)
      const durationMs = clock.monotonic() - startedAt
      if (!read.ok) return invalid(durationMs, read.error)
      const facts = read.value
      const newestAgeMs = facts.newest === null ? null : Math.max(0, clock.now() - facts.newest.modifiedAt)
      const count = `${facts.count} ${facts.count === 1 ? 'file' : 'files'}`
      const message = facts.availableBytes === null ? count : `${count}, ${formatByteSize(facts.availableBytes)} free`
      return judged(durationMs, findFaults(spec, facts, newestAgeMs), message, {
        count: facts.count,
        ...(facts.availableBytes !== null && { availableBytes: facts.availableBytes }),
        ...(facts.newest && { newest: facts.newest.name, newestAgeMs }),
        ...(facts.smallest && { smallestBytes: facts.smallest.sizeBytes }),
        ...(facts.largest && { largestBytes: facts.largest.sizeBytes }),
      })
    } catch (error) {
      return notPassed(clock.monotonic() - startedAt, `${spec.path}: ${describeFailure(error)}`)
    }
  },
}

/** @returns why this folder cannot answer what the check asks */
async function readElsewhere(
  { path, availableSize }: FolderSpec,
  listFolder: ListFolder,
  signal: AbortSignal,
): Promise<Result<FolderFacts, string>> {
  if (availableSize !== undefined) return failed('availableSize: nobody tells the free space behind a connection')
  const facts: FolderFacts = { ...NO_FILES, availableBytes: null }
  for await (const files of listFolder(path, signal)) {
    signal.throwIfAborted()
    for (const file of files) addFile(facts, file)
  }
  return ok(facts)
}

async function readHere(
  path: string,
  rules: FolderRules | undefined,
  signal: AbortSignal,
): Promise<Result<FolderFacts, string>> {
  if (rules === undefined) return failed('folder checks are not allowed here')
  const folder = await findFolder(path, rules)
  if (!folder.ok) return folder
  const facts = await readFolder(folder.value, signal)
  // A link that was put into the way meanwhile must not have been followed.
  const again = await findFolder(path, rules)
  return again.ok && again.value === folder.value ? ok(facts) : failed(`${path} was moved while it was read`)
}

async function readFolder(path: string, signal: AbortSignal): Promise<FolderFacts> {
  const { bavail, bsize } = await statfs(path)
  const facts: FolderFacts = { ...NO_FILES, availableBytes: bavail * bsize }
  for await (const entry of await opendir(path)) {
    signal.throwIfAborted()
    const file = entry.isFile() ? await readFile(path, entry.name) : null
    if (file !== null) addFile(facts, file)
  }
  return facts
}

const NO_FILES = { count: 0, newest: null, smallest: null, largest: null } as const

function addFile(facts: FolderFacts, file: FileFacts): void {
  facts.count++
  if (facts.newest === null || file.modifiedAt > facts.newest.modifiedAt) facts.newest = file
  if (facts.smallest === null || file.sizeBytes < facts.smallest.sizeBytes) facts.smallest = file
  if (facts.largest === null || file.sizeBytes > facts.largest.sizeBytes) facts.largest = file
}

/** Null when the file was removed between listing and looking. */
async function readFile(folder: string, name: string): Promise<FileFacts | null> {
  try {
    const { size, mtimeMs } = await lstat(join(folder, name))
    return { name, sizeBytes: size, modifiedAt: mtimeMs }
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

function findFaults(spec: FolderSpec, facts: FolderFacts, newestAgeMs: number | null): string[] {
  const { count, newest, smallest, largest, availableBytes } = facts
  const faults: string[] = []
  if (spec.minCount !== undefined && count < spec.minCount) faults.push(`${count} files, fewer than ${spec.minCount}`)
  if (spec.maxCount !== undefined && count > spec.maxCount) faults.push(`${count} files, more than ${spec.maxCount}`)
  if (spec.maxAge !== undefined && newestAgeMs === null) faults.push('there is no file, so none is recent')
  if (newest !== null && newestAgeMs !== null) {
    const age = `${newest.name} is ${formatDuration(newestAgeMs)} old`
    if (spec.maxAge !== undefined && newestAgeMs > spec.maxAge) {
      faults.push(`the newest file ${age}, more than ${formatDuration(spec.maxAge)}`)
    }
    if (spec.minAge !== undefined && newestAgeMs < spec.minAge) {
      faults.push(`the newest file ${age}, less than ${formatDuration(spec.minAge)}`)
    }
  }
  if (spec.minSize !== undefined && smallest !== null && smallest.sizeBytes < spec.minSize) {
    faults.push(`${smallest.name} has ${formatByteSize(smallest.sizeBytes)}, less than ${formatByteSize(spec.minSize)}`)
  }
  if (spec.maxSize !== undefined && largest !== null && largest.sizeBytes > spec.maxSize) {
    faults.push(`${largest.name} has ${formatByteSize(largest.sizeBytes)}, more than ${formatByteSize(spec.maxSize)}`)
  }
  if (spec.availableSize !== undefined && availableBytes !== null && availableBytes < spec.availableSize) {
    faults.push(`${formatByteSize(availableBytes)} free, less than ${formatByteSize(spec.availableSize)}`)
  }
  return faults
}
