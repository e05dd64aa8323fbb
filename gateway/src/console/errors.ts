import { defineErrors } from '../platform/errors.ts'

export const consoleErrors = defineErrors({
  CONSOLE_NOTHING_HERE: { message: 'There is nothing here', status: 404, retryable: false, reportable: false },
})
