// The process in which large documents are masked.
import { answerApart } from '../../../platform/answerApart.ts'
import { createMasking } from './createMasking.ts'
import type { MaskQuestion } from './maskDocument.ts'

answerApart((question): string => {
  const { json, secrets } = question as MaskQuestion
  return JSON.stringify(createMasking(secrets).document(JSON.parse(json)))
})
