// Tests of a connection by the clock, where someone switched them on. What sends a message is never tested by itself.
import { ownValue } from '../../kernel/index.ts'
import { type ConnectionField, choice } from './connectionField.ts'
import type { ConnectionRow } from './connectionRow.ts'
import type { ConnectionType } from './connectionType.ts'
import { CONNECTION_TYPES, type ConnectionTypeName } from './types/index.ts'

const MINUTE_MS = 60_000

/** How often, as rows say it. */
const INTERVALS: Readonly<Record<string, number>> = {
  '5m': 5 * MINUTE_MS,
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '6h': 360 * MINUTE_MS,
  '1d': 1_440 * MINUTE_MS,
}

/** The property of a row that says how often it is tested. */
const TEST_EVERY = 'testEvery'

const FIELD: ConnectionField = choice(TEST_EVERY, 'Test regularly', Object.keys(INTERVALS), {
  isRequired: false,
  placeholder: 'Off',
  help: 'The list shows in red when a test fails.',
})

const withField = (type: ConnectionType): ConnectionType =>
  type.test === 'connect' ? { ...type, fields: [...type.fields, FIELD] } : type

/** Every type with what its form shows where connections are tested by the clock. */
export const CONNECTION_FORMS = Object.fromEntries(
  Object.entries(CONNECTION_TYPES).map(([name, type]) => [name, withField(type)]),
) as Readonly<Record<ConnectionTypeName, ConnectionType>>

/** How often a row is tested, as it says so; null for one that is tested by hand alone. */
export function testEveryOf({ type, properties }: { readonly type: string } & ConnectionRow): string | null {
  const every = ownValue(properties, TEST_EVERY)
  const isTested = ownValue<ConnectionType>(CONNECTION_TYPES, type)?.test === 'connect'
  return isTested && typeof every === 'string' && Object.hasOwn(INTERVALS, every) ? every : null
}

/** The same in milliseconds. */
export function testEveryMs(row: Parameters<typeof testEveryOf>[0]): number | null {
  const every = testEveryOf(row)
  return every === null ? null : (ownValue(INTERVALS, every) ?? null)
}
