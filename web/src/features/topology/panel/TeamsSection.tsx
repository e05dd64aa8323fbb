import { Link } from '@tanstack/react-router'
import type { Component } from '@watchroom/shared/topology'

import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { PicturedName } from '../../../ui/config/PicturedName.tsx'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { teamTable } from './tables.ts'

import styles from './panel.module.css'

/** Teams that answer for the component. */
export function TeamsSection({ component }: { component: Component }) {
  const found = useEndlessRows(
    teamTable,
    { filters: [`component_id=eq.${component.id}`], order: { by: 'team_id', direction: 'asc' } },
    'teams',
  )
  useOnChange([component], found.onStale)
  return (
    <EndlessSection
      name="teams"
      title="Teams"
      found={found}
      keyOf={teamTable.keyOf}
      empty="No team owns this component."
      renderRow={({ team_id: id, teams, role }) => (
        <div className={styles['row']}>
          <Link to="/settings/teams/$id" params={{ id }}>
            <PicturedName name={teams?.name || id} type="team" icon={teams?.icon} />
          </Link>
          {role ? <span className="wr-muted">{role}</span> : null}
        </div>
      )}
    />
  )
}
