import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** To the page of a component at the same instants. */
export const PastLink = ({ id, children }: { id: string; children: ReactNode }) => (
  <Link to="/topology/$id" params={{ id }} search>
    {children}
  </Link>
)
