import { useQueryClient } from '@tanstack/react-query'
import type { Config, RelatedConfig } from '@watchroom/shared/catalog'
import { configRelationshipsTopic, configsTopic, type RelatedAt } from '@watchroom/shared/protocol'
import { useRef } from 'react'

import { relationshipKeys } from '../../api/queryKeys.ts'
import { useThrottled } from '../../live/useOnBurst.ts'
import { useOnChange } from '../../live/useOnChange.ts'
import { useTopic } from '../../live/useTopic.ts'

const NO_PARAMS = {}

/** By item: a different text means that what the page shows of it changed. */
type Signs = ReadonlyMap<string, string>

const toSigns = (related: readonly RelatedAt[], configs: readonly Config[]): Signs =>
  new Map([
    ...related.map(({ config_id: id, at }) => [`edge ${id}`, at] as const),
    ...configs.map(
      ({ id, updated_at, deleted_at, changes }) => [id, JSON.stringify([updated_at, deleted_at, changes])] as const,
    ),
  ])

/**
 * Reads the relationships of an item again when one of the related items gains or loses a relationship, or changes.
 *
 * @param rows what is related to it
 */
export function useLiveRelationships(configId: string, rows: readonly RelatedConfig[]): void {
  const queryClient = useQueryClient()
  const related = useTopic(configRelationshipsTopic, NO_PARAMS)
  const configs = useTopic(configsTopic, NO_PARAMS)
  const known = useRef<Signs | null>(null)
  const readAgain = useThrottled(() => void queryClient.invalidateQueries({ queryKey: relationshipKeys.all(configId) }))
  useOnChange([related.rows, configs.rows, related.state, configs.state], () => {
    // What there was before says nothing new.
    if (related.state !== 'live' || configs.state !== 'live') return
    const before = known.current
    known.current = toSigns(related.rows, configs.rows)
    if (before === null) return
    const isNew = (id: string): boolean => {
      const sign = known.current?.get(id)
      return sign !== undefined && sign !== before.get(id)
    }
    if ([configId, ...rows.map(({ id }) => id)].some((id) => isNew(id) || isNew(`edge ${id}`))) readAgain()
  })
}
