// A connection of a type that nobody here knows: its columns as YAML.
import { type ConnectionRow, ConnectionRowSchema } from '@watchroom/shared/settings/connections'
import { z } from 'zod'

import { toSpecText } from '../../editor/readSpecText.ts'
import { specRule } from '../../ui/form/specRule.ts'
import { EMPTY_ROW } from './connectionForm.ts'

const COLUMNS = ['url', 'username', 'password', 'certificate', 'insecure_tls', 'properties'] as const
const StrictRowSchema = z.strictObject({
  ...ConnectionRowSchema.shape,
  properties: z.record(z.string(), z.unknown()).nullish(),
})

export const UnknownFormSchema = z.object({
  spec: specRule.transform((spec, context): ConnectionRow => {
    const read = StrictRowSchema.safeParse(spec)
    // A column that was taken out of the text is emptied.
    if (read.success) return { ...EMPTY_ROW, ...read.data }
    const [issue] = read.error.issues
    const place = issue?.path.join('.')
    context.addIssue({ code: 'custom', message: place ? `${place}: ${issue?.message}` : (issue?.message ?? '') })
    return z.NEVER
  }),
})

export const toUnknownText = (row: ConnectionRow): string =>
  toSpecText(Object.fromEntries(COLUMNS.flatMap((column) => (row[column] ? [[column, row[column]]] : []))))
