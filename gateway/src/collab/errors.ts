import { defineErrors } from '../platform/errors.ts'

export const COLLAB_ERRORS = defineErrors({
  COLLAB_LOG_UNAVAILABLE: {
    message: 'The log of shared documents cannot be written right now',
    status: 503,
    retryable: true,
    reportable: true,
  },
  COLLAB_LOG_CONFLICT: {
    message: 'Another gateway wrote this document at the same time',
    status: 503,
    retryable: true,
    reportable: true,
  },
  COLLAB_DOCUMENT_NEWER: {
    message: 'This document was opened by a newer version of the gateway (layout {schema})',
    status: 503,
    retryable: true,
    reportable: true,
  },
  COLLAB_NO_ROOM: {
    message: 'Too many documents are open at the moment',
    status: 503,
    retryable: true,
    reportable: true,
  },
  COLLAB_DOCUMENT_NOT_FOUND: {
    message: 'There is no such document',
    status: 404,
    retryable: false,
    reportable: false,
  },
})
