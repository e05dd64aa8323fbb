import type { Parameter } from '@watchroom/shared/playbooks'
import { describe, expect, it } from 'vitest'

import { fillParameters } from '../../../../gateway/src/embedded-backend/playbooks/fillParameters.ts'

const memory: Parameter = { name: 'memory', default: 512, properties: { format: 'bytes' } }
const fill = (parameter: Parameter, given: Record<string, string> = {}) =>
  fillParameters([parameter], given, {}, () => {
    throw new Error('nothing here is a template')
  })

describe('a memory parameter', () => {
  it('counts its default in Mi where it has no unit, also when nobody is there to choose one', async () => {
    expect(await fill(memory)).toMatchObject({ ok: true, value: { shown: { memory: '512Mi' } } })
  })

  it('guesses no unit of what was asked for', async () => {
    expect(await fill(memory, { memory: '512' })).toEqual({
      ok: false,
      error: 'memory: Must be a number with Mi, Gi or Ti',
    })
  })
})
