import { SilencedNotice } from '../features/check-panel/components/SilencedNotice.tsx'
import { aboutTree } from '../features/check-panel/queries.ts'

interface SilencedResourceProps {
  column: 'component_id' | 'config_id'
  id: string
  /** Ids of what is above it. */
  path: string | null | undefined
}

/** That nobody is told of a component or a config item at the moment. */
export const SilencedResource = ({ column, id, path }: SilencedResourceProps) => (
  <SilencedNotice about={aboutTree(column, id, path ?? null)} />
)
