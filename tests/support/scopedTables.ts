/**
 * Tables whose rows newer servers hide (backend reference 14.2), each under all of its names. There some follow others; here each is
 * hidden alone, too.
 */
export const NAMES_OF = {
  canaries: ['canaries'],
  checks: ['checks'],
  components: ['components'],
  config_analysis: ['config_analysis'],
  config_changes: ['config_changes', 'catalog_changes'],
  config_items: ['config_items', 'configs', 'config_detail'],
  playbook_runs: ['playbook_runs'],
  playbooks: ['playbooks'],
} as const satisfies Record<string, readonly string[]>
export type ScopedTable = keyof typeof NAMES_OF
export const SCOPED_TABLES = Object.keys(NAMES_OF) as ScopedTable[]
