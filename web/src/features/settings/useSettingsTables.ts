import { useQueryClient } from '@tanstack/react-query'
import { settingsTopic } from '@watchroom/shared/protocol'
import type { SettingsResource, SettingsTable } from '@watchroom/shared/settings'
import { useMemo } from 'react'

import { useOnChange } from '../../live/useOnChange.ts'
import { useTopic } from '../../live/useTopic.ts'
import { settingsTables } from './settingsTables.ts'

/** The tables behind a definition. What was read of them is read again when someone saves, adds or deletes a row. */
export function useSettingsTables(definition: SettingsResource) {
  const queryClient = useQueryClient()
  const tables = useMemo(() => settingsTables(definition), [definition])
  const live = useTopic(settingsTopic, { table: definition.table as SettingsTable })
  useOnChange([live.rows], () => {
    void tables.list.invalidate(queryClient)
    void tables.one.invalidate(queryClient)
  })
  return { ...tables, live }
}
