import { describe, expect, it } from 'vitest'

import type { ErrorDefinition } from '../../gateway/src/platform/errors.ts'
import { readText } from './sources.ts'

const modules = import.meta.glob<Record<string, unknown>>(
  ['../../gateway/src/**/errors.ts', '!../../gateway/src/platform/errors.ts'],
  { eager: true },
)

/** Every definition with the file and the key it stands under. */
const definitions = Object.entries(modules).flatMap(([file, module]) =>
  Object.values(module)
    .filter((value) => typeof value === 'object' && value !== null)
    .flatMap((catalogue) => Object.entries(catalogue as Record<string, ErrorDefinition>))
    .map(([key, definition]) => ({ file, key, definition })),
)

/** Rows of the table: code and status. */
const documented = [
  ...readText('docs/errors.md').matchAll(/^\| ([A-Z][A-Z0-9_]+) +\| ([^|]+) \| [^|]+ \| [^|]+ \|$/gm),
].map(([, code = '', status = '']) => ({ code, status: status.trim() }))

describe('error catalogue', () => {
  it('is found: each capability has one', () => {
    expect(definitions.length).toBeGreaterThan(20)
  })

  it('names each error by its code, and no code twice', () => {
    expect(definitions.filter(({ key, definition }) => key !== definition.code)).toEqual([])
    const codes = definitions.map(({ key }) => key)
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  it('says for each error what the caller reads and with which status', () => {
    const incomplete = definitions.filter(
      ({ definition }) => definition.message === '' || definition.status < 400 || definition.status > 599,
    )
    expect(incomplete).toEqual([])
  })

  it('is explained on docs/errors.md: each code once, and nothing else', () => {
    const codes = definitions.map(({ key }) => key)
    expect(documented.map(({ code }) => code).toSorted((a, b) => a.localeCompare(b))).toEqual(
      codes.toSorted((a, b) => a.localeCompare(b)),
    )
  })

  it('has the documented status', () => {
    const differing = definitions
      .map(({ key, definition }) => ({
        key,
        is: definition.status,
        says: documented.find(({ code }) => code === key)?.status,
      }))
      .filter(({ is, says }) => says !== undefined && /^\d/.test(says) && says !== String(is))
    expect(differing).toEqual([])
  })
})
