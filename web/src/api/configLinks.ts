import { z } from 'zod'

import { request } from './request.ts'

/**
 * Links by hand. A link that a selector made stays in the table when the selector means the item no longer, only marked as
 * deleted, and there is room for one link of the two: it is taken over. So is one that is there.
 */
export async function linkConfig(configId: string, componentId: string): Promise<void> {
  await request('/api/db/config_component_relationships?on_conflict=component_id,config_id', {
    method: 'POST',
    headers: { prefer: 'resolution=merge-duplicates,return=representation' },
    body: { component_id: componentId, config_id: configId, selector_id: 'manual', deleted_at: null },
    schema: z.unknown(),
  })
}

/** Undoes a link that someone made; those that selectors make come back by themselves. */
export async function unlinkConfig(configId: string, componentId: string): Promise<void> {
  const [config, component] = [encodeURIComponent(configId), encodeURIComponent(componentId)]
  const which = `component_id=eq.${component}&config_id=eq.${config}&selector_id=eq.manual`
  await request(`/api/db/config_component_relationships?${which}`, { method: 'DELETE', schema: z.unknown() })
}
