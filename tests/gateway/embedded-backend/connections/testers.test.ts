import { generateKeyPairSync } from 'node:crypto'
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http'
import { createServer as createTcpServer, type Server as TcpServer } from 'node:net'
import { tmpdir } from 'node:os'

import { CheckSpecSchema } from '@watchroom/shared/health/check-types'
import type { ConnectionRow } from '@watchroom/shared/settings/connections'
import { createServer as createMysqlServer } from 'mysql2'
import { pino } from 'pino'
import ssh2 from 'ssh2'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { listen } from '#support/listen.ts'
import { startMailServer } from '#support/mailServer.ts'
import { startRespServer } from '#support/respServer.ts'
import { buildRunDeps } from '#support/runDeps.ts'
import { type ServiceServer, startServiceServer } from '#support/serviceServer.ts'

import { runCheck } from '../../../../gateway/src/check-runner/runCheck.ts'
import {
  createConnectionTests,
  type TestVerdict,
} from '../../../../gateway/src/embedded-backend/connections/createConnectionTests.ts'
import { openFolder } from '../../../../gateway/src/embedded-backend/connections/folders/openFolder.ts'
import { testLdap } from '../../../../gateway/src/embedded-backend/connections/testers/ldap.ts'
import { createNetwork, type Network } from '../../../../gateway/src/embedded-backend/outbound/createNetwork.ts'
import { toOpenedConnection } from '../../../../gateway/src/embedded-backend/outbound/openedConnection.ts'
import { systemClock } from '../../../../gateway/src/platform/clock.ts'

const logger = pino({ level: 'silent' })

async function test(type: string, row: ConnectionRow, network?: Network): Promise<TestVerdict> {
  const tests = createConnectionTests({
    clock: systemClock,
    logger,
    folders: { roots: [tmpdir()], hidden: [], own: [] },
    ...(network && { network }),
  })
  const verdict = await tests.run('ada', { type, row, filled: [] }, new AbortController().signal)
  if (!verdict.ok) throw new Error(verdict.error)
  return verdict.value
}

const WORKS = { outcome: 'ok' }

/** A check of a folder, as it is run once its connection was looked up. */
async function checkFolder(type: string, row: ConnectionRow, spec: object, network = createNetwork()) {
  const found = openFolder(type, row, { network, now: Date.now })
  if (!found.ok) return { error: found.error }
  return runCheck(
    { type: 'folder', name: 'backups', timeoutMs: 10_000, spec: CheckSpecSchema.folder.parse(spec) },
    buildRunDeps({ listFolder: found.value }),
  )
}

describe('services of the internet', () => {
  let service: ServiceServer
  beforeEach(async () => {
    service = await startServiceServer()
  })
  afterEach(() => service.stop())

  const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`
  const kubeconfig = JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster: { server: 'https://k.example:6443' } }],
    users: [{ name: 'u', user: { token: 'tok' } }],
  })

  it.each([
    [
      'elasticsearch',
      { url: 'https://e.example/es', username: 'u', password: 'p' },
      { status: 'green' },
      'GET https://e.example/es/_cluster/health',
      basic('u:p'),
    ],
    [
      'prometheus',
      { url: 'https://p.example', username: 'u', password: 'p' },
      { status: 'success' },
      'GET https://p.example/api/v1/query?query=vector%281%29',
      basic('u:p'),
    ],
    [
      'dynatrace',
      { url: 'd.example', password: 'k', properties: { scheme: 'https' } },
      {},
      'GET https://d.example/api/v1/config/clusterversion',
      'Api-Token k',
    ],
    ['github', { password: 'tok' }, {}, 'GET https://api.github.com/user', 'Bearer tok'],
    ['gitlab', { password: 'tok' }, {}, 'GET https://gitlab.com/api/v4/user', undefined],
    [
      'azure_devops',
      { username: 'acme', password: 'tok' },
      {},
      'GET https://dev.azure.com/acme/_apis/projects?$top=1&api-version=7.1',
      basic(':tok'),
    ],
    [
      'kubernetes',
      { certificate: kubeconfig },
      {},
      'POST https://k.example:6443/apis/authorization.k8s.io/v1/selfsubjectrulesreviews',
      'Bearer tok',
    ],
  ] as const)('%s is asked as it documents it', async (type, row, answer, line, authorization) => {
    service.answer(200, answer)
    expect(await test(type, row, service.network)).toEqual(WORKS)
    expect(service.asked.map((asked) => asked.line)).toEqual([line])
    expect(service.asked[0]?.headers['authorization']).toBe(authorization)
    service.answer(401, { message: 'bad credentials' })
    const refused = { outcome: 'failed', message: 'it answered 401 Unauthorized: {"message":"bad credentials"}' }
    expect(await test(type, row, service.network)).toEqual(refused)
  })

  it.each([
    [
      'aws',
      { username: 'AKIA', password: 'sk', properties: { region: 'eu-west-1' } },
      'GET https://sts.eu-west-1.amazonaws.com/?Action=GetCallerIdentity&Version=2011-06-15',
      'eu-west-1/sts',
    ],
    [
      's3',
      { username: 'AKIA', password: 'sk', properties: { bucket: 'b' } },
      'GET https://s3.us-east-1.amazonaws.com/b?list-type=2&max-keys=1',
      'us-east-1/s3',
    ],
  ] as const)('%s is asked with a signature', async (type, row, line, scope) => {
    expect(await test(type, row, service.network)).toEqual(WORKS)
    const [asked] = service.asked
    expect(asked?.line).toBe(line)
    expect(asked?.headers['authorization']).toMatch(
      new RegExp(
        String.raw`^AWS4-HMAC-SHA256 Credential=AKIA/\d{8}/${scope}/aws4_request, SignedHeaders=[\w;-]+, Signature=[0-9a-f]{64}$`,
      ),
    )
  })

  it('a folder of a bucket is read page by page', async () => {
    const object = (key: string, size: number, at: string): string =>
      `<Contents><Key>${key}</Key><LastModified>${at}</LastModified><Size>${size}</Size></Contents>`
    const pages = [
      `<IsTruncated>true</IsTruncated>${object('night/', 0, '2026-01-01T00:00:00Z')}${object('night/a+b%26c.tar', 5_000, '2026-01-02T00:00:00Z')}<NextContinuationToken>1&amp;2</NextContinuationToken>`,
      `<IsTruncated>false</IsTruncated>${object('night/new.tar', 2_000, '2026-01-03T00:00:00Z')}`,
    ]
    service.answerBy(({ line }) => ({ body: pages[line.includes('continuation-token=1%262') ? 1 : 0] }))
    const row = { username: 'AKIA', password: 'sk', properties: { bucket: 'b' } }
    const found = { passed: true, message: '2 files', details: { count: 2, newest: 'new.tar', largestBytes: 5_000 } }
    expect(await checkFolder('s3', row, { path: '/night' }, service.network)).toMatchObject(found)
    expect(await checkFolder('aws', row, { path: 's3://b/night/', maxCount: 1 }, service.network)).toMatchObject({
      passed: false,
      error: '2 files, more than 1',
    })
    const [first] = service.asked
    const question = 'list-type=2&delimiter=%2F&encoding-type=url&prefix=night%2F'
    expect(first?.line).toBe(`GET https://s3.us-east-1.amazonaws.com/b?${question}`)
    expect(first?.headers['authorization']).toContain('Credential=AKIA/')
    service.answer(403, '<Error><Code>AccessDenied</Code></Error>')
    expect(await checkFolder('s3', row, { path: 'night' }, service.network)).toMatchObject({
      passed: false,
      error: 'night: it answered 403 Forbidden',
    })
  })

  it('finds the ref of a git repository', async () => {
    const row = { url: 'https://g.example/r.git', username: 'u', password: 'p', properties: { ref: 'main' } }
    service.answer(200, `001e# service=git-upload-pack\n0000003d${'a'.repeat(40)} refs/heads/main\n0000`)
    expect(await test('git', row, service.network)).toEqual(WORKS)
    expect(service.asked[0]?.line).toBe('GET https://g.example/r.git/info/refs?service=git-upload-pack')
    const gone = { ...row, properties: { ref: 'gone' } }
    const missing = { outcome: 'failed', message: 'the repository has no branch or tag named gone' }
    expect(await test('git', gone, service.network)).toEqual(missing)
  })

  it('takes a cluster whose health is red for no success', async () => {
    service.answer(200, { status: 'red' })
    const row = { url: 'https://e.example', username: 'u', password: 'p' }
    expect((await test('elasticsearch', row, service.network)).outcome).toBe('failed')
  })
})

describe('an address over HTTP', () => {
  let server: HttpServer
  const seen: [string | undefined, string | undefined][] = []
  const row = (port: number, path = '/') => ({
    url: `http://127.0.0.1:${port}${path}`,
    username: 'u',
    password: 'secret',
  })

  beforeEach(() => {
    seen.length = 0
  })

  it('gets its credential, and no other place that it redirects to does', async () => {
    const elsewhere = createHttpServer((request, response) => {
      seen.push(['elsewhere', request.headers.authorization])
      response.end()
    })
    const elsewherePort = await listen(elsewhere)
    server = createHttpServer((request, response) => {
      seen.push([request.url, request.headers.authorization])
      if (request.url === '/end') response.end()
      else if (request.url === '/away')
        response.writeHead(302, { location: `http://127.0.0.1:${elsewherePort}/` }).end()
      else response.writeHead(302, { location: '/end' }).end()
    })
    const port = await listen(server)
    const credential = `Basic ${Buffer.from('u:secret').toString('base64')}`
    expect(await test('http', row(port))).toEqual(WORKS)
    expect(await test('http', row(port, '/away'))).toEqual(WORKS)
    expect(seen).toEqual([
      ['/', credential],
      ['/end', credential],
      ['/away', credential],
      ['elsewhere', undefined],
    ])
  })

  it('follows no redirect to the metadata of a cloud', async () => {
    server = createHttpServer((_, response) => {
      response.writeHead(302, { location: 'http://169.254.169.254/' }).end()
    })
    expect(await test('http', row(await listen(server)))).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('metadata of a cloud'),
    })
  })

  it('is not read beyond 64 KiB', async () => {
    server = createHttpServer((_, response) => {
      const write = (): void => {
        while (response.write('x'.repeat(16_384)));
        response.once('drain', write)
      }
      write()
    })
    expect(await test('http', row(await listen(server)))).toEqual(WORKS)
  })

  it.each([
    ['nothing listens', 'http://127.0.0.1:1/', 'connection refused (127.0.0.1:1)'],
    ['it is none', 'ftp://host', 'the address must begin with http:// or https://'],
  ])('fails in words when %s', async (_, url, message) => {
    expect(await test('http', { url, username: 'u', password: 'p' })).toEqual({ outcome: 'failed', message })
  })
})

describe('protocols', () => {
  it('redis', async () => {
    const server = await startRespServer({ password: 'right' })
    const row = (password: string) => ({ url: `127.0.0.1:${server.port}`, password, properties: { db: '0' } })
    expect(await test('redis', row('right'))).toEqual(WORKS)
    expect((await test('redis', row('wrong'))).outcome).toBe('failed')
    await server.stop()
  })

  it('ldap', async () => {
    const server = createTcpServer((socket) => {
      socket.on('data', (asked) => {
        // LDAPMessage with a bind request: its id stands at the same place as long as it is short.
        const [success, invalidCredentials] = [0, 49]
        if (!asked.includes(0x60)) return
        const code = asked.includes('right') ? success : invalidCredentials
        socket.write(Buffer.from([0x30, 12, 2, 1, asked[4] ?? 0, 0x61, 7, 0x0a, 1, code, 4, 0, 4, 0]))
      })
    })
    const port = await listen(server)
    const row = (password: string) => ({ url: `ldap://127.0.0.1:${port}`, username: 'cn=ada', password })
    expect(await test('ldap', row('right'))).toEqual(WORKS)
    // OpenLDAP says no word beside the code.
    expect(await test('ldap', row('wrong'))).toEqual({ outcome: 'failed', message: 'invalid credentials' })
  })

  it('ldap: does not bind for a test that was given up while the name was looked up', async () => {
    let sockets = 0
    const port = await listen(
      createTcpServer((socket) => socket.on('error', () => undefined)).on('connection', () => sockets++),
    )
    const person = new AbortController()
    const network = createNetwork()
    const row = { url: `ldap://127.0.0.1:${port}`, username: 'cn=ada', password: 'right' }
    const testing = testLdap(toOpenedConnection('ldap', row), {
      signal: person.signal,
      network: {
        ...network,
        resolve: async (target) => {
          const found = await network.resolve(target)
          person.abort(new Error('gone'))
          return found
        },
      },
      clock: systemClock,
      logger,
      folders: { roots: [], hidden: [], own: [] },
    })
    await expect(testing).rejects.toThrow('gone')
    expect(sockets).toBe(0)
  })

  it('mysql', async () => {
    const server = createMysqlServer((client) => {
      client.serverHandshake({
        protocolVersion: 10,
        serverVersion: '8',
        connectionId: 1,
        statusFlags: 2,
        characterSet: 8,
        capabilityFlags: 0xffffff,
        authCallback: (params: { user: string }, done: (error: null, refusal?: object) => void) =>
          params.user === 'ada' ? done(null) : done(null, { message: 'Access denied', code: 1045 }),
      })
      client.on('error', () => undefined)
      client.on('ping', () => (client as unknown as { writeOk: () => void }).writeOk())
    })
    // oxlint-disable-next-line no-underscore-dangle -- the package's own name; it has no way to listen on a free port
    const port = await listen((server as unknown as { _server: TcpServer })._server)
    const row = (username: string) => ({ url: `mysql://127.0.0.1:${port}/shop`, username, password: 'right' })
    expect(await test('mysql', row('ada'))).toEqual(WORKS)
    expect(await test('mysql', row('eve'))).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('denied'),
    })
  })

  it('ssh: the first folder of SFTP, and the refs of a git repository', async () => {
    const { privateKey } = generateKeyPairSync('rsa', {
      modulusLength: 2048,
      privateKeyEncoding: { type: 'pkcs1', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    })
    const commands: string[] = []
    const server = new ssh2.Server({ hostKeys: [privateKey] }, (client) => {
      client.on('error', () => undefined)
      client.on('authentication', (context) => {
        const isKnown =
          context.method === 'publickey' || (context.method === 'password' && context.password === 'right')
        if (isKnown) context.accept()
        else context.reject(['password', 'publickey'])
      })
      client.on('session', (accept) => {
        const session = accept()
        session.on('exec', (acceptExec, _, { command }) => {
          commands.push(command)
          const channel = acceptExec()
          if (command.includes('nothing')) {
            channel.stderr.write(
              `Could not chdir to home directory\nfatal: 'nothing' does not appear to be a git repository\nfatal: more\n`,
            )
            channel.exit(128)
            return channel.end()
          }
          return channel.write(`003d${'a'.repeat(40)} refs/heads/main\n0000`)
        })
        session.on('sftp', (acceptSftp) => {
          const sftp = acceptSftp()
          sftp.on('REALPATH', (id) => {
            sftp.name(id, [{ filename: '/home', longname: '/home', attrs: {} as never }])
          })
          let isTold = false
          sftp.on('OPENDIR', (id) => {
            isTold = false
            sftp.handle(id, Buffer.from('folder'))
          })
          sftp.on('READDIR', (id) => {
            const entry = (filename: string, mode: number, size: number, mtime: number) =>
              ({ filename, longname: filename, attrs: { mode, size, mtime, atime: mtime, uid: 0, gid: 0 } }) as const
            if (isTold) return sftp.status(id, ssh2.utils.sftp.STATUS_CODE.EOF)
            isTold = true
            sftp.name(id, [
              entry('old.tar', 0o100644, 5_000, 1_000),
              entry('new.tar', 0o100644, 2_000, 2_000),
              entry('more', 0o040755, 4_096, 3_000),
            ])
          })
          sftp.on('CLOSE', (id) => sftp.status(id, ssh2.utils.sftp.STATUS_CODE.OK))
        })
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
    const { port } = server.address() as { port: number }
    const sftp = (password: string) => ({
      url: '127.0.0.1',
      username: 'ada',
      password,
      properties: { port: String(port) },
    })
    expect(await test('sftp', sftp('right'))).toEqual(WORKS)
    expect(await test('sftp', sftp('wrong'))).toMatchObject({ outcome: 'failed' })
    expect(await checkFolder('sftp', sftp('right'), { path: '/backups', minSize: '3kB' })).toMatchObject({
      passed: false,
      error: 'new.tar has 2 KiB, less than 2.9 KiB',
      details: { count: 2, newest: 'new.tar' },
    })
    const git = { url: `ssh://git@127.0.0.1:${port}/it's.git`, certificate: privateKey, properties: { ref: 'main' } }
    expect(await test('git', git)).toEqual(WORKS)
    expect(commands).toEqual([String.raw`git-upload-pack '/it'\''s.git'`])
    expect(await test('git', { ...git, url: `ssh://git@127.0.0.1:${port}/nothing` })).toEqual({
      outcome: 'failed',
      message: `fatal: 'nothing' does not appear to be a git repository`,
    })
    server.close()
  })

  it('email: one mail to the address that it comes from, marked as a test', async () => {
    const server = await startMailServer()
    const { hostname, port } = new URL(server.url)
    const properties = {
      host: hostname,
      port,
      from: 'watch@example.org',
      fromName: 'Watch',
      encryptionMethod: 'None',
      authMethod: 'None',
    }
    expect(await test('email', { properties })).toEqual(WORKS)
    expect(server.mails.map(({ recipients }) => recipients)).toEqual([['watch@example.org']])
    expect(server.mails[0]?.source).toContain('Subject: Test message from Watchroom')
    await server.close()
  })

  it.each([
    ['gcs', 'connection: this runner reads no folders of Google Cloud Storage; they are left to backends that do'],
    ['google_cloud', 'connection: this runner reads no folders of Google Cloud; they are left to backends that do'],
    ['smb', 'connection: this runner reads no folders of SMB; they are left to backends that do'],
    ['postgres', 'connection: a folder is found by AWS, Google Cloud, SFTP and SMB, and not by Postgres'],
  ])('a folder of %s is not read here, and it says so', async (type, error) => {
    expect(await checkFolder(type, {}, { path: '/backups' })).toEqual({ error })
  })

  it('folder: where checks may look, and nowhere else', async () => {
    expect(await test('folder', { properties: { path: tmpdir() } })).toEqual(WORKS)
    expect(await test('folder', { properties: { path: '/etc' } })).toMatchObject({
      outcome: 'failed',
      message: expect.stringContaining('WATCHROOM_FOLDER_ROOTS'),
    })
  })

  it.each([
    ['email', { properties: { host: '127.0.0.1', port: '1', from: 'a@b.c', encryptionMethod: 'None' } }],
    ['mysql', { url: 'mysql://127.0.0.1:1/shop', username: 'u', password: 'p' }],
    ['postgres', { url: 'postgres://127.0.0.1:1/shop', username: 'u', password: 'p' }],
    ['redis', { url: '127.0.0.1:1', properties: { db: '0' } }],
    ['ldap', { url: 'ldap://127.0.0.1:1', username: 'u', password: 'p' }],
    ['sftp', { url: '127.0.0.1', username: 'u', password: 'p', properties: { port: '1' } }],
    ['git', { url: 'ssh://git@127.0.0.1:1/r.git', certificate: 'k', properties: { ref: 'main' } }],
    ['elasticsearch', { url: 'http://127.0.0.1:1', username: 'u', password: 'p' }],
    ['generic_webhook', { url: 'generic+http://127.0.0.1:1/x' }],
  ])('%s: says in words that nothing listens, and where', async (type, row) => {
    expect(await test(type, row)).toEqual({ outcome: 'failed', message: 'connection refused (127.0.0.1:1)' })
  })

  it('keeps credentials out of what the other side says of them', async () => {
    const server = createHttpServer((request, response) => {
      response.writeHead(500).end(JSON.stringify({ you: 'sent very-secret-word', also: request.headers.authorization }))
    })
    const port = await listen(server)
    const verdict = await test('prometheus', {
      url: `http://127.0.0.1:${port}`,
      username: 'ada',
      password: 'very-secret-word',
    })
    expect(verdict).toMatchObject({ outcome: 'failed', message: expect.stringContaining('it answered 500') })
    expect(JSON.stringify(verdict)).not.toContain('very-secret-word')
    expect(JSON.stringify(verdict)).not.toContain(Buffer.from('ada:very-secret-word').toString('base64'))
  })
})
