import { defineErrors } from '../platform/errors.ts'

export const topologyHistoryErrors = defineErrors({
  TOPOLOGY_HISTORY_SCOPED: {
    message:
      'You can’t view the past: it’s recorded with the gateway’s permissions, and the backend shows you other components than it shows the gateway.',
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
