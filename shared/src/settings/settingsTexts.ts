// What the screens of settings say about a table. Apart from its definition, which every page loads for its menu.
import type { SettingsTable } from './resources/index.ts'
import type { SettingsResource } from './settingsResource.ts'

interface SettingsTexts {
  /** What the rows are for: a sentence for whoever finds none. */
  readonly purpose: string
  /** What deleting a row means: a sentence about "it". */
  readonly loss: string
  /** What whoever writes its spec should know. */
  readonly spec?: string
}

const TEXTS: Readonly<Record<SettingsTable, SettingsTexts>> = {
  canaries: {
    purpose: 'Health checks ask your services how they are, again and again.',
    loss: 'Its checks leave the board.',
  },
  config_scrapers: {
    purpose: 'Scrapers read clusters, clouds and files, and keep the catalog up to date with what they find.',
    loss: 'What it found stays in the catalog and is no longer updated.',
  },
  connections: {
    purpose: 'Connections hold the addresses and credentials that checks, playbooks and notifications use.',
    loss: 'Whatever names it no longer finds it.',
  },
  incident_rules: {
    purpose: 'Rules open an incident when a component that they select becomes unhealthy.',
    loss: 'It opens no more incidents; those that it opened stay.',
  },
  logging_backends: {
    purpose: 'Log backends say which systems hold logs and how to search them.',
    loss: 'Searches no longer find the logs that it holds.',
    spec: 'A query with templates is for other servers: here a place with a query is not asked. Labels of selectors and fields say what to find.',
  },
  teams: {
    purpose: 'Teams own components, are told what happens to them, and answer for incidents.',
    loss: 'It no longer owns components, and nothing is sent to it.',
  },
  topologies: {
    purpose: 'Topologies say which components there are, and what depends on what.',
    loss: 'Its components are no longer updated.',
  },
}

/** @param definition one of SETTINGS_RESOURCES */
export const settingsTexts = ({ table }: Pick<SettingsResource, 'table'>): SettingsTexts =>
  TEXTS[table as SettingsTable]
