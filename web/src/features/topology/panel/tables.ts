import { z } from 'zod'

import { defineTable } from '../../../api/tables.ts'

// What hangs on a component, a table or view for each section of its panel (backend reference 5.6, 5.7, 5.10, 5.16).

const text = z.string().nullish().catch(null)
const ConfigSchema = z.object({ id: z.string(), name: text, type: text, config_class: text, deleted_at: text })
const CONFIG = 'id,name,type,config_class,deleted_at'

const ConfigLinkSchema = z.object({
  config_id: z.string(),
  selector_id: text,
  configs: ConfigSchema.extend({ health: text, status: text }).nullish().catch(null),
})
export type ConfigLink = z.infer<typeof ConfigLinkSchema>

export const configLinkTable = defineTable<ConfigLink>({
  name: 'config_component_relationships',
  row: ConfigLinkSchema,
  select: `config_id,selector_id,configs!config_component_relationships_config_id_fkey(${CONFIG},health,status)`,
  filter: 'deleted_at=is.null',
  key: 'config_id',
})

const ComponentChangeSchema = z.object({
  id: z.string(),
  config_id: z.string(),
  name: text,
  type: text,
  config_class: text,
  change_type: text,
  severity: text,
  created_at: text,
})
export type ComponentChange = z.infer<typeof ComponentChangeSchema>

export const changeTable = defineTable<ComponentChange>({
  name: 'changes_by_component',
  row: ComponentChangeSchema,
  select: Object.keys(ComponentChangeSchema.shape).join(),
})

const ComponentCheckSchema = z.object({
  id: z.string(),
  name: text,
  type: text,
  severity: text,
  status: text,
})
export type ComponentCheck = z.infer<typeof ComponentCheckSchema>

export const checkTable = defineTable<ComponentCheck>({
  name: 'checks_by_component',
  row: ComponentCheckSchema,
  select: Object.keys(ComponentCheckSchema.shape).join(),
})

const TeamLinkSchema = z.object({
  team_id: z.string(),
  role: text,
  teams: z.object({ id: z.string(), name: text, icon: text }).nullish().catch(null),
})
export type TeamLink = z.infer<typeof TeamLinkSchema>

export const teamTable = defineTable<TeamLink>({
  name: 'team_components',
  row: TeamLinkSchema,
  select: 'team_id,role,teams(id,name,icon)',
  key: 'team_id',
})

const ComponentInsightSchema = z.object({
  id: z.string(),
  analyzer: text,
  analysis_type: text,
  severity: text,
  summary: text,
  message: text,
  last_observed: text,
  config: ConfigSchema.nullish().catch(null),
})
export type ComponentInsight = z.infer<typeof ComponentInsightSchema>

/** Of the items that are linked to a component. */
export const insightTable = defineTable<ComponentInsight>({
  name: 'rpc/lookup_analysis_by_component',
  row: ComponentInsightSchema,
  // What is filtered by has to be selected: the database sees of a function only the columns that are asked for.
  select: `id,status,analyzer,analysis_type,severity,summary,message,last_observed,config:configs(${CONFIG})`,
  filter: 'status=eq.open',
})
