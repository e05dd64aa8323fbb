import { CodedError, defineErrors } from '../platform/errors.ts'

/** Why an agent does not start, or does not work. It has no callers: `status` is only set because every error has one. */
export const AGENT_ERRORS = defineErrors({
  AGENT_OPTIONS_INVALID: {
    message: 'The options are not valid:\n{problems}',
    status: 400,
    retryable: false,
    reportable: false,
  },
  AGENT_DATA_IN_USE: {
    message: 'Another running agent uses the data directory {directory}',
    status: 500,
    retryable: false,
    reportable: false,
  },
  AGENT_DATA_UNUSABLE: {
    message: 'The data directory {directory} cannot be used: {detail}',
    status: 500,
    retryable: false,
    reportable: false,
  },
  AGENT_CANARIES_INVALID: {
    message: 'The canaries cannot be run:\n{problems}',
    status: 400,
    retryable: false,
    reportable: false,
  },
  AGENT_TOKEN_REFUSED: {
    message: 'The upstream refuses the token: it is wrong, has expired, or its agent was deleted',
    status: 401,
    retryable: false,
    reportable: false,
  },
  AGENT_NAME_DIFFERS: {
    message: "The token belongs to the agent '{actual}', not to '{wanted}'",
    status: 403,
    retryable: false,
    reportable: false,
  },
  AGENT_PUSH_FORBIDDEN: {
    message: 'The upstream refuses what this agent sends: {detail}',
    status: 403,
    retryable: false,
    reportable: true,
  },
  AGENT_UPSTREAM_UNKNOWN: {
    message: 'What answers at {url} is no upstream for agents: {detail}',
    status: 502,
    retryable: false,
    reportable: false,
  },
  AGENT_UPSTREAM_AWAY: {
    message: 'The upstream at {url} does not answer: {detail}',
    status: 503,
    retryable: true,
    reportable: false,
  },
  AGENT_PUSH_REFUSED: {
    message: 'The upstream cannot read what this agent sends: {detail}',
    status: 400,
    retryable: false,
    reportable: true,
  },
  AGENT_PUSH_FAILED: {
    message: 'The upstream fails at what this agent sends: {detail}',
    status: 500,
    retryable: true,
    reportable: true,
  },
  AGENT_CHECKS_UNKNOWN: {
    message: 'The upstream does not know the checks that these results are of',
    status: 409,
    retryable: true,
    reportable: false,
  },
})

/** The upstream does not answer, or not now: the same question may succeed later. */
export const isUpstreamAway = (error: unknown): boolean => error instanceof CodedError && AWAY.has(error.code)

const AWAY: ReadonlySet<string> = new Set([AGENT_ERRORS.AGENT_UPSTREAM_AWAY.code, AGENT_ERRORS.AGENT_PUSH_FAILED.code])
