import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { CHECK_TYPES, isRunnableType } from '@watchroom/shared/health/check-types'
import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../../..')
const HOW_TO = readFileSync(join(ROOT, 'docs/how-to/add-a-check-type.md'), 'utf8')
const NAMED_FILES = [...HOW_TO.matchAll(/`([a-z-]+\/[\w./-]+\.ts)`/g)].map(([, path = '']) => path)

describe('check type files', () => {
  it.each(CHECK_TYPES)('%s has its schema and, where the product runs it, its runner in a file of its name', (type) => {
    expect(existsSync(join(ROOT, `shared/src/health/checkTypes/${type}.ts`))).toBe(true)
    expect(existsSync(join(ROOT, `gateway/src/check-runner/types/${type}.ts`))).toBe(isRunnableType(type))
  })

  it('are where docs/how-to/add-a-check-type.md says', () => {
    expect(NAMED_FILES.length).toBeGreaterThanOrEqual(6)
    expect(NAMED_FILES.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
