// A file of a test as a log.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { onTestFinished } from 'vitest'

import { createFileLog } from '../../gateway/src/embedded-backend/logs/files/createFileLog.ts'
import type { Log, LogSearch } from '../../gateway/src/embedded-backend/logs/log.ts'
import { systemClock } from '../../gateway/src/platform/clock.ts'

/** A folder that goes with the test. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'wr-logs-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** Null when nothing stands in the file yet. */
export async function openLog(path: string, text?: string | Buffer): Promise<Log | null> {
  if (text !== undefined) writeFileSync(path, text)
  const handle = await open(path)
  const { size, mtimeMs, ino } = await handle.stat()
  const log = await createFileLog(
    { handle, size, modifiedAt: mtimeMs, identity: String(ino), isRotated: false, labels: {} },
    systemClock,
  )
  if (log) onTestFinished(() => log.close())
  return log
}

export const buildSearch = (given: Partial<LogSearch> = {}): LogSearch => ({
  start: 0,
  end: Infinity,
  words: [],
  labels: {},
  budget: { bytes: 2 ** 28, endsAt: Infinity },
  ...given,
})
