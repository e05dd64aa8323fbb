import { z } from 'zod'

import { COMMON_FIELDS, defineCheckType, hidden, NameValueListSchema, TEMPLATE_FIELDS } from './fields.ts'
import { maskCredentials } from './maskCredentials.ts'

const ExecSpecSchema = z.strictObject({
  ...COMMON_FIELDS,
  ...TEMPLATE_FIELDS,
  /** Run by `sh -c` in an empty temporary folder; exit code 0 passes. */
  script: z.string().min(1),
  /** Added to PATH, HOME, LANG and TZ; nothing else of the product's own environment is passed on. */
  env: hidden(NameValueListSchema, 'environment').optional(),
})

const FIRST_LINE_MAX = 120

/** The script's first line that does something. Secrets belong into `env`, which is not shown. */
function firstCommand(script: string): string {
  const lines = script.split('\n').map((line) => line.trim())
  const line = lines.find((text) => text !== '' && !text.startsWith('#')) ?? ''
  return maskCredentials(line).slice(0, FIRST_LINE_MAX)
}

export const execCheckType = defineCheckType({ schema: ExecSpecSchema, endpoint: (spec) => firstCommand(spec.script) })
