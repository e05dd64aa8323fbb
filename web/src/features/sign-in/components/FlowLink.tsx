import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

import type { FlowHandle } from '../useFlow.ts'

interface FlowLinkProps {
  to: '/login' | '/recovery'
  handle: Pick<FlowHandle, 'goal'>
  children: ReactNode
}

/** To another page of the sign-in, which then knows as well where someone was going. */
export function FlowLink({ to, handle: { goal }, children }: FlowLinkProps) {
  return (
    <Link to={to} search={goal ? { return_to: goal } : {}}>
      {children}
    </Link>
  )
}
