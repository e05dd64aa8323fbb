import type { Migration } from '../platform/database/applyMigrations.ts'

/** What the topology was, in the gateway's schema. Forward only: a released entry never changes. */
export const TOPOLOGY_HISTORY_MIGRATIONS: readonly Migration[] = [
  {
    name: 'topology_history_0001_recordings',
    sql: `
-- Times in which someone looked all the time. What is between two of them was not recorded.
create table watchroom.topology_recording (
  started_at timestamptz primary key,
  seen_until timestamptz not null
);

-- How a component became. Health is null where it went away, from_health where it was not there before.
create table watchroom.topology_transition (
  at timestamptz not null,
  component_id uuid not null,
  health text,
  status text,
  reason text,
  from_health text,
  from_status text,
  primary key (at, component_id)
);
create index topology_transition_component on watchroom.topology_transition (component_id, at);

-- What a component was from then on.
create table watchroom.topology_structure (
  component_id uuid not null,
  at timestamptz not null,
  structure jsonb not null,
  primary key (component_id, at)
);

-- How all components were, by id: health, status, reason. Transitions since the newest one before it lead to any instant.
create table watchroom.topology_checkpoint (
  at timestamptz primary key,
  states jsonb not null
);

-- What was written in each hour, so that the oldest can go when there is too much.
create table watchroom.topology_history_hour (
  hour timestamptz primary key,
  bytes bigint not null
);
`,
  },
]
