// What the screens of settings say about a table. Apart from its definition, which every page loads for its menu.
import type { SettingsTable } from './resources/index.ts'
import type { SettingsResource } from './settingsResource.ts'

interface SettingsTexts {
  /** What the rows are for: the sentence of an empty list. */
  readonly purpose: string
  /** What deleting a row means: a sentence about "it". */
  readonly loss: string
  /** What authors of its spec should know. */
  readonly spec?: string
  /** Why no job runs its rows: a sentence, where none does. */
  readonly jobs?: string
}

const TEXTS: Readonly<Record<SettingsTable, SettingsTexts>> = {
  canaries: {
    purpose: 'Health checks test your services on a schedule.',
    loss: 'Its checks leave the board.',
  },
  config_scrapers: {
    purpose: 'Scrapers read clusters, clouds and files and keep the catalog up to date.',
    loss: 'Items it found stay in the catalog but are no longer updated.',
  },
  connections: {
    purpose: 'Connections hold the addresses and credentials that checks, playbooks and notifications use.',
    loss: 'Whatever uses it no longer finds it.',
  },
  incident_rules: {
    purpose: 'Rules open an incident when a selected component becomes unhealthy.',
    loss: 'It opens no more incidents. Existing incidents stay.',
    jobs: 'Rules act when a component changes, not on a schedule.',
  },
  logging_backends: {
    purpose: 'Log backends define where logs are stored and how to search them.',
    loss: 'Searches no longer find its logs.',
    spec: 'A query with templates is for other servers: here a place with a query is not asked. Labels of selectors and fields say what to find.',
    jobs: 'Log backends are read when someone searches, not on a schedule.',
  },
  teams: {
    purpose: 'Teams own components, are notified about them, and respond to incidents.',
    loss: 'It no longer owns components or receives notifications.',
  },
  topologies: {
    purpose: 'Topologies define components and how they depend on each other.',
    loss: 'Its components are no longer updated.',
  },
}

/** @param definition one of SETTINGS_RESOURCES */
export const settingsTexts = ({ table }: Pick<SettingsResource, 'table'>): SettingsTexts =>
  TEXTS[table as SettingsTable]
