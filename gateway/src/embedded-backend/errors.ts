// Why the embedded backend cannot start or keep running. docs/errors.md explains each code to operators.
import { defineErrors } from '../platform/errors.ts'

export const BACKEND_ERRORS = defineErrors({
  BACKEND_OPTIONS_INVALID: {
    message: 'The embedded backend was started with options it does not understand: {detail}',
    status: 500,
    retryable: false,
    reportable: true,
  },
  BACKEND_DATA_IN_USE: {
    message: 'Another Watchroom (process {pid}) is using {directory}; stop it or choose another data directory',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_DATA_UNREACHABLE: {
    message:
      'PostgreSQL does not run as root, and an unprivileged user cannot enter {directory}; start as an ordinary user or choose another data directory',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_DATA_VERSION: {
    message: '{directory} belongs to PostgreSQL {found}, but this program brings PostgreSQL {expected}',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_SECRET_KEY_INVALID: {
    message: 'The key of stored credentials in {file} cannot be used: {detail}',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_POSTGRES_MISSING: {
    message:
      'There is no PostgreSQL for this platform ({detail}); set DATABASE_URL to a PostgreSQL 15 or newer, or use docker compose',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_POSTGRES_FAILED: {
    message: 'PostgreSQL did not start: {detail}',
    status: 500,
    retryable: true,
    reportable: true,
  },
  BACKEND_POSTGREST_MISSING: {
    message:
      'There is no PostgREST for this platform ({detail}); set POSTGREST_BIN to an executable of PostgREST 12, or use docker compose',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_POSTGREST_FAILED: {
    message: 'PostgREST did not start: {detail}',
    status: 500,
    retryable: true,
    reportable: true,
  },
  BACKEND_DATABASE_UNREACHABLE: {
    message: 'The database at DATABASE_URL does not answer: {detail}',
    status: 500,
    retryable: true,
    reportable: false,
  },
  BACKEND_CRASHED: {
    message: 'The embedded backend stopped while it started: {detail}',
    status: 500,
    retryable: true,
    reportable: true,
  },
})
