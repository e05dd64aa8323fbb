export {
  type IndexBackend,
  type LogBackend,
  LogBackendSchema,
  LogPlaceSchema,
  type LogRoute,
  type LokiBackend,
  LogBackendSpecSchema,
} from './logBackendSpec.ts'
export { type LogLine, type LogPiece, LogPieceSchema } from './logLine.ts'
export {
  type LogPage,
  LogPageSchema,
  type LogQuery,
  LogQuerySchema,
  MAX_LOG_LINES,
  MAX_PAGE_CHARACTERS,
  readLogPage,
} from './logQuery.ts'
export { matchesWords, toWords } from './matchesWords.ts'
export { toTailStart } from './toTailStart.ts'
