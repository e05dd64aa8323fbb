import type { EvidenceView } from '@watchroom/shared/collab'
import { EVIDENCE_TYPES, type EvidenceType } from '@watchroom/shared/incidents'

import type { EvidenceDetails } from './queries.ts'
import { readComment, readConfigPayload } from './readPayload.ts'

export const EVIDENCE_TYPE_NAMES: Record<EvidenceType, string> = {
  log: 'Logs',
  config: 'Config',
  topology: 'Topology',
  check: 'Check',
  config_analysis: 'Config insight',
  config_change: 'Config change',
  comment: 'Comment',
}

/** The title of a piece of evidence in lists, as far as its names are known. */
export function evidenceTitle(evidence: EvidenceView, details: EvidenceDetails | undefined): string {
  return nameOf(evidence, details) || evidence.description || EVIDENCE_TYPE_NAMES[evidence.type]
}

function nameOf(evidence: EvidenceView, details: EvidenceDetails | undefined): string | null | undefined {
  switch (evidence.type) {
    case 'log':
    case 'topology':
      return details?.components?.name
    case 'config':
      return details?.configs?.name ?? readConfigPayload(evidence.evidence).configName
    case 'check':
      return details?.checks?.name
    case 'config_change':
      return join(details?.config_changes?.change_type, details?.configs?.name)
    case 'config_analysis':
      return join(details?.config_analysis?.analyzer, details?.configs?.name)
    case 'comment':
      return readComment(evidence.evidence, evidence.description)
  }
}

function join(what: string | null | undefined, where: string | null | undefined): string {
  return [what, where].filter(Boolean).join(' on ')
}

/** Groups in the order of the types; types without evidence are left out. */
export function groupByType(evidence: readonly EvidenceView[]): { type: EvidenceType; evidence: EvidenceView[] }[] {
  return EVIDENCE_TYPES.map((type) => ({ type, evidence: evidence.filter((each) => each.type === type) })).filter(
    (group) => group.evidence.length > 0,
  )
}
