import { CanarySpecSchema, CheckSpecSchema } from '@watchroom/shared/health/check-types'
import { LogBackendSpecSchema } from '@watchroom/shared/logs'
import { PlaybookSpecSchema } from '@watchroom/shared/playbooks'
import { RuleSpecSchema, SCRAPER_FAMILIES, ScraperSpecSchema, TopologySpecSchema } from '@watchroom/shared/specs'
import { z } from 'zod'

/** As it is applied to a cluster: the spec with its name around it. */
const resource = (kind: string, spec: z.ZodType): z.ZodType =>
  z.looseObject({
    apiVersion: z.string(),
    kind: z.literal(kind),
    metadata: z.looseObject({
      name: z.string(),
      namespace: z.string().optional(),
      labels: z.record(z.string(), z.string()).optional(),
    }),
    spec,
  })

/**
 * Files below `/schemas/`, as other consoles ask for them (backend reference 4.12). Connections, components and notifications have no spec
 * here that one could be made from.
 */
export const SCHEMA_FILES: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>(
  Object.entries({
    canary: resource('Canary', CanarySpecSchema),
    'canary.spec': CanarySpecSchema,
    topology: resource('Topology', TopologySpecSchema),
    'topology.spec': TopologySpecSchema,
    scrape_config: resource('ScrapeConfig', ScraperSpecSchema),
    'scrape_config.spec': ScraperSpecSchema,
    playbook: resource('Playbook', PlaybookSpecSchema),
    'incident-rules': RuleSpecSchema,
    logging_config: LogBackendSpecSchema,
    ...named('config', SCRAPER_FAMILIES),
    ...named('health', CheckSpecSchema),
  }).map(([name, schema]) => [`${name}.schema.json`, schema]),
)

function named(prefix: string, schemas: Readonly<Record<string, z.ZodType>>): Record<string, z.ZodType> {
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`${prefix}_${name.toLowerCase()}`, schema]),
  )
}
