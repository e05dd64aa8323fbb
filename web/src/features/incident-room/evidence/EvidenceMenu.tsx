import { Link as LinkIcon, Download, InfoSign } from '@blueprintjs/icons'
import type { EvidenceView } from '@watchroom/shared/collab'
import { type ReactNode, use, useState } from 'react'

import { useDisabledAreas } from '../../../api/featureFlags.tsx'
import { useSession } from '../../../api/session.tsx'
import { IconButton } from '../../../ui/IconButton.tsx'
import { EvidenceActions } from '../evidenceActions.ts'
import { EvidenceDetailsDialog } from './EvidenceDetailsDialog.tsx'
import { LinkToCatalogDialog } from './LinkToCatalogDialog.tsx'
import type { EvidenceDetails } from './queries.ts'
import { SnapshotDialog } from './SnapshotDialog.tsx'

interface EvidenceMenuProps {
  readonly evidence: EvidenceView
  readonly title: string
  readonly details: EvidenceDetails | undefined
}

/** Actions for what a piece of evidence is about. */
export function EvidenceMenu({ evidence, title, details }: EvidenceMenuProps): ReactNode {
  const { can } = useSession()
  const isCatalogHere = !useDisabledAreas().has('config')
  const renderActions = use(EvidenceActions)
  const [opened, setOpened] = useState<'details' | 'catalog' | 'snapshot' | null>(null)
  const close = (): void => setOpened(null)
  const { type, component_id: componentId } = evidence
  const component =
    type === 'topology' && componentId !== null ? { id: componentId, name: details?.components?.name ?? title } : null
  return (
    <>
      {renderActions(evidence)}
      {type === 'config_change' || type === 'config_analysis' ? (
        <IconButton
          size="small"
          icon={<InfoSign size={14} />}
          label={type === 'config_change' ? 'Show the change' : 'Show the insight'}
          onClick={() => setOpened('details')}
        />
      ) : null}
      {component && isCatalogHere && can('write', 'database') ? (
        <IconButton
          size="small"
          icon={<LinkIcon size={14} />}
          label="Link to catalog"
          onClick={() => setOpened('catalog')}
        />
      ) : null}
      {component ? (
        <IconButton
          size="small"
          icon={<Download size={14} />}
          label="Download snapshot"
          onClick={() => setOpened('snapshot')}
        />
      ) : null}
      {opened === 'details' ? <EvidenceDetailsDialog evidence={evidence} title={title} onClose={close} /> : null}
      {opened === 'catalog' && component ? <LinkToCatalogDialog component={component} onClose={close} /> : null}
      {opened === 'snapshot' && component ? (
        <SnapshotDialog subject={{ kind: 'topology', ...component }} onClose={close} />
      ) : null}
    </>
  )
}
