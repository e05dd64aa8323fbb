import { describeFailure } from '../../../check-runner/describeFailure.ts'
import { PartlyTaken, type Refusal, toRefusalOf } from '../retry.ts'
import type { SendOptions, SendResult } from '../sender.ts'

interface Refused {
  readonly target: string
  readonly error: unknown
  readonly refusal: Refusal
}

/**
 * Tells each of several targets, also when another refuses. Whoever took the message in an attempt before this one is not told again.
 *
 * @param tell resolves with what the service calls the message
 */
export async function tellEach(
  names: readonly string[],
  tell: (target: string) => Promise<string | null>,
  { signal, now, taken }: SendOptions,
): Promise<SendResult> {
  const targets = [...new Set(names)]
  const before = await taken.list()
  const refused: Refused[] = []
  let externalId: string | null = null
  for (const target of targets.filter((name) => !before.has(name))) {
    try {
      const id = await tell(target)
      externalId ??= id
    } catch (error) {
      signal.throwIfAborted()
      refused.push({ target, error, refusal: toRefusalOf(error, now) })
      continue
    }
    // Where it cannot be kept nobody else is told: each of them might be told twice.
    await taken.add(target)
  }
  const [first] = refused
  if (!first) return { externalId }
  if (targets.length === 1) throw first.error
  const reasons = refused.map(({ target, error }) => `${target}: ${describeFailure(error)}`)
  const count = targets.length - refused.length
  throw new PartlyTaken(`${count} of ${targets.length} took it; ${reasons.join('; ')}`, toCommon(first, refused))
}

/** Tried again while one of them may take it, when all who may can be asked. */
function toCommon(first: Refused, refused: readonly Refused[]): Refusal {
  const passing = refused.map(({ refusal }) => refusal).filter(({ isFinal }) => !isFinal)
  if (passing.length === 0) return first.refusal
  const waitsMs = passing.flatMap(({ retryAfterMs }) => retryAfterMs ?? [])
  return { isFinal: false, retryAfterMs: waitsMs.length === 0 ? null : Math.max(...waitsMs) }
}
