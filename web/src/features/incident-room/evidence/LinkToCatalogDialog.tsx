import { keepPreviousData, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { z } from 'zod'

import { linkConfig } from '../../../api/configLinks.ts'
import { tableKeys } from '../../../api/tables.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { PickField } from '../../../ui/form/PickField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { configSearchQuery } from './queries.ts'

interface LinkToCatalogDialogProps {
  readonly component: { readonly id: string; readonly name: string }
  readonly onClose: () => void
}

/** Ties a component to a config item, by hand. */
export function LinkToCatalogDialog({ component, onClose }: LinkToCatalogDialogProps): ReactNode {
  const queryClient = useQueryClient()
  const [search, setSearch] = useState('')
  const query = useQuery({ ...configSearchQuery(search), placeholderData: keepPreviousData })
  const form = useForm({
    schema: z.object({ configId: z.string() }),
    initial: { configId: '' },
    save: ({ configId }) => linkConfig(configId, component.id),
    onSaved: () => {
      showToast('config link successful')
      onClose()
      void queryClient.invalidateQueries({ queryKey: tableKeys.all('config_component_relationships') })
    },
  })
  return (
    <FormDialog
      form={form}
      title={`Link ${component.name} to catalog`}
      action="Link"
      isDisabled={form.values.configId === ''}
      isQuick
      onClose={onClose}
    >
      <PickField
        label="Config item"
        placeholder="Search for config item"
        search={search}
        onSearch={setSearch}
        query={query}
        emptyText="There are no config items matching this criteria"
        options={(query.data ?? []).map(({ id, name, type }) => ({ id, label: name ?? id, detail: type }))}
        {...form.field('configId')}
      />
    </FormDialog>
  )
}
