import { tryParseDuration } from '@watchroom/shared/time'

import { readProperty } from '../settings/readProperty.ts'
import type { JobContext } from './job.ts'

type Asking = Pick<JobContext, 'pool' | 'localProperties'> & { readonly report: Pick<JobContext['report'], 'failure'> }

const read = ({ pool, localProperties = {} }: Asking, name: string): Promise<string | null> =>
  readProperty(pool, localProperties, name)

/** A number from the properties; a value that is none is reported and the default counts. */
export async function readNumber(context: JobContext, name: string, fallback: number): Promise<number> {
  const text = await read(context, name)
  if (text === null) return fallback
  const value = Number(text)
  if (text.trim() !== '' && Number.isFinite(value) && value > 0) return value
  context.report.failure(`property ${name} is ${JSON.stringify(text)}, not a number above 0; ${fallback} was used`)
  return fallback
}

/** A duration from the properties, in milliseconds; a value that is none is reported and the default counts. */
async function readDurationMs(context: Asking, name: string, fallback: string): Promise<number> {
  const text = await read(context, name)
  const value = text === null ? null : tryParseDuration(text)
  if (value !== null && value > 0) return value
  if (text !== null) {
    context.report.failure(`property ${name} is ${JSON.stringify(text)}, not a duration; ${fallback} was used`)
  }
  return tryParseDuration(fallback) ?? Number.NaN
}

/** How old rows may become: a property, else `usual`. */
export const oldestKept = async (
  context: Asking & Pick<JobContext, 'now'>,
  property: string,
  usual: string,
): Promise<Date> => new Date(context.now - (await readDurationMs(context, property, usual)))

/** How old changes of the catalog may become. */
export const oldestChangeKept = (context: Parameters<typeof oldestKept>[0]): Promise<Date> =>
  oldestKept(context, 'config.changes.retention.period', '60d')
