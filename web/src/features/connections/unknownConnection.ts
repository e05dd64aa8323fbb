// A connection of a type that nobody here knows: its columns as YAML.
import { type ConnectionRow, ConnectionRowSchema, type ConnectionSummary } from '@watchroom/shared/settings/connections'
import { z } from 'zod'

import { toSpecText } from '../../editor/readSpecText.ts'
import { specRule } from '../../ui/form/specRule.ts'

const COLUMNS = ['url', 'username', 'password', 'certificate', 'insecure_tls', 'properties'] as const
const StrictRowSchema = z.strictObject({
  ...ConnectionRowSchema.shape,
  properties: z.record(z.string(), z.unknown()).nullish(),
})

export const UnknownFormSchema = z.object({
  spec: specRule.transform((spec, context): ConnectionRow => {
    const read = StrictRowSchema.safeParse(spec)
    if (read.success) return { ...NOTHING, ...read.data }
    const [issue] = read.error.issues
    const place = issue?.path.join('.')
    context.addIssue({ code: 'custom', message: place ? `${place}: ${issue?.message}` : (issue?.message ?? '') })
    return z.NEVER
  }),
})

/** A column that was taken out of the text is emptied. */
const NOTHING: ConnectionRow = {
  url: null,
  username: null,
  password: null,
  certificate: null,
  insecure_tls: false,
  properties: null,
}

export const toUnknownText = (row: ConnectionSummary): string =>
  toSpecText(Object.fromEntries(COLUMNS.flatMap((column) => (row[column] ? [[column, row[column]]] : []))))
