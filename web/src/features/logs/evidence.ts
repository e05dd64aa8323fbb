import type { EvidenceDraft } from '../../api/incidentCreation.ts'
import type { LogLine } from '../../ui/log-view/createLogLines.ts'

/** Bytes of lines that a piece of evidence has room for: the backend takes 65,536 with all that belongs to it. */
const MAX_BYTES = 60_000

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

/** Why lines cannot be attached; undefined when they can. */
export function whyNotEvidence({ evidence }: EvidenceDraft): string | undefined {
  const bytes = new TextEncoder().encode(JSON.stringify(evidence)).length
  return bytes <= MAX_BYTES ? undefined : 'These lines are too long for one piece of evidence. Mark fewer.'
}
