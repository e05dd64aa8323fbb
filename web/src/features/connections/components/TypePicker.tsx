import { DialogBody } from '@blueprintjs/core'
import {
  CONNECTION_GROUPS,
  CONNECTION_TYPES,
  type ConnectionType,
  type ConnectionTypeName,
} from '@watchroom/shared/settings/connections'
import { useState } from 'react'

import { ChoiceCard, ChoiceCards } from '../../../ui/ChoiceCards.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchInput } from '../../../ui/SearchInput.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { ConnectionIcon } from '../ConnectionIcon.tsx'

import styles from '../connections.module.css'

interface Choice extends ConnectionType {
  readonly type: ConnectionTypeName
}

const CHOICES = Object.entries(CONNECTION_TYPES)
  .map(([type, definition]): Choice => ({ ...definition, type: type as ConnectionTypeName }))
  .filter(({ isHidden }) => isHidden !== true)
  .toSorted((a, b) => a.title.localeCompare(b.title))

/** What kind of connection to add. */
export function TypePicker({
  onChoose,
  onClose,
}: {
  onChoose: (type: ConnectionTypeName) => void
  onClose: () => void
}) {
  const [query, setQuery] = useState('')
  const wanted = query.trim().toLowerCase()
  const found = CHOICES.filter(({ type, title, group }) => `${type} ${title} ${group}`.toLowerCase().includes(wanted))
  return (
    <SizedDialog isOpen size="medium" title="Add connection" onClose={onClose}>
      <DialogBody>
        <div className={styles['picker']}>
          <SearchInput value={query} placeholder="Search connection types" onSearch={setQuery} />
          {found.length === 0 ? (
            <EmptyState title={`No connection type matches “${query.trim()}”`}>Try another word.</EmptyState>
          ) : null}
          {CONNECTION_GROUPS.map((group) => {
            const choices = found.filter((choice) => choice.group === group)
            return choices.length === 0 ? null : (
              <section key={group} aria-label={group}>
                <h3>{group}</h3>
                <ChoiceCards width={180}>
                  {choices.map(({ type, title }) => (
                    <ChoiceCard
                      key={type}
                      icon={<ConnectionIcon type={type} size={18} />}
                      title={title}
                      onChoose={() => onChoose(type)}
                    />
                  ))}
                </ChoiceCards>
              </section>
            )
          })}
        </div>
      </DialogBody>
    </SizedDialog>
  )
}
