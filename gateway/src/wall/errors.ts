import { defineErrors } from '../platform/errors.ts'

export const wallErrors = defineErrors({
  WALL_INPUT_INVALID: { message: '{reason}', status: 400, retryable: false, reportable: false },
  WALL_BOARD_UNKNOWN: {
    message: 'This wallboard does not exist, or no longer',
    status: 404,
    retryable: false,
    reportable: false,
  },
  WALL_BOARD_NAME_TAKEN: {
    message: 'There is a wallboard of this name already',
    status: 409,
    retryable: false,
    reportable: false,
  },
  WALL_TOO_MANY: { message: 'No more than {count} are kept', status: 409, retryable: false, reportable: false },
  WALL_LINK_UNKNOWN: {
    message: 'This link is not known here. It may have been copied incompletely.',
    status: 404,
    retryable: false,
    reportable: false,
  },
  WALL_LINK_WITHDRAWN: { message: 'This link was revoked', status: 410, retryable: false, reportable: false },
  WALL_LINK_EXPIRED: { message: 'This link has expired', status: 410, retryable: false, reportable: false },
  WALL_LINK_MAKER_GONE: {
    message: 'Whoever made this link may not see checks any more. Another administrator can make a new one.',
    status: 410,
    retryable: false,
    reportable: false,
  },
  WALL_RIGHTS_UNKNOWN: {
    message: 'The backend does not say at the moment whether this link may still show checks',
    status: 503,
    retryable: true,
    reportable: false,
  },
  WALL_RIGHTS_UNREADABLE: {
    message:
      'No link can be made: the backend does not tell the gateway who may see what, so nobody could take the link away with the right.',
    status: 409,
    retryable: false,
    reportable: false,
  },
  WALL_RIGHTS_SCOPED: {
    message: 'No link can be made: the backend shows you other checks than it shows the gateway.',
    status: 403,
    retryable: false,
    reportable: false,
  },
  WALL_FILTER_SHOWN: {
    message:
      'A screen without an account shows this wallboard. Only an administrator can change what it shows, or revoke its link.',
    status: 403,
    retryable: false,
    reportable: false,
  },
  WALL_DEVICE_REQUIRED: {
    message: 'This screen is not let in, or its wallboard was deleted. Open a link that was made for it.',
    status: 401,
    retryable: false,
    reportable: false,
  },
})
