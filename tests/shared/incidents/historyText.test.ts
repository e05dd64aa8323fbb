import { type HistoryEvent, HistoryEventSchema, historyText } from '@watchroom/shared/incidents'
import { describe, expect, it } from 'vitest'

const buildEvent = (type: string, overrides: object = {}): HistoryEvent =>
  HistoryEventSchema.parse({ kind: 'history', id: type, type, ...overrides })

describe('historyText', () => {
  const hypothesis = { id: 'h', title: 'Queue is full' }
  it.each([
    { event: buildEvent('incident.created', { description: 'an id' }), text: 'created the incident' },
    {
      event: buildEvent('incident.status_updated', { description: 'mitigated' }),
      text: 'changed the status to Mitigated',
    },
    { event: buildEvent('incident_status.updated', { description: 'open' }), text: 'changed the status to Open' },
    {
      event: buildEvent('responder.created', { responder: { id: 'r', person: { id: 'b', name: 'Bo' } } }),
      text: 'added Bo as a responder',
    },
    { event: buildEvent('responder.commented'), text: 'commented as a responder' },
    {
      event: buildEvent('evidence.created', { evidence: { id: 'e', type: 'config_change', description: 'a patch' } }),
      text: 'added config change evidence “a patch”',
    },
    { event: buildEvent('evidence.done_definition_added'), text: 'added evidence to the definition of done' },
    { event: buildEvent('hypothesis.created', { hypothesis }), text: 'added the hypothesis “Queue is full”' },
    {
      event: buildEvent('hypothesis.status_updated', { hypothesis, description: 'proven' }),
      text: 'changed the status of the hypothesis “Queue is full” to Proven',
    },
    { event: buildEvent('playbook.ran', { description: 'restart' }), text: 'playbook ran “restart”' },
  ])('says "$text"', ({ event, text }) => {
    expect(historyText(event)).toBe(text)
  })
})
