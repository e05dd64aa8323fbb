import { describeFailure } from '../../../check-runner/describeFailure.ts'
import { toRefusalOf } from '../retry.ts'
import { PartlyTaken, type SendOptions, type SendResult } from '../sender.ts'

interface Telling {
  /** @returns what the service calls the message */
  readonly tell: (target: string) => Promise<string | null>
  /** The service knows a message that it took before: all may be told again. */
  readonly isFolded: boolean
}

/** Tells each of several targets, also when another refuses. */
export async function tellEach(
  targets: readonly string[],
  { tell, isFolded }: Telling,
  { now }: SendOptions,
): Promise<SendResult> {
  const ids: (string | null)[] = []
  const refusals: { readonly target: string; readonly error: unknown }[] = []
  for (const target of targets) {
    try {
      ids.push(await tell(target))
    } catch (error) {
      refusals.push({ target, error })
    }
  }
  const [first] = refusals
  if (!first) return { externalId: ids.find((id) => id !== null) ?? null }
  const passing = refusals.find(({ error }) => !toRefusalOf(error, now).isFinal)
  if (ids.length === 0 || (passing && isFolded)) throw (passing ?? first).error
  const reasons = refusals.map(({ target, error }) => `${target}: ${describeFailure(error)}`)
  throw new PartlyTaken(`${ids.length} of ${targets.length} took it; ${reasons.join('; ')}`)
}
