import { describe, expect, it } from 'vitest'

import { parseConfig } from '../../../gateway/src/app/config.ts'
import { toProgramRules } from '../../../gateway/src/app/programRules.ts'

const rules = (env: Record<string, string>) => toProgramRules(parseConfig(env, []), env)

describe('toProgramRules', () => {
  it('lets administrators alone save programs unless the operator says otherwise', () => {
    expect(rules({})).toMatchObject({ savers: 'admin' })
    expect(rules({}).refusal).toBeUndefined()
    expect(rules({ WATCHROOM_EXEC: 'on' })).toMatchObject({ savers: 'editor' })
  })

  it('runs none where the operator says so, or where people do not sign in, whatever else is said', () => {
    expect(rules({ WATCHROOM_EXEC: 'off' })).toMatchObject({ savers: 'admin', refusal: expect.stringContaining('off') })
    expect(rules({ WATCHROOM_EXEC: 'on', WATCHROOM_AUTH: 'none' })).toMatchObject({
      savers: 'nobody',
      refusal: 'people do not sign in (WATCHROOM_AUTH=none)',
    })
  })

  it('hides the files that hold secrets', () => {
    const file = new URL(import.meta.url).pathname
    expect(toProgramRules(parseConfig({}, []), { DATABASE_URL_FILE: file }).hidden).toEqual([file])
  })
})
