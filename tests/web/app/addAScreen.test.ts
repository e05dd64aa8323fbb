import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

const ROOT = join(import.meta.dirname, '../../..')
const HOW_TO = readFileSync(join(ROOT, 'docs/how-to/add-a-screen.md'), 'utf8')
const NAMED_FILES = [...HOW_TO.matchAll(/`([a-z-]+\/[\w./-]+\.(?:tsx?|css))`/g)].map(([, path = '']) => path)

describe('docs/how-to/add-a-screen.md', () => {
  it('names files that exist', () => {
    expect(NAMED_FILES.length).toBeGreaterThanOrEqual(12)
    expect(NAMED_FILES.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })
})
