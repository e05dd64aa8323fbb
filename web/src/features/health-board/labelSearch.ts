import { type LabelFilter, NO_LABEL_FILTER } from '@watchroom/shared/health'
import { z } from 'zod'

// The label filter in the address: percent-encoded JSON `{"canary:{key}:{value}": 1 | -1}`, encoded once more in the URL.

const ChoicesSchema = z.record(z.string(), z.unknown())

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // Not JSON: the caller tries the next way to read it.
    return undefined
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    // A percent sign that is no escape: the text is not encoded.
    return text
  }
}

/** Tolerant: entries other than 1 and -1 are dropped, and an invalid text means no filter. */
export function parseLabelFilter(text: string): LabelFilter {
  if (text === '') return NO_LABEL_FILTER
  const parsed = ChoicesSchema.safeParse(parseJson(text) ?? parseJson(decode(text)))
  if (!parsed.success) return NO_LABEL_FILTER
  const filter = new Map<string, 1 | -1>()
  for (const [id, choice] of Object.entries(parsed.data)) {
    if (choice === 1 || choice === -1) filter.set(id, choice)
  }
  return filter
}

/** Ids in order, so that equal filters give equal links. Empty when nothing is chosen. */
export function stringifyLabelFilter(filter: LabelFilter): string {
  if (filter.size === 0) return ''
  return encodeURIComponent(JSON.stringify(Object.fromEntries([...filter].toSorted(([a], [b]) => (a < b ? -1 : 1)))))
}
