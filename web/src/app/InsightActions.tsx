import type { InsightDetail } from '../features/insights/queries.ts'
import { toPlainText } from '../ui/html/toPlainText.ts'
import { AttachEvidence } from './AttachEvidence.tsx'

/** Characters of the message used as a description. */
const MAX_WORDS = 200

/** Incident actions for an insight. */
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
        // The status now: nothing else will remember it.
        ...(status ? { evidence: { status } } : {}),
      }}
    />
  )
}
