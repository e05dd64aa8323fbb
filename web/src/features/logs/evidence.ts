import type { EvidenceDraft } from '../../api/incidentCreation.ts'
import type { LogLine } from '../../ui/log-view/createLogLines.ts'

interface MarkedLog {
  readonly component: { readonly id: string; readonly name: string }
  readonly selector: string
  readonly lines: readonly LogLine[]
}

/** Marked lines as evidence, in the shape that every console reads. The ids lead back to them. */
export function toLogEvidence({ component, selector, lines }: MarkedLog): EvidenceDraft {
  return {
    type: 'log',
    component_id: component.id,
    description: [component.name, selector].filter(Boolean).join(': '),
    evidence: {
      lines: lines
        .filter(({ isRemark }) => !isRemark)
        .map(({ id, at, text, labels }) => ({ id, timestamp: at, message: text, labels })),
      selector,
    },
  }
}
