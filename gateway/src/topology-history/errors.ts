import { defineErrors } from '../platform/errors.ts'

export const topologyHistoryErrors = defineErrors({
  TOPOLOGY_HISTORY_SCOPED: {
    message:
      'The past is not shown to you: it is recorded with the eyes of the gateway, and the backend shows you other components than it shows the gateway.',
    status: 403,
    retryable: false,
    reportable: false,
  },
  TOPOLOGY_HISTORY_ORDER: {
    message: 'from: Must be before to',
    status: 400,
    retryable: false,
    reportable: false,
  },
})
