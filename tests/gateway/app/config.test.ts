import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { describe, expect, it, onTestFinished } from 'vitest'

import { warningsOf } from '../../../gateway/src/app/announce.ts'
import {
  ConfigError,
  helpText,
  isDemo,
  isEmbedded,
  isHelpRequested,
  isLocalOnly,
  parseConfig,
  SETTINGS,
} from '../../../gateway/src/app/config.ts'

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
    const env = { WATCHROOM_PORT: '4000', WATCHROOM_HOST: '0.0.0.0', WATCHROOM_PROFILE: 'empty' }
    expect(parseConfig(env, ['--port', '5000']).port).toBe(5000)
    expect(parseConfig(env, ['--port=5001']).port).toBe(5001)
    expect(parseConfig(env, []).host).toBe('0.0.0.0')
  })

  it('lets the demo listen on this machine, and elsewhere only when someone says so', () => {
    for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost']) {
      expect(parseConfig({}, ['--host', host]).profile).toBe('demo')
    }
    for (const host of ['0.0.0.0', '::', '192.0.2.1', 'watchroom.example', '127.0.0.1.example']) {
      expect(problemsOf({}, ['--host', host])).toEqual([expect.stringMatching(/^--profile: demo .*--demo-anyway$/)])
      expect(parseConfig({}, ['--host', host, '--demo-anyway']).demoAnyway).toBe(true)
      expect(parseConfig({ WATCHROOM_DEMO_ANYWAY: 'on' }, ['--host', host]).host).toBe(host)
      expect(parseConfig({ WATCHROOM_PROFILE: 'empty' }, ['--host', host]).host).toBe(host)
      expect(parseConfig({ BACKEND_URL: 'http://backend' }, ['--host', host]).host).toBe(host)
    }
  })

  it('forgets people of other providers where it is said, and where people are kept here', () => {
    const env = { WATCHROOM_FORGET_PROVIDERS: 'on' }
    expect([parseConfig({}, []).forgetProviders, parseConfig(env, []).forgetProviders]).toEqual([false, true])
    expect(problemsOf({ ...env, BACKEND_URL: 'http://b' }, [])).toEqual([
      'WATCHROOM_FORGET_PROVIDERS: only the embedded backend keeps people',
    ])
  })

  it('keeps people also where a claim is named that nobody reads', () => {
    const env = { WATCHROOM_FORGET_PROVIDERS: 'on', WATCHROOM_OIDC_ORGANIZATIONS_CLAIM: 'orgs' }
    expect(parseConfig(env, []).forgetProviders).toBe(true)
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

  it('names at once what is right alone and wrong together', () => {
    const problems = problemsOf(
      {
        BACKEND_DATABASE_URL: 'postgresql://db/x',
        WATCHROOM_AUTH: 'hosted',
        WATCHROOM_SIGN_IN_PROVIDERS: '[{"id": "a", "issuer": "https://a.example.com", "clientId": "x"}]',
      },
      ['--host', '0.0.0.0'],
    )
    expect(problems.map((problem) => problem.split(':')[0])).toEqual([
      '--profile',
      'BACKEND_DATABASE_URL',
      'WATCHROOM_SIGN_IN_PROVIDERS',
      'WATCHROOM_OIDC_ISSUER',
      'WATCHROOM_OIDC_CLIENT_ID',
      'WATCHROOM_PUBLIC_URL',
    ])
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

  it.each<[Record<string, string>, boolean]>([
    [{}, true],
    [{ WATCHROOM_HOST: '::1' }, true],
    [{ WATCHROOM_HOST: '0.0.0.0', WATCHROOM_PROFILE: 'empty' }, false],
    [{ WATCHROOM_HOST: '::', WATCHROOM_PROFILE: 'empty' }, false],
    [{ WATCHROOM_PUBLIC_URL: 'https://watch.test' }, false],
    [{ WATCHROOM_TRUSTED_PROXY: '127.0.0.1' }, false],
  ])('knows whether %j is for this machine alone', (env, isLocal) => {
    expect(isLocalOnly(parseConfig(env, []))).toBe(isLocal)
  })

  it('drops the slash at the end of the backend address', () => {
    expect(parseConfig({ BACKEND_URL: 'http://backend/base/' }, []).backendUrl).toBe('http://backend/base')
  })

  it.each(['ftp://backend', 'unix:relative.sock', 'http://backend?x=1', 'backend'])('refuses %s as backend', (url) => {
    expect(problemsOf({ BACKEND_URL: url })).toHaveLength(1)
  })

  it('refuses the database of a backend that it does not stand in front of', () => {
    expect(problemsOf({ BACKEND_DATABASE_URL: 'postgresql://db/x' })).toEqual([
      expect.stringMatching(/^BACKEND_DATABASE_URL: .*BACKEND_URL/),
    ])
  })

  it('reads the ranges of trusted proxies and refuses what is not one', () => {
    expect(parseConfig({ WATCHROOM_PUBLIC_URL: 'HTTPS://Watch.Test:443/ ,http://b:8080' }, []).publicUrls).toEqual([
      'https://watch.test',
      'http://b:8080',
    ])
    for (const url of ['watch.test', 'https://a/path', 'https://a?q', 'https://u:p@a', 'ftp://a', 'https://a,']) {
      expect(problemsOf({ WATCHROOM_PUBLIC_URL: url }), url).toHaveLength(1)
    }
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

  describe('with a provider', () => {
    const hosted = {
      WATCHROOM_AUTH: 'hosted',
      WATCHROOM_OIDC_ISSUER: 'https://id.example.com',
      WATCHROOM_OIDC_CLIENT_ID: 'watchroom',
    }

    it('reads organizations, roles and hosts', () => {
      const organizations = [{ id: 'acme', backendUrl: 'https://acme.example.com' }]
      expect(
        parseConfig(
          {
            ...hosted,
            WATCHROOM_OIDC_ORGANIZATIONS_CLAIM: 'orgs',
            WATCHROOM_ORGANIZATIONS: JSON.stringify(organizations),
            WATCHROOM_OIDC_BACKEND_HOSTS: 'Backends.example.com, other.test',
            WATCHROOM_OIDC_ROLES: 'cn=ops,ou=x=admin, staff=viewer'.replace(',ou', ';ou'),
          },
          [],
        ),
      ).toMatchObject({
        organizations,
        oidcBackendHosts: ['backends.example.com', 'other.test'],
        oidcRoles: [
          { name: 'cn=ops;ou=x', role: 'admin' },
          { name: 'staff', role: 'viewer' },
        ],
      })
    })

    it('lets organizations listen on a reachable address without a word about the demo', () => {
      const env = {
        ...hosted,
        WATCHROOM_OIDC_ORGANIZATIONS_CLAIM: 'orgs',
        WATCHROOM_PUBLIC_URL: 'https://watch.example.com',
        WATCHROOM_HOST: '0.0.0.0',
      }
      const config = parseConfig(env, [])
      expect([isEmbedded(config), isDemo(config)]).toEqual([false, false])
      expect(warningsOf(config).filter((warning) => warning.includes('demo'))).toEqual([])
      expect(problemsOf({ ...env, WATCHROOM_FORGET_PROVIDERS: 'on' })).toHaveLength(1)
    })

    it.each([
      { env: { WATCHROOM_AUTH: 'hosted' }, problem: /OIDC_ISSUER.*\n.*OIDC_CLIENT_ID/ },
      { env: { ...hosted, WATCHROOM_OIDC_ISSUER: 'http://id.example.com' }, problem: /OIDC_ISSUER: must be an https/ },
      {
        env: { ...hosted, WATCHROOM_HOST: '0.0.0.0', WATCHROOM_PROFILE: 'empty' },
        problem: /PUBLIC_URL: the provider/,
      },
      { env: { ...hosted, WATCHROOM_PUBLIC_URL: 'https://a.test,http://b.test' }, problem: /PUBLIC_URL: with/ },
      { env: { ...hosted, WATCHROOM_ORGANIZATIONS: '[]' }, problem: /ORGANIZATIONS: needs/ },
      { env: { ...hosted, WATCHROOM_ORGANIZATIONS: '{' }, problem: /ORGANIZATIONS: must be a JSON list/ },
      {
        env: { ...hosted, WATCHROOM_OIDC_ORGANIZATIONS_CLAIM: 'orgs', BACKEND_URL: 'http://b' },
        problem: /BACKEND_URL: organizations/,
      },
      { env: { ...hosted, WATCHROOM_OIDC_BEARER: 'access_token' }, problem: /OIDC_BEARER: the embedded/ },
      { env: { ...hosted, WATCHROOM_OIDC_ROLES: 'sre=boss' }, problem: /OIDC_ROLES: must be name=role/ },
      { env: { ...hosted, WATCHROOM_OIDC_SCOPE: 'email' }, problem: /OIDC_SCOPE: must contain openid/ },
    ])('refuses $problem', ({ env, problem }) => {
      expect(() => parseConfig(env, [])).toThrow(problem)
    })
  })

  describe('with providers beside the password', () => {
    const corp = { id: 'corp', label: 'Corp', issuer: 'https://id.corp.test', clientId: 'watchroom' }
    const listOf = (...list: object[]) => ({ WATCHROOM_SIGN_IN_PROVIDERS: JSON.stringify(list) })

    it('reads them, and asks for the usual scopes', () => {
      expect(parseConfig(listOf(corp), []).signInProviders).toEqual([{ ...corp, scope: 'openid profile email' }])
    })

    it.each([
      { env: { WATCHROOM_SIGN_IN_PROVIDERS: '{' }, problem: /must be a JSON list/ },
      { env: listOf({ ...corp, issuer: 'http://id.corp.test' }), problem: /issuer must be an https/ },
      { env: listOf({ ...corp, id: 'a/b' }), problem: /id must be/ },
      { env: listOf({ ...corp, scope: 'email' }), problem: /scope must contain openid/ },
      { env: listOf(corp, { ...corp, id: 'other' }), problem: /an id and an issuer of its own/ },
      { env: { ...listOf(corp), BACKEND_URL: 'http://b' }, problem: /only the embedded backend/ },
      { env: { ...listOf(corp), WATCHROOM_AUTH: 'none' }, problem: /only the embedded backend/ },
    ])('refuses $problem', ({ env, problem }) => {
      expect(() => parseConfig(env, [])).toThrow(problem)
    })
  })

  describe('secrets in files', () => {
    const fileOf = (content: string): string => {
      const folder = mkdtempSync(join(tmpdir(), 'wr-config-'))
      onTestFinished(() => rmSync(folder, { recursive: true }))
      writeFileSync(join(folder, 'secret'), content, { mode: 0o600 })
      return join(folder, 'secret')
    }
    // Organizations and providers are lists, which say of themselves that they are read.
    const lists = new Set<string>([SETTINGS.organizations.env, SETTINGS.signInProviders.env])
    const secrets = Object.values(SETTINGS).filter((setting) => 'isSecret' in setting && !lists.has(setting.env))

    it.each(secrets.map(({ env }) => env))('reads %s from the file that its variable with _FILE names', (env) => {
      const [key] = Object.entries(SETTINGS).find(([, setting]) => setting.env === env) ?? ['']
      const url = {
        DATABASE_URL: 'postgresql://user:secret@db/x',
        BACKEND_DATABASE_URL: 'postgresql://listener:secret@db/x',
        REDIS_URL: 'redis://:secret@redis',
        WATCHROOM_SMTP_URL: 'smtp://user:secret@mail',
      }[env]
      const value = url ?? 'a long secret'.replaceAll(' ', '-')
      const others = { BACKEND_URL: 'http://backend', [`${env}_FILE`]: fileOf(`${value}\n`) }
      expect(parseConfig(others, [])).toMatchObject({ [key]: value })
    })

    it('takes any password for the backend', () => {
      const BACKEND_TOKEN = 'ana@example.com:grün und blau'
      expect(parseConfig({ BACKEND_URL: 'http://backend', BACKEND_TOKEN }, [])).toMatchObject({
        backendToken: BACKEND_TOKEN,
      })
    })

    it('refuses a secret that is given twice, and names both variables', () => {
      const env = { BACKEND_TOKEN: 'one-secret', BACKEND_TOKEN_FILE: fileOf('another-secret') }
      expect(problemsOf(env)).toEqual(['BACKEND_TOKEN and BACKEND_TOKEN_FILE: both are set; unset one of them'])
    })

    it('names the variable whose file cannot be read, is empty, or holds what cannot be', () => {
      const wrong = { WATCHROOM_ADMIN_PASSWORD_FILE: '/nowhere/password', DATABASE_URL_FILE: fileOf('\n') }
      expect(problemsOf({ ...wrong, BACKEND_TOKEN_FILE: fileOf('two words') })).toEqual([
        'WATCHROOM_ADMIN_PASSWORD_FILE: /nowhere/password cannot be read (ENOENT)',
        'BACKEND_TOKEN_FILE: must be printable characters, without spaces unless it is user:password',
        expect.stringMatching(/^DATABASE_URL_FILE: .* is empty$/),
      ])
    })

    it('takes files for secrets alone, and an empty variable for an unset one', () => {
      expect(parseConfig({ WATCHROOM_PORT_FILE: fileOf('4000'), BACKEND_TOKEN_FILE: '' }, [])).toMatchObject({
        port: 3000,
        backendToken: undefined,
      })
    })
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

  it('offers secrets through the environment and files only', () => {
    const secrets = Object.values(SETTINGS).filter((setting) => 'isSecret' in setting)
    expect(secrets.length).toBeGreaterThan(3)
    expect(secrets.filter((setting) => 'option' in setting)).toEqual([])
    expect(
      Object.values(SETTINGS).filter(({ env }) => /PASSWORD|TOKEN/.test(env) && !secrets.some((s) => s.env === env)),
    ).toEqual([])
    for (const { env } of secrets) expect(helpText()).toContain(`${env}[_FILE]`)
  })

  it('is asked for with --help and -h', () => {
    expect([['--help'], ['-h'], ['--port', '1']].map(isHelpRequested)).toEqual([true, true, false])
  })
})
