// The process in which large documents are parsed.
import { answerApart } from '../../../platform/answerApart.ts'
import { parseFile } from './file/parseFile.ts'
import type { ParseAnswer, ParseQuestion } from './parseApart.ts'

answerApart((question): ParseAnswer => {
  const { bytes, format } = question as ParseQuestion
  const parsed = parseFile(Buffer.from(bytes), format)
  // As text: what has a million members crosses over faster.
  return parsed.ok
    ? { documents: parsed.value.map(({ config, line }) => ({ json: JSON.stringify(config), line })) }
    : { problem: parsed.error }
})
