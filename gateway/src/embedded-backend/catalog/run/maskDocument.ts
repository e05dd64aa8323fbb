// Masks what a scraper read. Looking at each word of five megabytes takes a fifth of a second: large documents are masked in a
// process of their own, so that everyone else's work goes on meanwhile.
import { failed, ok, type Result } from '@watchroom/shared/kernel'

import { createApartProcess } from '../../../platform/createApartProcess.ts'
import type { Masking } from './createMasking.ts'

export interface MaskQuestion {
  readonly json: string
  readonly secrets: readonly string[]
}

/** Masked at once: another process would not be faster. */
const SMALL_CHARACTERS = 256 * 1_024

const FAULTS = {
  'not started': 'cannot be looked at for secrets now: the process for it does not start',
  'too long': 'takes too long to look at for secrets',
  'too much memory': 'needs too much memory to look at for secrets',
} as const

const ask = createApartProcess<string>({
  bundle: 'mask-process.js',
  source: new URL('./maskProcess.ts', import.meta.url),
  maxHeapMb: 512,
  killAfterMs: 30_000,
})
/** One after the other. */
let last: Promise<unknown> = Promise.resolve()

/** @param document JSON */
export async function maskDocument(document: unknown, masking: Masking): Promise<Result<unknown, string>> {
  const json = JSON.stringify(document)
  if (json.length <= SMALL_CHARACTERS) return ok(masking.document(document))
  const question: MaskQuestion = { json, secrets: masking.secrets }
  const asked = last.then(() => ask(question))
  last = asked
  const answer = await asked
  return 'fault' in answer ? failed(FAULTS[answer.fault]) : ok(JSON.parse(answer.value) as unknown)
}
