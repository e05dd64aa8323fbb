import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { useQuery } from '@tanstack/react-query'
import { type ConnectionTypeName, isConnectionType } from '@watchroom/shared/settings/connections'

import { useSession } from '../../../api/session.tsx'
import { QueryStates } from '../../../ui/QueryStates.tsx'
import { SizedDialog } from '../../../ui/SizedDialog.tsx'
import { useSearchState } from '../../../url/useSearchState.ts'
import { ConnectionSearchSchema, PICK } from '../search.ts'
import { useConnectionForms, useConnectionTable } from '../useConnections.ts'
import { EditConnectionDialog } from './EditConnectionDialog.tsx'
import { NewConnectionDialog } from './NewConnectionDialog.tsx'
import { TypePicker } from './TypePicker.tsx'
import { UnknownConnectionDialog } from './UnknownConnectionDialog.tsx'

/** The dialogs that the address opens. Beside the list, so that no change of the list takes away what is typed. */
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
  if (!query.data) {
    return (
      <SizedDialog isOpen size="small" title="Connection" onClose={onClose}>
        <DialogBody>
          <QueryStates query={query} what="the connection">
            {() => <p>This connection doesn’t exist or was deleted.</p>}
          </QueryStates>
        </DialogBody>
        <DialogFooter actions={<Button text="Close" onClick={onClose} />} />
      </SizedDialog>
    )
  }
  const { type } = query.data
  return isConnectionType(type) ? (
    <EditConnectionDialog type={forms[type]} current={query.data} onClose={onClose} />
  ) : (
    <UnknownConnectionDialog current={query.data} onClose={onClose} />
  )
}
