import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { z } from 'zod'

import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { useSession } from '../../../api/session.tsx'
import { defineTable } from '../../../api/tables.ts'
import { Pending } from '../../../ui/Pending.tsx'

const ruleTable = defineTable({
  name: 'incident_rules',
  row: z.object({ id: z.string(), name: z.string() }),
  select: 'id,name',
})

/** The rule that opened the incident; without its name for people who may not read rules. */
export function OpeningRule({ id }: { id: string }) {
  const mayRead = useSession().can('read', 'database', 'incident')
  const isThere = !useDisabledAreas().has('settings.rules')
  const { data: rule, isLoading } = useQuery({ ...ruleTable.oneQuery(id), enabled: mayRead })
  return (
    <>
      <dt>Opened by</dt>
      <dd>
        {isLoading ? (
          <Pending letters={16} />
        ) : !rule ? (
          'A rule'
        ) : isThere ? (
          <>
            Rule{' '}
            <Link to="/settings/incident_rules/$id" params={{ id }}>
              {rule.name}
            </Link>
          </>
        ) : (
          `Rule ${rule.name}`
        )}
      </dd>
    </>
  )
}
