import type { SearchKind } from '@watchroom/shared/resources'

/** Where resources of one kind are, as SQL over the row `r`. */
export interface ResourceSource {
  readonly from: string
  readonly name: string
  readonly namespace: string
  readonly type: string
  /** Rows that are still there. */
  readonly live: string
  /** What of it `search` compares, in the words of its index where it has one. */
  readonly words: string
  /** Of kinds that agents push. */
  readonly agent?: string
  readonly icon?: string
  readonly status?: string
  readonly alias?: string
  /** What an answer shows as tags. */
  readonly tags?: string
  readonly labels?: string
  readonly scope?: string
  /** Columns that a field selector may name; any other field is a property, where the kind has them. */
  readonly fields?: Readonly<Record<string, string>>
  /** Holds several values: each counts. */
  readonly listField?: { readonly name: string; readonly column: string }
  readonly properties?: string
  /** Of two that match equally well this decides, before the length of the name. */
  readonly urgency?: string
}

export const RESOURCE_SOURCES: Readonly<Record<SearchKind, ResourceSource>> = {
  checks: {
    from: 'checks r left join canaries on canaries.id = r.canary_id',
    name: 'r.name',
    namespace: 'coalesce(r.namespace, canaries.namespace)',
    type: 'r.type',
    live: 'r.deleted_at is null',
    words: 'watchroom_internal.search_vector(r.name, null, r.labels)',
    agent: 'r.agent_id',
    icon: 'r.icon',
    status: 'r.status',
    tags: 'r.labels',
    labels: 'r.labels',
    scope: 'r.canary_id',
  },
  components: {
    from: 'components r',
    name: 'r.name',
    namespace: 'r.namespace',
    type: 'r.type',
    live: 'r.deleted_at is null',
    words: 'watchroom_internal.search_vector(r.name, null, r.labels)',
    agent: 'r.agent_id',
    icon: 'r.icon',
    status: 'r.status',
    tags: 'r.labels',
    labels: 'r.labels',
    scope: 'r.topology_id',
    fields: {
      owner: 'r.owner',
      topology_type: 'r.topology_type',
      topology_id: 'r.topology_id::text',
      parent_id: 'r.parent_id::text',
      type: 'r.type',
    },
    properties: 'r.properties',
  },
  configs: {
    from: 'config_items r',
    name: 'r.name',
    namespace: `r.tags ->> 'namespace'`,
    type: 'r.type',
    live: 'r.deleted_at is null',
    words: 'watchroom_internal.search_vector(r.name, r.tags, r.labels)',
    agent: 'r.agent_id',
    icon: 'r.icon',
    status: 'r.status',
    tags: 'r.tags',
    labels: 'r.labels',
    scope: 'r.scraper_id',
    fields: { config_class: 'r.config_class' },
    listField: { name: 'external_id', column: 'r.external_id' },
    properties: 'r.properties',
  },
  incidents: {
    from: 'incidents r',
    name: 'r.title',
    namespace: `''`,
    type: 'r.type',
    live: 'true',
    words: `watchroom_internal.search_vector(r.title || ' ' || r.incident_id, null, null)`,
    status: 'r.status',
    alias: 'r.incident_id',
    urgency: `(r.status = 'closed')::int`,
  },
  playbooks: {
    from: 'playbooks r',
    name: `coalesce(nullif(r.title, ''), r.name)`,
    namespace: 'r.namespace',
    type: 'r.category',
    live: 'r.deleted_at is null',
    words: `watchroom_internal.search_vector(r.title || ' ' || r.name, null, null)`,
    icon: 'r.icon',
  },
  people: {
    from: 'people r',
    name: `coalesce(nullif(r.name, ''), r.email)`,
    namespace: `''`,
    type: 'r.type',
    // What has no address is no person: the system, and accounts behind the tokens of agents.
    live: `r.deleted_at is null and r.type is distinct from 'agent' and r.email <> ''`,
    words: `watchroom_internal.search_vector(r.name || ' ' || coalesce(r.email, ''), null, null)`,
    icon: 'r.avatar',
    alias: 'r.email',
  },
  // Name and type alone: what a connection holds is nobody's to find.
  connections: {
    from: 'connections r',
    name: 'r.name',
    namespace: 'r.namespace',
    type: 'r.type',
    live: 'r.deleted_at is null',
    words: `watchroom_internal.search_vector(r.name || ' ' || r.type, null, null)`,
  },
}
