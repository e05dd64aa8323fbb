export {
  type CheckHealth,
  CheckHealthSchema,
  type CheckSummary,
  type CheckSummaryResponse,
  CheckSummaryResponseSchema,
  CheckSummarySchema,
} from './checkSummary.ts'
