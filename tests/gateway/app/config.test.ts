import { describe, expect, it } from 'vitest'

import { ConfigError, helpText, isHelpRequested, parseConfig, SETTINGS } from '../../../gateway/src/app/config.ts'

function problemsOf(env: Record<string, string>, argv: string[] = []): readonly string[] {
  try {
    parseConfig(env, argv)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

describe('parseConfig', () => {
  it('needs nothing: every setting is optional or has a default', () => {
    const config = parseConfig({}, [])
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      profile: 'demo',
      adminEmail: 'admin@watchroom.local',
      logLevel: 'warn',
      auth: 'session',
    })
    expect(config.dataDirectory).toMatch(/^\/.*\.watchroom$/)
    expect(config.backendUrl).toBeUndefined()
  })

  it('prefers an option to its variable, in both spellings', () => {
    const env = { WATCHROOM_PORT: '4000', WATCHROOM_HOST: '0.0.0.0' }
    expect(parseConfig(env, ['--port', '5000']).port).toBe(5000)
    expect(parseConfig(env, ['--port=5001']).port).toBe(5001)
    expect(parseConfig(env, []).host).toBe('0.0.0.0')
  })

  it('takes an empty variable for an unset one', () => {
    expect(parseConfig({ BACKEND_URL: '', WATCHROOM_PORT: '' }, [])).toMatchObject({
      backendUrl: undefined,
      port: 3000,
    })
  })

  it('names every bad value at once, by the name it was given', () => {
    const problems = problemsOf(
      {
        BACKEND_URL: 'localhost:8080',
        WATCHROOM_PROFILE: 'huge',
        DATABASE_URL: 'mysql://x',
        WATCHROOM_ADMIN_PASSWORD: 'short',
      },
      ['--port', '70000', '--wrong', '--host'],
    )
    expect(new Set(problems.map((problem) => problem.split(':')[0]))).toEqual(
      new Set([
        '--host',
        '--port',
        '--wrong',
        'BACKEND_URL',
        'DATABASE_URL',
        'WATCHROOM_ADMIN_PASSWORD',
        'WATCHROOM_PROFILE',
      ]),
    )
    expect(problems.join('\n')).not.toContain('short')
  })

  it('takes the next option for an option, not for a value', () => {
    expect(problemsOf({}, ['--data', '--port', '3001'])).toEqual(['--data: needs a value'])
  })

  it.each(['http://backend:8080', 'https://example.test/base', 'unix:/run/backend.sock'])(
    'accepts %s as backend',
    (url) => {
      expect(parseConfig({ BACKEND_URL: url }, []).backendUrl).toBe(url)
    },
  )

  it('drops the slash at the end of the backend address', () => {
    expect(parseConfig({ BACKEND_URL: 'http://backend/base/' }, []).backendUrl).toBe('http://backend/base')
  })

  it.each(['ftp://backend', 'unix:relative.sock', 'http://backend?x=1', 'backend'])('refuses %s as backend', (url) => {
    expect(problemsOf({ BACKEND_URL: url })).toHaveLength(1)
  })

  it('reads the ranges of trusted proxies and refuses what is not one', () => {
    const ranges = parseConfig({ WATCHROOM_TRUSTED_PROXY: '127.0.0.1, 10.0.0.0/8,fd00::/8' }, []).trustedProxy
    expect(ranges).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8'])
    expect(problemsOf({ WATCHROOM_TRUSTED_PROXY: 'true' })).toHaveLength(1)
    expect(problemsOf({ WATCHROOM_TRUSTED_PROXY: '10.0.0.0/33' })).toHaveLength(1)
  })

  it('reads how long an agent counts as online, the specification says 61 s', () => {
    expect(parseConfig({}, []).agentOfflineAfterMs).toBe(61_000)
    expect(parseConfig({ WATCHROOM_AGENT_OFFLINE_AFTER: '2m' }, []).agentOfflineAfterMs).toBe(120_000)
    for (const text of ['61', 'soon', '10ms', '25h']) {
      expect(problemsOf({ WATCHROOM_AGENT_OFFLINE_AFTER: text })).toHaveLength(1)
    }
  })

  it('gives a value that nobody can change afterwards', () => {
    expect(Object.isFrozen(parseConfig({}, []))).toBe(true)
  })
})

describe('helpText', () => {
  it('names every option and variable with its meaning and default', () => {
    const text = helpText()
    for (const setting of Object.values(SETTINGS)) {
      expect(text).toContain(setting.env)
      expect(text).toContain(setting.doc)
    }
    expect(text).toMatch(/--port <value>, WATCHROOM_PORT .*\(default 3000\)/)
  })

  it('offers secrets through the environment only', () => {
    const secrets = Object.values(SETTINGS).filter((setting) => /PASSWORD|TOKEN|URL/.test(setting.env))
    expect(secrets.length).toBeGreaterThan(3)
    expect(secrets.filter((setting) => 'option' in setting)).toEqual([])
  })

  it('is asked for with --help and -h', () => {
    expect([['--help'], ['-h'], ['--port', '1']].map(isHelpRequested)).toEqual([true, true, false])
  })
})
