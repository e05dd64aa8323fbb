import { Link, type LinkProps } from '@tanstack/react-router'
import type { FeatureArea } from '@watchroom/shared/settings'
import type { ReactNode } from 'react'

import { useDisabledAreas } from './featureFlags.tsx'

type AreaLinkProps = Pick<LinkProps, 'to' | 'params' | 'search'> & {
  area: FeatureArea
  className?: string
  children: ReactNode
}

/** A link into an area that this installation may have switched off; then only its text. */
export function AreaLink({ area, className = '', children, ...place }: AreaLinkProps) {
  if (useDisabledAreas().has(area)) return <span className={className}>{children}</span>
  return (
    <Link {...place} className={className}>
      {children}
    </Link>
  )
}
