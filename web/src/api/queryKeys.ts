// Every key of the query cache, in one list, so that no two parts of the product use the same key for different things and a change
// can name what it makes stale. Keys for rows of tables are in `tables.ts`, those for live topics in `shared/protocol`.

export const aboutKey = ['about'] as const
export const backendFactsKey = ['backend-facts'] as const
export const ownCredentialKey = ['own-credential'] as const
export const propertiesKey = ['properties'] as const
export const agentsKey = ['agents', 'names'] as const

export const componentsKey = ['components', 'names'] as const
export const peopleKey = ['people'] as const
export const personSessionsKey = (id: string) => ['people', id, 'sessions'] as const
export const accessTokensKey = ['access-tokens'] as const
export const resourceSearchKey = (text: string, kinds: readonly string[]) =>
  ['resources', 'search', text, kinds] as const
export const outboxKey = ['outbox'] as const
export const notificationKeys = {
  silencePreview: (about: Readonly<Record<string, string>>, recursive: boolean) =>
    ['notifications', 'silence-preview', about, recursive] as const,
  anyTransition: ['notifications', 'transitions'] as const,
  transitions: (resource: string, event: string, limit: number, offset: number) =>
    ['notifications', 'transitions', 'list', resource, event, limit, offset] as const,
  explanation: (id: string) => ['notifications', 'transitions', 'one', id] as const,
}
export const topologyKeys = {
  chosen: (id: string, asked: readonly string[], limit: number) => ['topology', 'chosen', id, asked, limit] as const,
  choices: (id: string) => ['topology', 'choices', id] as const,
  names: (ids: readonly string[]) => ['topology', 'names', ids] as const,
  stored: (id: string) => ['topology', 'stored', id] as const,
  bursts: (id: string, isHiddenShown: boolean) => ['topology', 'bursts', id, isHiddenShown] as const,
  related: (table: string, id: string) => ['topology', 'related', table, id] as const,
}
export const topologyHistoryKeys = {
  page: (id: string, at: number, choice: readonly string[], limit: number) =>
    ['topology-history', 'page', id, at, choice, limit] as const,
  transitions: (id: string, from: number, to: number) => ['topology-history', 'transitions', id, from, to] as const,
  near: (id: string, from: number, to: number, at: number) =>
    ['topology-history', 'transitions', id, from, to, at] as const,
  diff: (id: string, from: number, to: number, limit: number) =>
    ['topology-history', 'diff', id, from, to, limit] as const,
  incidents: (of: readonly string[] | 'all', from: number, to: number) =>
    ['topology-history', 'incidents', of, from, to] as const,
  changes: (of: readonly string[] | 'all', from: number, to: number) =>
    ['topology-history', 'changes', of, from, to] as const,
}
export const jobNamesKey = ['job-names'] as const
export const teamKeys = {
  options: ['team', 'options'] as const,
  members: (teamId: string) => ['team', teamId, 'members'] as const,
  components: (teamId: string) => ['team', teamId, 'components'] as const,
}

export const sessionKeys = {
  all: ['session'] as const,
  user: ['session', 'user'] as const,
  roles: (userId: string) => ['session', 'roles', userId] as const,
}

export const organizationsKey = ['organizations'] as const

export const identityKeys = {
  demoOffer: ['identity', 'demo-offer'] as const,
  flowError: (id: string) => ['identity', 'flow-error', id] as const,
  ownSessions: ['identity', 'own-sessions'] as const,
  sessionVerdict: (returnTo: string | undefined) => ['identity', 'session-verdict', returnTo] as const,
}

export const checkKeys = {
  detail: (checkId: string) => ['check', checkId, 'detail'] as const,
  canary: (canaryId: string) => ['canary', canaryId, 'spec'] as const,
  /** Everything that a new result changes. */
  results: (checkId: string) => ['check', checkId, 'results'] as const,
  latest: (checkId: string) => [...checkKeys.results(checkId), 'latest'] as const,
  graph: (checkId: string, rangeId: string) => [...checkKeys.results(checkId), 'graph', rangeId] as const,
  history: (checkId: string, ask: Readonly<Record<string, unknown>>) =>
    [...checkKeys.results(checkId), 'history', ask] as const,
  run: (checkId: string) => ['check', checkId, 'run'] as const,
}

export const canaryKeys = {
  checks: (id: string) => ['canaries', id, 'checks'] as const,
}

export const insightKeys = {
  all: ['insights'] as const,
  detail: (id: string) => ['insights', id] as const,
  analyzers: ['insights', 'analyzers', 'names'] as const,
}

export const catalogListKeys = {
  list: (address: string) => ['catalog', 'list', address] as const,
  summary: (ask: Readonly<Record<string, unknown>>) => ['catalog', 'summary', ask] as const,
  /** What can be chosen. */
  options: (view: string) => ['catalog', 'options', view] as const,
}

export const incidentKeys = {
  row: (id: string) => ['incidents', 'row', id] as const,
  hypotheses: (id: string, text: string) => ['incidents', id, 'hypotheses', text] as const,
  respondingTeams: ['incidents', 'teams-of-responders'] as const,
  ticketSystems: (type: string) => ['incidents', 'ticket-systems', type] as const,
  ticketSystem: (id: string | null) => ['incidents', 'ticket-system', id] as const,
}

export const evidenceKeys = {
  details: (ids: readonly string[]) => ['incidents', 'evidence-details', ids.join(',')] as const,
  changesSince: (configId: string, at: string) => ['incidents', 'changes-since', configId, at] as const,
  configChange: (id: string) => ['incidents', 'config-change', id] as const,
  configAnalysis: (id: string) => ['incidents', 'config-analysis', id] as const,
  configSearch: (text: string) => ['incidents', 'config-search', text] as const,
  checkThen: (checkId: string, at: string) => ['incidents', 'check-then', checkId, at] as const,
}

export const playbookKeys = {
  ofTarget: (kind: string, id: string) => ['playbooks', 'of', kind, id] as const,
  /** @param status of the step */
  result: (actionId: string, status: string) => ['playbooks', 'result', actionId, status] as const,
  files: (actionId: string) => ['playbooks', 'files', actionId] as const,
  health: (kind: string, id: string, from: number) => ['playbooks', 'health', kind, id, from] as const,
  parameters: (id: string, target: string) => ['playbooks', id, 'parameters', target] as const,
  options: (kind: string, text: string, filter: string) => ['playbooks', 'options', kind, text, filter] as const,
  schema: (path: string) => ['playbooks', 'schema', path] as const,
}

export const configChangeKeys = {
  lists: ['config-changes', 'list'] as const,
  list: (ask: object) => [...configChangeKeys.lists, ask] as const,
  one: (id: string) => ['config-changes', 'one', id] as const,
  histories: ['config-changes', 'history'] as const,
  historiesOf: (configId: string) => [...configChangeKeys.histories, configId] as const,
  history: (configId: string, limit: number) => [...configChangeKeys.historiesOf(configId), limit] as const,
  /** What else happened in a time range. */
  events: (view: string, from: number, to: number) => ['config-changes', 'events', view, from, to] as const,
  /** What can be chosen in a filter. */
  options: (view: string) => ['config-changes', 'options', view] as const,
  names: (ids: readonly string[]) => ['config-changes', 'names', ids] as const,
}

/** @param start what is asked about */
export const whatChangedKey = (start: object) => ['what-changed', start] as const

export const configItemKeys = {
  detail: (id: string) => ['config-item', id, 'detail'] as const,
  /** @param updatedAt another one is another content */
  content: (id: string, updatedAt: string | null | undefined) => ['config-item', id, 'content', updatedAt] as const,
  names: (ids: readonly string[]) => ['config-item', 'names', ids] as const,
  components: (id: string) => ['config-item', id, 'components'] as const,
  componentSearch: (text: string) => ['config-item', 'component-search', text] as const,
  checks: (id: string) => ['config-item', id, 'checks'] as const,
}

export const relationshipKeys = {
  /** Everything that was asked about an item. */
  all: (configId: string) => ['relationships', configId] as const,
  related: (configId: string, path: string) => [...relationshipKeys.all(configId), path] as const,
}

export const logKeys = {
  components: ['logs', 'components'] as const,
  selectors: (componentId: string) => ['logs', 'selectors', componentId] as const,
  noisiest: (ids: readonly string[]) => ['logs', 'noisiest', ids] as const,
}

export const wallKeys = { boards: ['wall', 'boards'] as const, links: ['wall', 'links'] as const }

export const connectionOptionKeys = { all: ['connection-options'] as const }

/** Who saved a version of a row. */
export const savedByKey = (table: string, id: string, revision: string | null) =>
  ['saved-by', table, id, revision] as const
