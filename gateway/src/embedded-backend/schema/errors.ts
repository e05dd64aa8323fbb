// Why a database and this program do not belong together. docs/errors.md explains each code to operators.
import { defineErrors } from '../../platform/errors.ts'

export const SCHEMA_ERRORS = defineErrors({
  SCHEMA_NEWER_THAN_PROGRAM: {
    message:
      'The database was migrated by a newer version of this program (it has {migrations}); start that version, or use another database',
    status: 500,
    retryable: false,
    reportable: false,
  },
  SCHEMA_CHECKSUM_MISMATCH: {
    message:
      'The database was migrated with other contents of {migrations}; start the version that migrated it, or use a fresh database',
    status: 500,
    retryable: false,
    reportable: false,
  },
})
