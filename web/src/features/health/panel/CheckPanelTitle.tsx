import { type CheckSummary, toCheckTitle, toHealth } from '@watchroom/shared/health'

import { StatusGlyph } from '../../../ui/StatusGlyph.tsx'
import { CheckTypeIcon } from '../components/CheckTypeIcon.tsx'

interface CheckPanelTitleProps {
  check: CheckSummary
  agentName: string | null
}

/** Icon, name, health, and where the check lives: namespace, endpoint, agent. */
export function CheckPanelTitle({ check, agentName }: CheckPanelTitleProps) {
  const namespace = check.namespace || check.canary_namespace
  return (
    <>
      <div className="check-panel-name">
        <CheckTypeIcon type={check.type} size={18} />
        <h2>{toCheckTitle(check)}</h2>
        <StatusGlyph status={toHealth(check)} />
      </div>
      <div className="check-panel-tags">
        {namespace ? <Tag name="Namespace" value={namespace} /> : null}
        {agentName ? <Tag name="Agent" value={agentName} /> : null}
        <Tag name="Type" value={check.type} />
        {check.endpoint ? (
          <span className="check-endpoint wr-mono" title={check.endpoint}>
            {check.endpoint}
          </span>
        ) : null}
      </div>
    </>
  )
}

function Tag({ name, value }: { name: string; value: string }) {
  return (
    <span className="health-tag">
      <span className="health-tag-name">{name}</span> {value}
    </span>
  )
}
