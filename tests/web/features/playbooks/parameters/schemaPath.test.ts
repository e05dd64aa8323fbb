import { expect, it } from 'vitest'

import { toSchemaPath } from '../../../../../web/src/features/playbooks/parameters/schemaPath.ts'

const ORIGIN = 'https://watchroom.example.org'

it.each([
  ['/schemas/playbook-spec.schema.json', '/api/schemas/playbook-spec.schema.json'],
  ['/api/schemas/topology.schema.json', '/api/schemas/topology.schema.json'],
  [`${ORIGIN}/schemas/topology.schema.json?v=2`, '/api/schemas/topology.schema.json'],
  ['schemas/topology.schema.json', '/api/schemas/topology.schema.json'],
  ['https://evil.example.org/schemas/topology.schema.json', null],
  ['//evil.example.org/schemas/topology.schema.json', null],
  ['http://watchroom.example.org/schemas/topology.schema.json', null],
  ['/schemas/../db/people.json', null],
  ['/schemas/%2e%2e/db/people', null],
  ['/api/db/connections', null],
  ['javascript:alert(1)', null],
  ['https://', null],
  ['', null],
])('reads the schema %s from %s', (address, path) => {
  expect(toSchemaPath(address, ORIGIN)).toBe(path)
})
