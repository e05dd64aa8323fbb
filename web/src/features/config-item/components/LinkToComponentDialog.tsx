import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { ConfigDetail } from '@watchroom/shared/catalog'
import { useState } from 'react'
import { z } from 'zod'

import { linkConfig } from '../../../api/configLinks.ts'
import { configItemKeys } from '../../../api/queryKeys.ts'
import { FormDialog } from '../../../ui/dialog/FormDialog.tsx'
import { OPTION_LOOKUP_MS, PickField } from '../../../ui/form/PickField.tsx'
import { useForm } from '../../../ui/form/useForm.ts'
import { showToast } from '../../../ui/toaster.ts'
import { componentSearchQuery } from '../queries.ts'

interface LinkToComponentDialogProps {
  item: Pick<ConfigDetail, 'id' | 'name'>
  onClose: () => void
}

/** Ties an item to a component, by hand. */
export function LinkToComponentDialog({ item, onClose }: LinkToComponentDialogProps) {
  const queryClient = useQueryClient()
  const [search, setSearch] = useState('')
  const query = useQuery(componentSearchQuery(search))
  const form = useForm({
    schema: z.object({ componentId: z.string() }),
    initial: { componentId: '' },
    save: ({ componentId }) => linkConfig(item.id, componentId),
    onSaved: () => {
      showToast('config link successful')
      onClose()
      void queryClient.invalidateQueries({ queryKey: configItemKeys.components(item.id) })
    },
  })
  return (
    <FormDialog
      form={form}
      title={`Link ${item.name ?? item.id} to…`}
      action="Link"
      isDisabled={form.values.componentId === ''}
      isQuick
      onClose={onClose}
    >
      <PickField
        label="Component"
        placeholder="Search for component"
        search={search}
        onSearch={setSearch}
        debounceMs={OPTION_LOOKUP_MS}
        query={query}
        emptyText="There are no components matching this criteria"
        options={(query.data ?? []).map(({ id, name, type }) => ({ id, label: name ?? id, detail: type }))}
        {...form.field('componentId')}
      />
    </FormDialog>
  )
}
