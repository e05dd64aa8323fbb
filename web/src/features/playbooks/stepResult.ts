// What a step left behind, as lines to read. Pure.
import { z } from 'zod'

import type { LogPiece } from '../../ui/log-view/createLogLines.ts'

const text = z.string().optional().catch(undefined)
const PrintedSchema = z.object({ stdout: text, stderr: text, logs: text })

/** What it printed where it says so, else everything it says. Empty: nothing. */
export function readResult(result: unknown): LogPiece[] {
  if (result === null || result === undefined || result === '') return []
  const printed = PrintedSchema.safeParse(result)
  if (printed.success) {
    const { stdout, stderr, logs } = printed.data
    if (stdout !== undefined || stderr !== undefined || logs !== undefined) {
      return [...toPiece('stdout', stdout), ...toPiece('stdout', logs), ...toPiece('stderr', stderr)]
    }
  }
  return toPiece('stdout', typeof result === 'string' ? result : JSON.stringify(result, null, 2))
}

const toPiece = (stream: LogPiece['stream'], text: string | undefined): LogPiece[] =>
  text ? [{ stream, at: null, text: text.endsWith('\n') ? text : `${text}\n` }] : []
