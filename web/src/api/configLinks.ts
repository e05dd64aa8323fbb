import { z } from 'zod'

import { request } from './request.ts'

/**
 * Links an item by hand. The table holds one link per pair, and keeps that of a selector, marked as deleted, when the selector
 * no longer matches the item. Whatever link is there, deleted or not, is taken over.
 */
export async function linkConfig(configId: string, componentId: string): Promise<void> {
  await request('/api/db/config_component_relationships?on_conflict=component_id,config_id', {
    method: 'POST',
    headers: { prefer: 'resolution=merge-duplicates,return=representation' },
    body: { component_id: componentId, config_id: configId, selector_id: 'manual', deleted_at: null },
    schema: z.unknown(),
  })
}

/** Removes a link that someone made; selectors would create theirs again. */
export async function unlinkConfig(configId: string, componentId: string): Promise<void> {
  const [config, component] = [encodeURIComponent(configId), encodeURIComponent(componentId)]
  const which = `component_id=eq.${component}&config_id=eq.${config}&selector_id=eq.manual`
  await request(`/api/db/config_component_relationships?${which}`, { method: 'DELETE', schema: z.unknown() })
}
