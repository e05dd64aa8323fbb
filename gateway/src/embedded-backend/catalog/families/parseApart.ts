// Parses what sources hold. Everyone else's work goes on meanwhile: five megabytes of YAML take seconds and half a gigabyte.
import { failed, ok, type Result } from '@watchroom/shared/kernel'
import type { FileFormat } from '@watchroom/shared/specs'

import { type ApartProgram, createApartProcess } from '../../../platform/createApartProcess.ts'
import { type FileDocument, type FileProblem, parseFile, tryParseJsonFile } from './file/parseFile.ts'

export interface ParseQuestion {
  readonly bytes: Uint8Array
  readonly format: FileFormat
}
export type ParseAnswer =
  | { readonly documents: readonly { readonly json: string; readonly line: number }[] }
  | { readonly problem: FileProblem }

/** Parsed at once: another process would not be faster. */
const SMALL_BYTES = 32 * 1_024

const FAULTS = {
  'not started': 'cannot be parsed now: the process for it does not start',
  'too long': 'takes too long to parse',
  'too much memory': 'needs too much memory to parse',
} as const

export type ParseApart = (bytes: Buffer, format: FileFormat) => Promise<Result<readonly FileDocument[], FileProblem>>

export function createParseApart(limits: Pick<ApartProgram, 'maxHeapMb' | 'killAfterMs'>): ParseApart {
  const ask = createApartProcess<ParseAnswer>({
    bundle: 'parse-process.js',
    source: new URL('./parseProcess.ts', import.meta.url),
    ...limits,
  })
  /** One after the other. */
  let last: Promise<unknown> = Promise.resolve()
  return async (bytes, format) => {
    if (bytes.length <= SMALL_BYTES) return parseFile(bytes, format)
    // JSON is read by the engine itself, as fast as the answer of another process; where it is broken takes longer to find.
    const whole = format === 'json' ? tryParseJsonFile(bytes) : null
    if (whole !== null) return ok(whole)
    const question: ParseQuestion = { bytes, format }
    const asked = last.then(() => ask(question))
    last = asked
    const answer = await asked
    if ('fault' in answer) return failed({ message: FAULTS[answer.fault] })
    if ('problem' in answer.value) return failed(answer.value.problem)
    return ok(answer.value.documents.map(({ json, line }) => ({ config: JSON.parse(json) as unknown, line })))
  }
}

/** Of the whole backend. */
export const parseApart = createParseApart({ maxHeapMb: 1_024, killAfterMs: 90_000 })
