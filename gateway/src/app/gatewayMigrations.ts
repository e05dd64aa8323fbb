import { COLLAB_MIGRATIONS } from '../collab/migrations.ts'
import { HOSTED_MIGRATIONS } from '../hosted/migrations.ts'
import type { Migration } from '../platform/database/applyMigrations.ts'
import { TOPOLOGY_HISTORY_MIGRATIONS } from '../topology-history/migrations.ts'
import { WALL_MIGRATIONS } from '../wall/migrations.ts'

/** Everything that the gateway keeps, whichever part of it a database is for. */
export const GATEWAY_MIGRATIONS: readonly Migration[] = [
  ...COLLAB_MIGRATIONS,
  ...WALL_MIGRATIONS,
  ...HOSTED_MIGRATIONS,
  ...TOPOLOGY_HISTORY_MIGRATIONS,
]
