import { ownValue } from '../kernel/index.ts'
import type { HistoryEvent } from './incidentEvent.ts'
import { toLabel } from './labels.ts'

const quoted = (text: string | null | undefined): string => (text ? ` “${text}”` : '')

/** Event types in words, with what the event is about as far as that still exists. */
const TEXTS: Record<string, { label: string; text: (event: HistoryEvent) => string }> = {
  'incident.created': { label: 'Incident created', text: () => 'created the incident' },
  'incident.status_updated': {
    label: 'Status changed',
    text: ({ description }) => `changed the status${description ? ` to ${toLabel(description)}` : ''}`,
  },
  'responder.created': {
    label: 'Responder added',
    text: ({ responder }) => {
      const name = responder?.person?.name ?? responder?.team?.name
      return `added ${name ? `${name} as a responder` : 'a responder'}`
    },
  },
  'responder.commented': { label: 'Responder commented', text: () => 'commented as a responder' },
  'evidence.created': {
    label: 'Evidence added',
    text: ({ evidence }) =>
      `added ${evidence ? `${toLabel(evidence.type).toLowerCase()} ` : ''}evidence${quoted(evidence?.description)}`,
  },
  'evidence.done_definition_added': {
    label: 'Definition of done extended',
    text: ({ evidence }) => `added evidence${quoted(evidence?.description)} to the definition of done`,
  },
  'hypothesis.created': {
    label: 'Hypothesis added',
    text: ({ hypothesis }) => `added the hypothesis${quoted(hypothesis?.title)}`,
  },
  'hypothesis.status_updated': {
    label: 'Hypothesis status changed',
    text: ({ hypothesis, description }) =>
      `changed the status of the hypothesis${quoted(hypothesis?.title)}${description ? ` to ${toLabel(description)}` : ''}`,
  },
}

/** Some backends write the first event type under its second name. */
const ALIASES: Record<string, string> = { 'incident_status.updated': 'incident.status_updated' }

/** The type of an event under its first name; empty when it has none. */
export function historyType({ type }: Pick<HistoryEvent, 'type'>): string {
  return ownValue(ALIASES, type ?? '') ?? type ?? ''
}

/** A type in words for people; made from its name when nobody here knows it yet. */
export function historyLabel(type: string): string {
  return ownValue(TEXTS, type)?.label ?? toLabel(type.replaceAll('.', ' '))
}

/** What follows the author's name. A type nobody knows yet is shown as it is. */
export function historyText(event: HistoryEvent): string {
  const type = historyType(event)
  return ownValue(TEXTS, type)?.text(event) ?? `${historyLabel(type).toLowerCase()}${quoted(event.description)}`
}
