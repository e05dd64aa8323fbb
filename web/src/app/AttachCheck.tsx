import { type CheckSummary, toCheckTitle } from '@watchroom/shared/health'

import { AttachEvidence } from './AttachEvidence.tsx'

/** Attaches a check to an incident as evidence. */
export function AttachCheck({ check }: { check: CheckSummary }) {
  return <AttachEvidence evidence={{ type: 'check', check_id: check.id, description: toCheckTitle(check) }} />
}
