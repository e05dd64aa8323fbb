// Why the embedded backend cannot start or keep running. docs/errors.md explains each code to operators.

interface BackendError {
  /** One sentence for the person who typed `npm start`; the detail follows after a colon. */
  readonly message: string
  readonly status: number
  /** Whether starting again may help without anybody doing something. */
  readonly retryable: boolean
  readonly reportable: boolean
}

export const BACKEND_ERRORS = {
  BACKEND_OPTIONS_INVALID: {
    message: 'The embedded backend was started with options it does not understand',
    status: 500,
    retryable: false,
    reportable: true,
  },
  BACKEND_DATA_IN_USE: {
    message: 'Another Watchroom is using this data directory; stop it or choose another directory',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_DATA_UNREACHABLE: {
    message:
      'PostgreSQL does not run as root and an unprivileged user cannot enter this directory; start as an ordinary user or choose another data directory',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_DATA_VERSION: {
    message: 'This data directory was made by another major version of PostgreSQL',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_POSTGRES_MISSING: {
    message:
      'No PostgreSQL program exists for this platform; set DATABASE_URL to a PostgreSQL 15 or newer, or run docker compose up',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_POSTGRES_FAILED: {
    message: 'PostgreSQL did not start',
    status: 500,
    retryable: true,
    reportable: true,
  },
  BACKEND_POSTGREST_MISSING: {
    message:
      'No PostgREST program exists for this platform; set POSTGREST_BIN to one (github.com/PostgREST/postgrest/releases), or run docker compose up',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_POSTGREST_FAILED: {
    message: 'PostgREST did not start',
    status: 500,
    retryable: true,
    reportable: true,
  },
  BACKEND_SCHEMA_NEWER: {
    message: 'The database was written by a newer Watchroom; start that version or restore an older backup',
    status: 500,
    retryable: false,
    reportable: false,
  },
  BACKEND_DATABASE_UNREACHABLE: {
    message: 'The database at DATABASE_URL does not answer',
    status: 500,
    retryable: true,
    reportable: false,
  },
  BACKEND_CRASHED: {
    message: 'The embedded backend stopped while starting',
    status: 500,
    retryable: true,
    reportable: true,
  },
} as const satisfies Record<string, BackendError>

export type BackendErrorCode = keyof typeof BACKEND_ERRORS

/** A start that failed for a reason with a code. The supervisor decides by `retryable`. */
export class BackendStartError extends Error {
  override readonly name = 'BackendStartError'
  readonly code: BackendErrorCode

  constructor(code: BackendErrorCode, detail?: string, options?: ErrorOptions) {
    super(detail ? `${BACKEND_ERRORS[code].message}: ${detail}` : BACKEND_ERRORS[code].message, options)
    this.code = code
  }

  get retryable(): boolean {
    return BACKEND_ERRORS[this.code].retryable
  }
}
