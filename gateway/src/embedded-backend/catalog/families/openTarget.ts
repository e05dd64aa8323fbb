// Where a scraper asks, with the credentials of the connection that its spec names. They appear in nothing that is stored.
import type { AnyCheckSpec } from '@watchroom/shared/health/check-types'
import { ownValue } from '@watchroom/shared/kernel'
import { tryParseDuration } from '@watchroom/shared/time'

import { describeFailure } from '../../../check-runner/describeFailure.ts'
import { collectSecrets, maskDocument, maskText } from '../../../check-runner/maskOutcome.ts'
import { withDeadline } from '../../../platform/withDeadline.ts'
import type { CheckOpener } from '../../checks/createCheckOpener.ts'
import { SourceFault, type ReadContext } from '../family.ts'

export interface OpenTarget {
  /** The definition as the caller of the other side takes it. */
  readonly spec: Readonly<Record<string, unknown>>
  readonly text: (field: string) => string | undefined
  /** A document without what it was asked with. */
  readonly mask: (document: unknown) => unknown
  readonly maskText: (text: string) => string
}

/** @throws SourceFault */
export async function openTarget(
  opener: CheckOpener,
  target: Extract<AnyCheckSpec, { type: 'http' | 'postgres' }>,
): Promise<OpenTarget> {
  const opened = await opener.open({ name: 'scraper', timeoutMs: 0, ...target })
  if (!opened.ok) throw new SourceFault(opened.error)
  const spec = opened.value.check.spec as OpenTarget['spec']
  // Names of people are in many documents.
  const secrets = collectSecrets(
    spec,
    opened.value.secrets.filter((text) => text !== spec['username']),
  )
  return {
    spec,
    text: (field) => {
      const value = ownValue(spec, field)
      return typeof value === 'string' ? value : undefined
    },
    mask: (document) => (secrets.length === 0 ? document : maskDocument(document, secrets)),
    maskText: (text) => maskText(text, secrets),
  }
}

/**
 * Gives what is asked of a source at most this long.
 *
 * @throws SourceFault, and whatever `ask` throws when the run itself was ended
 */
export async function withinTime<Answer>(
  { clock, signal }: Pick<ReadContext, 'clock' | 'signal'>,
  { timeout, defaultMs }: { readonly timeout: string | undefined; readonly defaultMs: number },
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const limitMs = (timeout === undefined ? null : tryParseDuration(timeout)) ?? defaultMs
  return withDeadline({ clock, limitMs, signal }, async (deadline) => {
    try {
      return await ask(deadline.signal)
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.isOver()) throw new SourceFault(`it took longer than ${limitMs / 1_000} s`, { cause: error })
      throw error
    }
  })
}

/** What went wrong, in words without credentials. */
export const toFault = (error: unknown, mask: OpenTarget['maskText'], describe = describeFailure): SourceFault =>
  error instanceof SourceFault ? error : new SourceFault(mask(describe(error)), { cause: error })
