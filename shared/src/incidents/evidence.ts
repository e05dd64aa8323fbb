import { z } from 'zod'

export const EVIDENCE_TYPES = [
  'log',
  'config',
  'topology',
  'check',
  'config_analysis',
  'config_change',
  'comment',
] as const
export type EvidenceType = (typeof EVIDENCE_TYPES)[number]
export const EvidenceTypeSchema = z.enum(EVIDENCE_TYPES)
