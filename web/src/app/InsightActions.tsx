import type { InsightDetail } from '../features/insights/queries.ts'
import { toPlainText } from '../ui/html/toPlainText.ts'
import { AttachEvidence } from './AttachEvidence.tsx'

/** Of the description that the evidence begins with. */
const MAX_WORDS = 200

/** What incidents bring to an insight. */
export function InsightActions({ insight }: { insight: InsightDetail }) {
  const { id, config, analyzer, message, summary, status } = insight
  const text = summary || toPlainText(message ?? '').slice(0, MAX_WORDS) || 'Insight'
  return (
    <AttachEvidence
      command="Link to incident"
      evidence={{
        type: 'config_analysis',
        ...(config ? { config_id: config.id } : {}),
        config_analysis_id: id,
        description: analyzer ? `${analyzer}: ${text}` : text,
        // How it stands now: later nothing else remembers that.
        ...(status ? { evidence: { status } } : {}),
      }}
    />
  )
}
