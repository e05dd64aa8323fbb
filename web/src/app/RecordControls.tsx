import { DownloadSnapshot } from '../features/incident-room/evidence/DownloadSnapshot.tsx'
import { logsPath } from '../features/logs/logsPath.ts'
import { ViewLogs } from './ViewLogs.tsx'

interface RecordControlsProps {
  kind: 'topology' | 'catalog'
  row: { readonly id: string; readonly name: string }
}

/** What other areas bring to the page of a component or a config item. */
export function RecordControls({ kind, row }: RecordControlsProps) {
  return (
    <>
      {kind === 'topology' ? <ViewLogs path={logsPath({ topologyId: row.id })} /> : null}
      <DownloadSnapshot subject={{ kind: kind === 'catalog' ? 'config' : kind, ...row }} />
    </>
  )
}
