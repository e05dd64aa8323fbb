import { useQuery } from '@tanstack/react-query'
import { type ConnectionTypeName, isConnectionType } from '@watchroom/shared/settings/connections'

import { useSession } from '../../../api/session.tsx'
import { OpenedRow } from '../../../ui/dialog/OpenedRow.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ConnectionSearchSchema, PICK } from '../search.ts'
import { useConnectionForms, useConnectionTable } from '../useConnections.ts'
import { EditConnectionDialog } from './EditConnectionDialog.tsx'
import { NewConnectionDialog } from './NewConnectionDialog.tsx'
import { TypePicker } from './TypePicker.tsx'
import { UnknownConnectionDialog } from './UnknownConnectionDialog.tsx'

/** The dialogs that the URL opens. Outside of the list, so that changes to the list don't discard what is typed. */
export function ConnectionDialogs() {
  const [search, setSearch] = useSearchState(ConnectionSearchSchema)
  const mayWrite = useSession().can('write', 'connections')
  const close = (): void => setSearch({ new: '', id: '' })
  if (search.new !== '' && mayWrite) {
    if (search.new === PICK) return <TypePicker onChoose={(type) => setSearch({ new: type })} onClose={close} />
    return (
      <NewConnectionDialog
        key={search.new}
        typeName={search.new as ConnectionTypeName}
        onBack={() => setSearch({ new: PICK })}
        onClose={close}
      />
    )
  }
  return search.id === '' ? null : <StoredConnection key={search.id} id={search.id} onClose={close} />
}

function StoredConnection({ id, onClose }: { id: string; onClose: () => void }) {
  const table = useConnectionTable()
  const query = useQuery(table.oneQuery(id))
  const forms = useConnectionForms()
  return (
    <OpenedRow query={query} noun="connection" onClose={onClose}>
      {(connection) =>
        isConnectionType(connection.type) ? (
          <EditConnectionDialog type={forms[connection.type]} current={connection} onClose={onClose} />
        ) : (
          <UnknownConnectionDialog current={connection} onClose={onClose} />
        )
      }
    </OpenedRow>
  )
}
