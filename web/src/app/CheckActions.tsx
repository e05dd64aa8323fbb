import type { CheckSummary } from '@watchroom/shared/health'

import { isStandalone, useSession } from '../api/session.tsx'
import { TargetPlaybooks } from '../features/playbooks/components/TargetPlaybooks.tsx'
import { AttachCheck } from './AttachCheck.tsx'
import { WhatChanged } from './WhatChanged.tsx'

/** Playbook and incident actions for a check. The standalone health product, where nobody signs in, has neither. */
export function CheckActions({ check }: { check: CheckSummary }) {
  const { user } = useSession()
  if (isStandalone(user)) return null
  return (
    <>
      <TargetPlaybooks target={{ kind: 'check', id: check.id }} />
      <AttachCheck check={check} />
      <WhatChanged start={{ start: 'check', id: check.id }} />
    </>
  )
}
