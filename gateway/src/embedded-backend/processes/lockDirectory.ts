// One running instance per data directory. Pid file with the process's start time, because Node has no flock.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type Clock, sleep } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { CodedError } from '../../platform/errors.ts'
import { BACKEND_ERRORS } from '../errors.ts'
import { isSameProcess, processIdentity } from './processIdentity.ts'

const LOCK_FILE = 'lock'
/** A killed gateway's child needs this long at most to notice and to stop its database. */
const ORPHAN_WAIT_MS = 20_000
const POLL_MS = 50

const HolderSchema = z.object({
  pid: z.number(),
  identity: z.string(),
  parentPid: z.number(),
  parentIdentity: z.string(),
})
type Holder = z.infer<typeof HolderSchema>

/**
 * Takes the directory for this process; returns the release.
 * Waits for a holder whose own parent has died, because that holder is about to stop; refuses at once otherwise.
 *
 * @throws CodedError BACKEND_DATA_IN_USE
 */
export async function lockDirectory(directory: string, clock: Clock): Promise<() => void> {
  const file = join(directory, LOCK_FILE)
  const claim = join(directory, `${LOCK_FILE}.${process.pid}`)
  const mine: Holder = {
    pid: process.pid,
    identity: processIdentity(process.pid) ?? '',
    parentPid: process.ppid,
    parentIdentity: processIdentity(process.ppid) ?? '',
  }
  writeFileSync(claim, JSON.stringify(mine), { mode: 0o600 })
  try {
    const startedAt = clock.monotonic()
    // link(2) is the atomic step: it fails when the lock exists.
    while (!tryLink(claim, file)) {
      const text = readText(file)
      const holder = parseHolder(text)
      if (!holder || !isSameProcess(holder.pid, holder.identity)) {
        removeStale(file, text, directory)
        continue
      }
      const isStopping = !isSameProcess(holder.parentPid, holder.parentIdentity)
      if (!isStopping || clock.monotonic() - startedAt > ORPHAN_WAIT_MS) {
        throw new CodedError(BACKEND_ERRORS.BACKEND_DATA_IN_USE, { values: { pid: holder.pid, directory } })
      }
      await sleep(clock, POLL_MS)
    }
  } finally {
    rmSync(claim, { force: true })
  }
  return () => {
    if (parseHolder(readText(file))?.pid === process.pid) rmSync(file, { force: true })
  }
}

function tryLink(claim: string, file: string): boolean {
  try {
    linkSync(claim, file)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

/** Two starters may judge the same lock stale; the one whose rename takes away a newer lock puts it back. */
function removeStale(file: string, judged: string, directory: string): void {
  const aside = join(directory, `${LOCK_FILE}.stale.${process.pid}`)
  try {
    renameSync(file, aside)
  } catch {
    return
  }
  if (readText(aside) !== judged) tryLink(aside, file)
  rmSync(aside, { force: true })
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

function parseHolder(text: string): Holder | null {
  try {
    return HolderSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}
