import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { z } from 'zod'

import { defineTable } from '../../../api/tables.ts'
import { PageHeader } from '../../../ui/PageHeader.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { IncidentNotFound } from './IncidentRoomView.tsx'

const numberedIncidents = defineTable({
  name: 'incidents',
  row: z.object({ id: z.string(), incident_id: z.string() }),
  select: 'id,incident_id',
  key: 'incident_id',
})

interface IncidentByNumberProps {
  /** `INC-12`, as people say it. */
  number: string
}

/** Redirects to the incident with this number, at its canonical URL. */
export function IncidentByNumber({ number }: IncidentByNumberProps) {
  const query = useQuery(numberedIncidents.oneQuery(number))
  const navigate = useNavigate()
  const goOn = useEffectEvent((id: string) => {
    void navigate({ to: '/incidents/$id', params: { id }, search: true, hash: true, replace: true })
  })
  const id = query.data?.id
  useEffect(() => {
    if (id !== undefined) goOn(id)
  }, [id])
  return (
    <>
      <PageHeader title={number} />
      <QueryStates query={query} what="incident">
        {(row) => (row === null ? <IncidentNotFound /> : null)}
      </QueryStates>
    </>
  )
}
