import { type CheckSummary, toCheckTitle } from '@watchroom/shared/health'

import { AttachEvidence } from './AttachEvidence.tsx'

/** Makes a check evidence of an incident. */
export function AttachCheck({ check }: { check: CheckSummary }) {
  return <AttachEvidence evidence={{ type: 'check', check_id: check.id, description: toCheckTitle(check) }} />
}
