import { defineErrors } from '../errors.ts'

export const databaseErrors = defineErrors({
  DATABASE_UNAVAILABLE: {
    message: 'The database of the gateway cannot be reached right now',
    status: 503,
    retryable: true,
    reportable: true,
  },
  DATABASE_CHECKSUM_MISMATCH: {
    message: 'The database of the gateway was prepared with other contents of {names}; start the version that did it',
    status: 500,
    retryable: false,
    reportable: true,
  },
  DATABASE_NEWER_THAN_PROGRAM: {
    message: 'The database was used by a newer version of the program (it knows {names}); start that version',
    status: 500,
    retryable: false,
    reportable: true,
  },
})
