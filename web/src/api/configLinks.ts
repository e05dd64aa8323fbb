import { z } from 'zod'

import { request } from './request.ts'

/** Undoes a link that someone made; those that selectors make come back by themselves. */
export async function unlinkConfig(configId: string, componentId: string): Promise<void> {
  const [config, component] = [encodeURIComponent(configId), encodeURIComponent(componentId)]
  const which = `component_id=eq.${component}&config_id=eq.${config}&selector_id=eq.manual`
  await request(`/api/db/config_component_relationships?${which}`, { method: 'DELETE', schema: z.unknown() })
}
