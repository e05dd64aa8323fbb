import { defineErrors } from '../platform/errors.ts'

export const hostedErrors = defineErrors({
  HOSTED_PROVIDER_UNAVAILABLE: {
    message: 'The identity provider does not answer',
    status: 503,
    retryable: true,
    reportable: true,
  },
  HOSTED_SIGN_IN_REFUSED: {
    message: 'The sign-in was not completed; start again',
    status: 400,
    retryable: false,
    reportable: false,
  },
  HOSTED_LOGOUT_REFUSED: {
    message: 'This is no sign-out of the identity provider',
    status: 400,
    retryable: false,
    reportable: false,
  },
  HOSTED_ORGANIZATION_REFUSED: {
    message: 'You do not belong to this organization',
    status: 403,
    retryable: false,
    reportable: false,
  },
  HOSTED_SESSION_REQUIRED: { message: 'Sign in to continue', status: 401, retryable: false, reportable: false },
  HOSTED_OTHER_ORGANIZATION: {
    message: 'You switched to another organization; reload the page',
    status: 401,
    retryable: false,
    reportable: false,
  },
  HOSTED_PROVISIONING: {
    message: 'Please wait, instance provisioning in-progress ...',
    status: 503,
    retryable: true,
    reportable: false,
  },
  HOSTED_BUSY: {
    message: 'Too many sessions are looked up at once',
    status: 503,
    retryable: true,
    reportable: true,
  },
  HOSTED_ORGANIZATIONS_FULL: {
    message: 'This gateway serves as many organizations as it can right now',
    status: 503,
    retryable: true,
    reportable: true,
  },
})
