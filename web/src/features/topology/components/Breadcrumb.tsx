import { ChevronRight } from '@blueprintjs/icons'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'

import { toNextSearch, useComponentBase } from '../componentLink.ts'
import { type ComponentName, namesQuery } from '../queries.ts'

/** The ancestors of a component: of the page that led to it, where there was one. */
export function Breadcrumb({ component, refererId }: { component: Component; refererId: string }) {
  const base = useComponentBase()
  const own = useQuery(namesQuery(refererId === '' ? toIds(component.path) : [refererId]))
  const referer = own.data?.find(({ id }) => id === refererId)
  const above = useQuery(namesQuery(refererId === '' ? [] : toIds(referer?.path)))
  const names = new Map([...(above.data ?? []), ...(own.data ?? [])].map((name) => [name.id, name]))
  const ids = refererId === '' ? toIds(component.path) : [...toIds(referer?.path), refererId]
  const known = ids.map((id) => names.get(id)).filter((name): name is ComponentName => name !== undefined)
  if (known.length === 0) return null
  return (
    <nav className="wr-breadcrumb" aria-label="Components above">
      {known.map(({ id, name }) => (
        <span key={id}>
          <Link to={base} params={{ id }} search={toNextSearch}>
            {name}
          </Link>
          <ChevronRight size={12} aria-hidden />
        </span>
      ))}
    </nav>
  )
}

const toIds = (path: string | null | undefined): string[] => (path ?? '').split('.').filter((id) => id !== '')
