import { z } from 'zod'

import { readSpecText } from '../../editor/readSpecText.ts'

/** A map of keys and values, written as YAML or JSON. An empty text is an empty map. */
export const specRule = z.string().transform((text, context) => {
  const { spec, problem } = readSpecText(text)
  if (spec !== null) return spec
  context.addIssue({ code: 'custom', message: `Line ${problem?.line}: ${problem?.message}` })
  return z.NEVER
})
