import { Button, DialogBody, DialogFooter } from '@blueprintjs/core'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'

import { errorText } from '../../../../api/request.ts'
import { SizedDialog } from '../../../../ui/SizedDialog.tsx'
import { showErrorToast, showToast } from '../../../../ui/toaster.ts'
import { SearchPicker } from '../link/SearchPicker.tsx'
import { configSearchQuery, linkToConfig } from './queries.ts'

interface LinkToCatalogDialogProps {
  readonly component: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Ties a component to a config item, by hand. */
export function LinkToCatalogDialog({ component, onClose }: LinkToCatalogDialogProps): ReactNode {
  const [search, setSearch] = useState('')
  const [configId, setConfigId] = useState('')
  const query = useQuery({ ...configSearchQuery(search), placeholderData: keepPreviousData })
  const link = useMutation({
    mutationFn: () => linkToConfig(component.id, configId),
    onError: (error) => showErrorToast(errorText(error)),
    onSuccess: () => {
      showToast('config link successful')
      onClose()
    },
  })
  return (
    <SizedDialog
      isOpen
      size="small"
      onClose={onClose}
      title={`Link ${component.name} to catalog`}
      className="incident-dialog"
    >
      <DialogBody>
        <SearchPicker
          legend="Config item"
          placeholder="Search for config item"
          search={search}
          onSearch={setSearch}
          isLoading={query.isFetching}
          failure={query.isError ? errorText(query.error) : null}
          emptyText="There are no config items matching this criteria"
          options={(query.data ?? []).map(({ id, name, type }) => ({ id, label: name ?? id, detail: type }))}
          value={configId}
          onChange={setConfigId}
        />
      </DialogBody>
      <DialogFooter
        actions={
          <>
            <Button text="Cancel" onClick={onClose} />
            <Button
              intent="primary"
              text="Link"
              disabled={configId === ''}
              loading={link.isPending}
              onClick={() => link.mutate()}
            />
          </>
        }
      />
    </SizedDialog>
  )
}
