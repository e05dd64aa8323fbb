import type { PresencePage } from '@watchroom/shared/protocol'
import type { ReactNode } from 'react'

import { PresenceAvatars } from './PresenceAvatars.tsx'
import { usePagePeers } from './usePagePeers.ts'

/** Of the width that the title of an editor leaves. */
const MAX_SHOWN = 5

/** Faces of those who have the same page open, and by that this tab is one of theirs. Goes beside the title of a page of one row. */
export function PagePeers({ page, id }: { page: PresencePage; id: string }): ReactNode {
  return <PresenceAvatars peers={usePagePeers(page, id)} max={MAX_SHOWN} />
}
