import type { PresencePage } from '@watchroom/shared/protocol'
import type { ReactNode } from 'react'

import { PresenceAvatars } from './PresenceAvatars.tsx'
import { usePagePeers } from './usePagePeers.ts'

/** As many as fit beside the title of an editor. */
const MAX_SHOWN = 5

/** Faces of those who have the same page open; it also makes this tab visible to them. Belongs beside the title of a page about one row. */
export function PagePeers({ page, id }: { page: PresencePage; id: string }): ReactNode {
  return <PresenceAvatars peers={usePagePeers(page, id)} max={MAX_SHOWN} />
}
