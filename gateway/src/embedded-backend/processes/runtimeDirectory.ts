// Short-lived directories for sockets, and the removal of those that killed runs left behind.
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Clock } from '@watchroom/shared/kernel'
import { z } from 'zod'

import { isSameProcess, processIdentity } from './processIdentity.ts'
import { canReach, type Owner } from './unprivilegedOwner.ts'

const PREFIX = 'watchroom-run-'
const OWNER_FILE = 'owner.json'
/** A socket path may have 107 bytes (sockaddr_un); the longest name inside is `.s.PGSQL.5432.lock`. */
const MAX_ROOT_BYTES = 70
/** A run that died between making the directory and naming itself in it. */
const ANONYMOUS_AGE_MS = 10 * 60_000

const OwnerFileSchema = z.object({ pid: z.number(), identity: z.string() })

export interface RuntimeDirectory {
  readonly path: string
  close(): void
}

/** Makes a directory that only `owner` (or this user) may enter. Its path is short enough for sockets. */
export function createRuntimeDirectory(owner: Owner | null): RuntimeDirectory {
  const path = mkdtempSync(join(runtimeRoot(owner), PREFIX))
  writeFileSync(join(path, OWNER_FILE), JSON.stringify({ pid: process.pid, identity: processIdentity(process.pid) }))
  chmodSync(path, 0o700)
  if (owner) chownSync(path, owner.uid, owner.gid)
  return { path, close: () => rmSync(path, { recursive: true, force: true }) }
}

/** Removes directories made by `createRuntimeDirectory` of this user whose process no longer runs. Returns their paths. */
export function sweepRuntimeDirectories(owner: Owner | null, clock: Clock): string[] {
  const root = runtimeRoot(owner)
  const swept: string[] = []
  for (const name of readdirSync(root)) {
    if (!name.startsWith(PREFIX)) continue
    const path = join(root, name)
    if (!isAbandoned(path, owner, clock)) continue
    rmSync(path, { recursive: true, force: true })
    swept.push(path)
  }
  return swept
}

function isAbandoned(path: string, owner: Owner | null, clock: Clock): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (!stat?.isDirectory()) return false
  if (stat.uid !== process.getuid?.() && stat.uid !== owner?.uid) return false
  try {
    const { pid, identity } = OwnerFileSchema.parse(JSON.parse(readFileSync(join(path, OWNER_FILE), 'utf8')))
    return !isSameProcess(pid, identity)
  } catch {
    return clock.now() - stat.mtimeMs > ANONYMOUS_AGE_MS
  }
}

function runtimeRoot(owner: Owner | null): string {
  const preferred = tmpdir()
  const isUsable =
    Buffer.byteLength(preferred) <= MAX_ROOT_BYTES &&
    statSync(preferred, { throwIfNoEntry: false }) &&
    canReach(preferred, owner)
  return isUsable ? preferred : '/tmp'
}
