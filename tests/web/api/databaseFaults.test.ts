import { describe, expect, it } from 'vitest'

import { toDatabaseFaults } from '../../../web/src/api/databaseFaults.ts'

describe('toDatabaseFaults', () => {
  // As PostgREST passes them on, without values: tests/gateway/embedded-backend/refusedFields.integration.test.ts.
  it.each([
    ['23505', 'duplicate key', 'Key (name)=(…) already exists.', 'name', 'This name is already used'],
    [
      '23505',
      'duplicate key',
      'Key (agent_id, name, namespace)=(…) already exists.',
      'name',
      'This name is already used in this namespace',
    ],
    ['23505', 'duplicate key', 'Key (lower(email))=(…) already exists.', 'email', 'This value is already used'],
    [
      '23502',
      'null value in column "spec" of relation "logging_backends" violates not-null constraint',
      'Failing row contains (…).',
      'spec',
      'This field is required',
    ],
    [
      '23514',
      'new row for relation "hypotheses" violates check constraint "hypotheses_type_check"',
      'Failing row contains (…).',
      'type',
      'This value is not allowed',
    ],
    [
      '23514',
      'spec.file.1.password: no secret is stored here that *** could stand for. Enter it.',
      null,
      'spec',
      'file.1.password: no secret is stored here that *** could stand for. Enter it.',
    ],
    ['23514', 'labels: at most 100 are kept, these are 101', null, 'labels', 'at most 100 are kept, these are 101'],
  ])('names the field of %s: %s', (code, message, details, field, words) => {
    expect(toDatabaseFaults({ code, message, details })).toEqual([{ field, message: words }])
  })

  it.each([
    ['23505', 'duplicate key value violates unique constraint "x"', null],
    ['23502', 'a not-null constraint in another language', null],
    ['23514', 'new row for relation "a" violates check constraint "odd"', 'Failing row contains (…).'],
    ['23514', 'One call may change at most 100 rows: nothing was changed.', null],
    ['42501', 'name: permission denied', null],
    [undefined, undefined, undefined],
  ])('leaves %s %s to a toast', (code, message, details) => {
    expect(toDatabaseFaults({ code, message, details })).toEqual([])
  })
})
