import { CHECK_TYPES } from '@watchroom/shared/health/check-types'
import { SCRAPER_FAMILIES, toSpecJsonSchema } from '@watchroom/shared/specs'
import { expect, it } from 'vitest'

import { SCHEMA_FILES } from '../../../../gateway/src/embedded-backend/settings/schemaFiles.ts'

const lower = (prefix: string, names: readonly string[]) => names.map((name) => `${prefix}_${name.toLowerCase()}`)

it.each([
  ...['canary', 'topology', 'scrape_config'].flatMap((name) => [name, `${name}.spec`]),
  'playbook',
  'incident-rules',
  'logging_config',
  ...lower('config', Object.keys(SCRAPER_FAMILIES)),
  ...lower('health', CHECK_TYPES),
])('has a JSON Schema of %s', (name) => {
  const schema = SCHEMA_FILES.get(`${name}.schema.json`)
  expect(schema && toSpecJsonSchema(schema)).toMatchObject({ type: 'object' })
})

it('has resources as they are applied to a cluster', () => {
  const canary = SCHEMA_FILES.get('canary.schema.json')
  const applied = {
    apiVersion: 'canaries.flanksource.com/v1',
    kind: 'Canary',
    metadata: { name: 'shop', annotations: { team: 'pay' } },
    spec: { http: [{ name: 'home', url: 'https://example.org/' }] },
  }
  expect(canary?.safeParse(applied).error).toBeUndefined()
  expect(canary?.safeParse({ ...applied, kind: 'Topology' }).success).toBe(false)
  expect(canary?.safeParse({ ...applied, spec: { http: {} } }).success).toBe(false)
})
