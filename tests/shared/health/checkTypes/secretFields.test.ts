import { CHECK_SECRETS } from '@watchroom/shared/health/check-types'
import { expect, it } from 'vitest'

it('names the fields of each check type that hold credentials', () => {
  const { http, exec, postgres, redis, mongodb, tcp } = CHECK_SECRETS
  expect({ http, exec, postgres, redis, mongodb, tcp }).toEqual({
    http: { headers: 'headers', password: 'secret' },
    exec: { env: 'environment' },
    postgres: { password: 'secret' },
    redis: { password: 'secret' },
    mongodb: { password: 'secret' },
    tcp: {},
  })
})
