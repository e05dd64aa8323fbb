import type { Component } from '@watchroom/shared/topology'

import type { EvidenceDraft } from '../api/incidentCreation.ts'

type ComponentState = Pick<Component, 'id'> & Partial<Pick<Component, 'health' | 'status'>>

/** A component as evidence, with its current state: nothing else will remember it. */
export const toComponentEvidence = ({ id, health, status }: ComponentState, description: string): EvidenceDraft => ({
  type: 'topology',
  component_id: id,
  description,
  evidence: { id, ...(health ? { health } : {}), ...(status ? { status } : {}) },
})
