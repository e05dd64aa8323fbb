// What shows in the page whether someone has a right: controls that change something, by the resource that they change, and parts that
// tell of something, by the resource that they read. Rendered for every role by tests/web/app/controls.test.tsx, and held against the
// sources by tests/architecture/controls.test.ts.
import { CHECK_ROUTES, type PolicyObject, type Resource, type RouteAccess } from '@watchroom/shared/access'
import { placeOf, SETTINGS_RESOURCES, type SettingsTable } from '@watchroom/shared/settings'

/** Of every row in the world of these pages. */
export const ID = '018f0000-0000-7000-8000-0000000000a1'

export interface Control {
  /** Address of its page. */
  readonly at: string
  /** A pattern where the name says more than the title. */
  readonly name: string | RegExp
  /** A field is offered where it can be changed. Default: `button`. */
  readonly as?: 'button' | 'field' | 'figure' | 'link' | 'menuitem' | 'note' | 'region'
  /** The button that opens what it stands in. */
  readonly behind?: string
  /** Of another backend's policy, where it is not that of the resource. */
  readonly object?: PolicyObject
  /** The file of `web/src` that asks for the right. */
  readonly asks: string
  /** What those read who may not; it is not there for them otherwise. */
  readonly refusal?: string
}

/** Why no control of a page asks for it. */
interface NoControl {
  readonly none: string
}

type SettingsControls = readonly [Control, Control, Control]

/** The list of a table of settings, the form that adds a row, and the form of a row. */
function settingsOf(table: SettingsTable): SettingsControls {
  const definition = SETTINGS_RESOURCES[table]
  const place = placeOf(definition)
  const about = definition.object === undefined ? {} : { object: definition.object }
  return [
    { at: place, name: `Add ${definition.noun}`, asks: 'features/settings/screens/SettingsListScreen.tsx', ...about },
    {
      at: `${place}/new`,
      // Its button may be off until something is entered.
      name: 'Name',
      as: 'field',
      refusal: `Your role can view ${definition.nouns} but not change them.`,
      asks: 'features/settings/screens/NewSettingsScreen.tsx',
      ...about,
    },
    { at: `${place}/${ID}`, name: 'Delete', asks: 'features/settings/screens/SettingsScreen.tsx', ...about },
  ]
}

/** Of the component that an agent pushed. */
export const PUSHED_ID = '018f0000-0000-7000-8000-0000000000a2'

const COMPONENT = `/topology/${ID}`
const ITEM = `/catalog/${ID}`
const CHECK = `/health?checkId=${ID}`
const ROOM = `/incidents/${ID}`
const RUN = `/playbooks/runs/${ID}`
const ADD_INTEGRATION = '/settings/integrations?add=true'
const ACTIONS = 'app/ComponentActions.tsx'

/** What is behind the button with the dots of a component. */
const componentAction = (name: string): Control => ({
  at: COMPONENT,
  name,
  as: 'menuitem',
  behind: 'Actions for shop',
  asks: ACTIONS,
})

const integration = (title: string): Control => ({
  at: ADD_INTEGRATION,
  // Settings have places of the same titles, without a word of what they are for.
  name: new RegExp(`^${title}.`),
  as: 'link',
  asks: 'features/integrations/AddIntegrationDialog.tsx',
})

export const WRITE_CONTROLS: Readonly<Record<Resource, readonly [Control, ...Control[]] | NoControl>> = {
  database: [
    ...settingsOf('teams'),
    ...settingsOf('incident_rules'),
    {
      at: `/settings/teams/${ID}?tab=members`,
      name: 'Add members',
      object: 'public',
      asks: 'features/teams/TeamMembers.tsx',
    },
    { at: ITEM, name: 'Link to…', asks: 'features/config-item/components/LinkedComponents.tsx' },
    { at: ITEM, name: 'Delete config link to shop', asks: 'features/config-item/components/LinkedComponents.tsx' },
    componentAction('Link to catalog'),
    {
      at: `${COMPONENT}?panel=catalog`,
      name: 'Delete config link to shop',
      asks: 'features/topology/panel/CatalogSection.tsx',
    },
    {
      at: '/settings/event-queue-status?event=check.failed',
      name: 'Drop all',
      asks: 'features/event-queue/FailedEvents.tsx',
    },
    {
      at: '/kubeconfig',
      name: 'Download kubeconfig',
      asks: 'app/KubeconfigSteps.tsx',
      refusal: 'Only editors and administrators can download it.',
    },
  ],
  rbac: { none: 'Roles are given in the form of a person, which asks for identities.' },
  auth: { none: 'Everyone signs in, and changes the account that is their own.' },
  responder: [{ at: ROOM, name: 'Add responder', asks: 'features/incident-room/responders/Responders.tsx' }],
  incident: [
    { at: '/incidents', name: 'Create New Incident', asks: 'features/incident-list/components/IncidentList.tsx' },
    { at: ROOM, name: 'Title of the incident', as: 'field', asks: 'collab/IncidentRoomProvider.tsx' },
    { at: ITEM, name: 'Link to incident', asks: 'app/AttachEvidence.tsx' },
    { at: CHECK, name: 'Attach as Evidence', asks: 'app/AttachEvidence.tsx' },
    componentAction('Link to incident'),
  ],
  evidences: [
    {
      at: `${ROOM}?panel=definition-of-done`,
      name: 'Add definition of done',
      asks: 'collab/IncidentRoomProvider.tsx',
    },
  ],
  comments: [{ at: ROOM, name: 'Remove comment', asks: 'collab/IncidentRoomProvider.tsx' }],
  canaries: [
    { at: '/settings/canaries', name: 'Add check', asks: 'features/settings/screens/SettingsListScreen.tsx' },
    {
      at: '/settings/canaries/new?type=http',
      name: 'Other kinds of checks',
      asks: 'features/canaries/screens/NewCanaryScreen.tsx',
    },
    { at: `/settings/canaries/${ID}`, name: 'Delete', asks: 'features/canaries/screens/CanaryScreen.tsx' },
    { at: '/health', name: 'Add check', as: 'link', asks: 'features/health-board/components/HealthBoard.tsx' },
    { at: CHECK, name: 'Edit', asks: 'features/check-panel/components/CheckPanelFooter.tsx' },
    { at: '/wall/boards', name: 'New board', asks: 'features/wallboard/screens/BoardsScreen.tsx' },
  ],
  topologies: [
    ...settingsOf('topologies'),
    { at: `/settings/topologies/${ID}`, name: 'Run now', asks: 'features/topologies/RunTopology.tsx' },
    componentAction('Hide component'),
    integration('Custom Topology'),
  ],
  config_scrapers: [
    ...settingsOf('config_scrapers'),
    { at: `/catalog/scrapers/${ID}`, name: 'Run now', asks: 'features/scrapers/RunScraper.tsx' },
    integration('Catalog Scraper'),
  ],
  identities: [
    { at: '/settings/users', name: 'Invite User', asks: 'features/users/screens/UsersScreen.tsx' },
    { at: '/settings/users', name: 'Actions for Ada Byron', asks: 'features/users/screens/UsersScreen.tsx' },
  ],
  connections: [
    {
      at: '/settings/connections',
      name: 'Add connection',
      asks: 'features/connections/screens/ConnectionsScreen.tsx',
    },
    {
      at: '/settings/connections?new=pick',
      name: 'HTTP',
      asks: 'features/connections/components/ConnectionDialogs.tsx',
    },
    { at: `/settings/connections?id=${ID}`, name: 'Save', asks: 'features/connections/useEditedConnection.ts' },
  ],
  kratos: { none: 'What the identity service keeps, nobody changes but through its flows.' },
  agents: [
    { at: '/settings/agents', name: 'Create new agent', asks: 'features/agents/components/AgentList.tsx' },
    { at: `/settings/agents?id=${ID}`, name: 'Save', asks: 'features/agents/components/AgentList.tsx' },
  ],
  feature_flags: [
    {
      at: '/settings/feature-flags',
      name: 'Add feature flag',
      asks: 'features/feature-flags/screens/FeatureFlagsScreen.tsx',
    },
    {
      at: '/settings/feature-flags?name=shop.limit',
      name: 'Remove',
      asks: 'features/feature-flags/screens/FeatureFlagsScreen.tsx',
    },
  ],
  logging_backends: [...settingsOf('logging_backends'), integration('Log Backends')],
  integrations: [
    {
      at: '/settings/integrations',
      name: 'Add Integration',
      asks: 'features/integrations/IntegrationsScreen.tsx',
    },
  ],
  notifications: [
    {
      at: '/settings/notifications',
      name: 'Add notification',
      asks: 'features/notifications/screens/NotificationsScreen.tsx',
    },
    {
      at: `/settings/notifications?id=${ID}`,
      name: 'Update',
      asks: 'features/notifications/screens/NotificationsScreen.tsx',
    },
    {
      at: '/settings/notifications/silence',
      name: 'Silence',
      asks: 'features/notifications/screens/SilenceScreen.tsx',
    },
    {
      at: `/settings/notifications/history?id=${ID}`,
      name: 'Resend',
      asks: 'features/notifications/screens/HistoryScreen.tsx',
    },
  ],
  playbooks: [
    { at: '/playbooks', name: 'New playbook', asks: 'features/playbooks/screens/PlaybooksScreen.tsx' },
    { at: '/playbooks', name: 'Run shop', asks: 'features/playbooks/screens/PlaybooksScreen.tsx' },
    { at: '/playbooks', name: 'Actions for shop', asks: 'features/playbooks/screens/PlaybooksScreen.tsx' },
    { at: '/playbooks/new', name: 'Save', asks: 'features/playbooks/screens/NewPlaybookScreen.tsx' },
    { at: `/playbooks/${ID}`, name: 'Delete', asks: 'features/playbooks/screens/PlaybookScreen.tsx' },
    { at: `/playbooks/${ID}`, name: 'Run', asks: 'features/playbooks/screens/PlaybookScreen.tsx' },
    {
      at: `/playbooks/runs?playbook=${ID}`,
      name: 'Edit Playbook',
      asks: 'features/playbooks/screens/PlaybookRunsScreen.tsx',
    },
  ],
  playbook_runs: [
    { at: RUN, name: 'Re-run playbook', asks: 'features/playbooks/screens/PlaybookRunScreen.tsx' },
    { at: RUN, name: 'Cancel run', asks: 'features/playbooks/components/RunControls.tsx' },
    { at: RUN, name: 'Approve', asks: 'features/playbooks/components/WaitingForPeople.tsx' },
    { at: RUN, name: '1 needs approval', asks: 'app/Shell.tsx' },
    { at: ITEM, name: 'Playbooks', asks: 'features/playbooks/components/TargetPlaybooks.tsx' },
    componentAction('Run playbook'),
  ],
}

/** Controls that ask whether a call may be made, by that call: their pages say which resource is read, and nothing else is asked. */
export const ROUTE_CONTROLS: readonly (Control & { readonly access: RouteAccess })[] = [
  { at: CHECK, name: 'Run Now', asks: 'features/check-panel/components/RunCheck.tsx', access: CHECK_ROUTES.run.access },
]

const section = (title: string, asks: string): Control => ({
  at: COMPONENT,
  // How many it has stands behind it.
  name: new RegExp(`^${title}`),
  asks,
})
const PANEL = 'features/topology/panel/ComponentPanel.tsx'
const SECTIONS = 'features/topology/componentSections.ts'
const DETAILS = 'features/topology/panel/ComponentDetails.tsx'
const HISTORY = 'collab/SettingsHistory.tsx'
const TABS = 'features/config-item/configTabs.ts'

/** Parts of pages that are there for whoever may read something else than the page needs: panels, tabs, names, entries of menus. */
export const READ_PARTS: Partial<Readonly<Record<Resource, readonly Control[]>>> = {
  database: [
    { at: COMPONENT, name: 'View Logs', object: 'logs', asks: 'app/ViewLogs.tsx' },
    { ...componentAction('View Logs'), object: 'logs' },
    componentAction('What changed'),
    { at: ITEM, name: 'What changed', asks: 'app/WhatChanged.tsx' },
    section('Catalog', PANEL),
    section('Changes', PANEL),
    section('Teams', PANEL),
    section('Insights', PANEL),
    { at: COMPONENT, name: 'web of shop', as: 'link', asks: DETAILS },
    {
      at: ROOM,
      name: 'rule of shop',
      as: 'link',
      object: 'incident',
      asks: 'features/incident-room/components/OpeningRule.tsx',
    },
  ],
  incident: [section('Incidents', SECTIONS)],
  canaries: [section('Checks', SECTIONS), { at: ITEM, name: /^Checks/, as: 'link', asks: TABS }],
  topologies: [
    { at: COMPONENT, name: 'estate of shop', as: 'link', asks: DETAILS },
    { at: '/catalog/insights', name: 'Component', as: 'field', asks: 'features/insights/components/InsightTable.tsx' },
  ],
  config_scrapers: [
    { at: '/catalog', name: 'Scrapers', as: 'link', asks: 'app/CatalogFrame.tsx' },
    { at: '/catalog', name: 'Open scrapers', as: 'link', asks: 'features/catalog-list/screens/CatalogScreen.tsx' },
    { at: ITEM, name: 'files of shop', as: 'link', asks: 'features/config-item/components/ConfigFacts.tsx' },
  ],
  connections: [{ at: `/settings/connections?id=${ID}`, name: 'History', asks: HISTORY }],
  agents: [
    { at: '/topology', name: 'Agent', as: 'field', asks: 'features/topology/useAgents.ts' },
    { at: `/topology/${PUSHED_ID}`, name: 'edge', as: 'link', asks: DETAILS },
  ],
  notifications: [
    {
      at: CHECK,
      name: /Notifications are silenced/,
      as: 'note',
      asks: 'features/check-panel/components/SilencedNotice.tsx',
    },
    { at: `/settings/notifications?id=${ID}`, name: 'History', asks: HISTORY },
    { at: RUN, name: /shop/, as: 'figure', asks: 'features/playbooks/components/ImpactStrip.tsx' },
  ],
  playbook_runs: [
    section('Playbook runs', 'app/TopologyPage.tsx'),
    // The sidebar has playbooks, too, and no number of runs.
    { at: ITEM, name: /^Playbooks.*2/, as: 'link', asks: TABS },
    {
      at: RUN,
      name: 'Files of restart',
      as: 'region',
      object: 'artifact',
      asks: 'features/playbooks/components/StepFiles.tsx',
    },
  ],
}

/** Files that ask for a right to read and are asked about elsewhere. */
export const PARTS_ELSEWHERE: Readonly<Record<string, string>> = {
  'api/useMayRead.ts': 'Asks for whoever uses it.',
  'app/RootFrame.tsx': 'Whole screens, which are visited beside the parts.',
  'app/navigation.ts': 'Each entry is asked about in tests/web/app/navigation.test.ts.',
  'app/palette/places.ts':
    'The entries of the sidebar, and the screens that they lead to: tests/web/app/palette/places.test.ts.',
  'app/palette/resourcePlaces.tsx': 'What is typed leads to it: tests/web/app/palette/Palette.test.tsx.',
  'app/palette/usePaletteItems.tsx': 'What is typed leads to it: tests/web/app/palette/Palette.test.tsx.',
  'collab/settingsVersions.ts': 'Who saved meanwhile, in a form that asks for the same right.',
  'features/catalog-changes/laneQueries.ts':
    'Marks between times: tests/web/features/catalog-changes/swimlane.test.tsx.',
  'features/integrations/IntegrationsScreen.tsx': 'Nothing that can be seen: the list is read again.',
  'features/settings/screens/SettingsListScreen.tsx': 'Nothing that can be seen: the list is read again.',
  'features/topology-history/screens/PastScreen.tsx': 'Marks between times: tests/web/app/PastTopology.test.tsx.',
}

/** Files that ask for a right to write and are asked about elsewhere. */
export const ELSEWHERE: Readonly<Record<string, string>> = {
  'app/CredentialNotice.tsx':
    'Shown above all pages while something is wrong: tests/web/app/CredentialNotice.test.tsx.',
  'app/palette/places.ts': 'The pages that it leads to ask for the same right.',
  'app/MakeIncident.tsx': 'Several components have to become different: tests/web/app/componentEvidence.test.tsx.',
  'features/canaries/components/ConnectionField.tsx': 'What is offered to choose from, in a form that is read-only.',
  'features/notifications/components/RuleFields.tsx': 'What is offered to choose from, in a form that is read-only.',
  'features/incident-room/evidence/EvidenceMenu.tsx':
    'Evidence has to be of a component: tests/web/features/incident-room/evidence/EvidenceDialogs.test.tsx.',
}

/** Resources that no screen is read by. */
export const READ_ELSEWHERE: Partial<Record<Resource, string>> = {
  rbac: 'GET /rbac/dump is for scripts.',
  auth: 'Everyone reads the account that is their own.',
  responder: 'Part of the room of an incident.',
  evidences: 'Part of the room of an incident.',
  comments: 'Part of the room of an incident.',
  kratos: 'Read by the identity service alone.',
}
