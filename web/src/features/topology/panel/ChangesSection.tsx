import { Link } from '@tanstack/react-router'
import { configChangesTopic, toConfigChangesParams } from '@watchroom/shared/protocol'
import type { Component } from '@watchroom/shared/topology'

import { useEndlessRows } from '../../../api/useEndlessRows.ts'
import { useOnChange } from '../../../live/useOnChange.ts'
import { useTopic } from '../../../live/useTopic.ts'
import { ConfigLink } from '../../../ui/config/ConfigLink.tsx'
import { EndlessSection } from '../../../ui/EndlessSection.tsx'
import { RowFacts } from '../../../ui/RowFacts.tsx'
import { SeverityBars } from '../../../ui/SeverityBars.tsx'
import { EventTime } from '../../../ui/table/eventTimes.tsx'
import { type ComponentChange, changeTable } from './tables.ts'

const ALL_CHANGES = toConfigChangesParams({})

/** Changes of the items that the component stands for, newest first. */
export function ChangesSection({ component, isOpen }: { component: Component; isOpen: boolean }) {
  const found = useEndlessRows(
    changeTable,
    { filters: [`component_id=eq.${component.id}`], order: { by: 'created_at', direction: 'desc' } },
    'changes',
  )
  useOnChange([component], found.onStale)
  return (
    <>
      {isOpen ? <ChangesWatch onChange={found.onStale} /> : null}
      <EndlessSection
        name="changes"
        title="Changes"
        found={found}
        keyOf={changeTable.keyOf}
        empty="Nothing has changed in the items of this component."
        renderRow={(change) => <Change change={change} />}
      />
    </>
  )
}

/** Asked for by those who look: the newest changes of everything are no small message. */
function ChangesWatch({ onChange }: { onChange: () => void }): null {
  const { rows } = useTopic(configChangesTopic, ALL_CHANGES)
  useOnChange([rows], onChange)
  return null
}

function Change({ change }: { change: ComponentChange }) {
  const { id, config_id: configId, name, type, change_type: kind, severity, created_at: at } = change
  return (
    <>
      <Link to="/catalog/$id/changes" params={{ id: configId }} search={{ change: id }}>
        {kind || 'Change'}
      </Link>
      <RowFacts>
        <ConfigLink config={{ id: configId, name, type }} isTypeHidden />
        {severity ? <SeverityBars severity={severity} /> : null}
        <EventTime at={at} hasDay />
      </RowFacts>
    </>
  )
}
