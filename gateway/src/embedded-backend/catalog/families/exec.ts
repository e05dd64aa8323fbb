// What a script prints as JSON. It runs as scripts of checks do: confined, or not at all.
import type { ExecElement } from '@watchroom/shared/specs'

import { collectSecrets, maskDocument, maskText } from '../../../check-runner/maskOutcome.ts'
import { describeEnd, firstLine } from '../../../check-runner/types/exec.ts'
import type { Executor } from '../../../executor/contract.ts'
import { isSecretVariable } from '../../secrets/secretVariables.ts'
import type { Family, ReadBatch, ReadContext } from '../family.ts'
import { SourceFault } from '../family.ts'
import { withinTime } from './openTarget.ts'
import { toRawItem } from './printedItem.ts'

const DEFAULT_TIMEOUT_MS = 60_000
const MAX_OUTPUT_BYTES = 32 * 2 ** 20
const BATCH = 500
const SOURCE = 'script'

export function createExecFamily({ executor }: { readonly executor: Executor }): Family<ExecElement> {
  return {
    name: 'exec',
    async *read(element, context): AsyncIterable<ReadBatch> {
      const variables = element.env ?? []
      const given = collectSecrets({ env: variables })
      const mask = (text: string): string => maskText(text, given)
      // Ids are made of plain values, such as the name of a site. What a name says of them is decided once; passwords in URLs go anyway.
      const secrets = collectSecrets({
        values: variables.map(({ value }) => value),
        env: variables.filter(isSecretVariable),
      })
      const printed = parsePrinted(await run(executor, element, context, mask))
      for (let start = 0; start < printed.length; start += BATCH) {
        const read = printed
          .slice(start, start + BATCH)
          .map(({ document, line }) => toRawItem(maskDocument(document, secrets), { source: SOURCE, line }))
        yield {
          items: read.flatMap((each) => (each.ok ? [each.value] : [])),
          warnings: read.flatMap((each) => (each.ok ? [] : [each.error])),
        }
      }
    },
  }
}

/** @throws SourceFault */
async function run(
  executor: Executor,
  { script, env = [], timeout }: ExecElement,
  context: ReadContext,
  mask: (text: string) => string,
): Promise<string> {
  const { confinement } = executor
  if (confinement.kind === 'off') throw new SourceFault(`programs are not run here: ${confinement.reason}`)
  const ended = await withinTime(context, { timeout, defaultMs: DEFAULT_TIMEOUT_MS }, async (signal) => {
    const result = await executor.run({
      script,
      env: Object.fromEntries(env.map(({ name, value }) => [name, value])),
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    })
    // One that was ended has printed a part, which is not all there is.
    signal.throwIfAborted()
    return result
  })
  if (ended.durationMs === null) throw new SourceFault('the script could not be started')
  if (ended.exitCode !== 0) {
    const said = firstLine(ended.stderr)
    throw new SourceFault(`the script ${describeEnd(ended.exitCode)}${said === undefined ? '' : `: ${mask(said)}`}`)
  }
  if (ended.isTruncated) throw new SourceFault(`the script prints more than ${MAX_OUTPUT_BYTES / 2 ** 20} MiB`)
  return ended.stdout
}

interface Printed {
  readonly document: unknown
  readonly line: number
}

/** One document, a list of them, or one on each line. @throws SourceFault */
export function parsePrinted(text: string): Printed[] {
  if (text.trim() === '') throw new SourceFault('the script prints nothing: to say that there is no item, print []')
  try {
    const whole: unknown = JSON.parse(text)
    return [whole].flat().map((document) => ({ document, line: 1 }))
  } catch {
    return text.split('\n').flatMap((line, index) => (line.trim() === '' ? [] : [parseLine(line, index + 1)]))
  }
}

function parseLine(text: string, line: number): Printed {
  try {
    return { document: JSON.parse(text) as unknown, line }
  } catch (error) {
    throw new SourceFault(`line ${line} of what the script prints is not JSON`, { cause: error })
  }
}
