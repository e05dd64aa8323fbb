import type { ColumnOf } from './fields.ts'

// Rows of the backend that an incident document stands for. Names and types are those of the tables. Each has the columns of its fields,
// of a type that nobody can use until it is said here.

export interface IncidentRow extends Record<ColumnOf<'incident'>, unknown> {
  id: string
  title: string
  description: string
  status: string
  severity: string
  type: string
  commander_id: string | null
}

export interface HypothesisRow extends Record<ColumnOf<'hypotheses'>, unknown> {
  id: string
  parent_id: string | null
  type: string
  title: string
  status: string
  created_by: string
  created_at: string
}

export interface EvidenceRow extends Record<ColumnOf<'dod'>, unknown> {
  id: string
  hypothesis_id: string
  type: string
  description: string
  config_id: string | null
  config_change_id: string | null
  config_analysis_id: string | null
  component_id: string | null
  check_id: string | null
  evidence: Record<string, unknown> | null
  properties: Record<string, unknown> | null
  definition_of_done: boolean
  done: boolean | null
  script: string | null
  created_by: string
  created_at: string
}

export interface CommentRow extends Record<ColumnOf<'comments'>, unknown> {
  id: string
  hypothesis_id: string | null
  comment: string
  created_by: string
  created_at: string
  external_created_by: string | null
  responder_id: string | null
}

/** Everything of one incident that is edited together. */
export interface IncidentRows {
  incident: IncidentRow
  hypotheses: HypothesisRow[]
  evidences: EvidenceRow[]
  comments: CommentRow[]
}
