import type { ReactNode } from 'react'

import { PastDetails } from '../features/topology-history/components/PastDetails.tsx'
import { PastScreen, type ShownPast } from '../features/topology-history/screens/PastScreen.tsx'
import type { PastSearch } from '../features/topology-history/search.ts'
import { TopologyView } from '../features/topology/screens/TopologyScreen.tsx'
import { TopologySearchSchema } from '../features/topology/search.ts'
import { useHiddenShown, useSorting } from '../features/topology/useSorting.ts'
import { useSearchState } from '../url/useSearchState.ts'

interface PastTopologyProps {
  id: string
  search: PastSearch
  setSearch: (patch: Partial<PastSearch>, options?: { replace?: boolean }) => void
}

/** `/topology?at=`: the cards of the topology as they were at that instant. */
export function PastTopology(props: PastTopologyProps) {
  const [search, setSearch] = useSearchState(TopologySearchSchema)
  const { status, type, labels, agent_id } = search
  const [{ by: sortBy, order: sortOrder }] = useSorting(search, setSearch)
  const hidden = String(useHiddenShown(search))
  const renderPage = ({ page, ...past }: ShownPast): ReactNode => (
    <TopologyView
      id={props.id}
      page={page}
      past={past}
      renderPanel={(component) => <PastDetails component={component} />}
    />
  )
  const choice = { status, type, labels, agent_id, hidden, sortBy, sortOrder }
  return <PastScreen {...props} choice={choice} renderPage={renderPage} />
}
