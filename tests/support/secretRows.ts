// What people set up, table by table, each with its credentials where people put them: looked for wherever they must not be.

/** Every credential in it begins so, and nothing else does. */
export const SECRET_MARK = 'S3CR3T'

export interface Secrets {
  /** Another one. */
  readonly next: () => string
  /** Of those that were given. */
  readonly count: () => number
}

export function createSecrets(): Secrets {
  let count = 0
  return { next: () => `${SECRET_MARK}${String(++count).padStart(3, '0')}x9`, count: () => count }
}

/** Columns beside the name. */
export const SECRET_ROWS: Readonly<Record<string, (secret: () => string) => Record<string, unknown>>> = {
  canaries: (secret) => ({
    namespace: 'default',
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': `{"password": "${secret()}"}` },
    spec: {
      interval: 3600,
      http: [
        {
          name: 'shop',
          url: `https://ada:${secret()}@shop.invalid/?api_key=${secret()}`,
          headers: [
            { name: 'Authorization', value: `Bearer ${secret()}` },
            { name: 'X-Own', value: secret() },
          ],
          body: `{"grant": "password", "password": "${secret()}"}`,
          authentication: { username: 'ada', password: secret() },
        },
        {
          name: 'map of headers',
          url: 'https://shop.invalid',
          headers: { 'X-Api': secret() },
          password: { value: secret() },
        },
      ],
      exec: [{ name: 'script', script: 'true', env: [{ name: 'MODE', value: secret() }] }],
      postgres: [{ name: 'dsn', url: `postgres://root:${secret()}@db.invalid/shop` }],
      redis: [{ name: 'cache', addr: 'cache.invalid:6379', password: secret() }],
      mongodb: [{ name: 'old', url: `mongodb://root:${secret()}@db.invalid`, password: secret() }],
      alertmanager: [{ name: 'alerts', url: 'https://alerts.invalid', password: secret() }],
      elasticsearch: [{ name: 'logs', url: 'https://logs.invalid', index: 'x', query: '{}', password: secret() }],
      // Of another backend, and malformed: they are stored, too.
      prometheus: [{ bearer: { token: secret() }, host: `https://u:${secret()}@p.invalid` }],
    },
  }),
  topologies: (secret) => ({
    namespace: 'default',
    spec: {
      components: [
        {
          name: 'a',
          lookup: {
            http: [
              { url: 'https://a.invalid', id: '$.id', type: 'Row', headers: [{ name: 'Cookie', value: secret() }] },
            ],
          },
        },
      ],
    },
  }),
  config_scrapers: (secret) => ({
    spec: {
      sql: [{ connection: `postgres://u:${secret()}@db.invalid/x`, type: 'Row', id: '$.id', query: 'select 1' }],
      kubernetes: [{ clusterName: 'x', kubeconfig: { value: secret() }, auth: { password: { value: secret() } } }],
      aws: [{ accessKey: secret(), secretKey: secret() }],
      schedule: '@every 30m',
    },
  }),
  playbooks: (secret) => ({
    spec: {
      actions: [
        { name: 'tell', http: { url: 'https://x.invalid', headers: [{ name: 'Authorization', value: secret() }] } },
        {
          name: 'do',
          exec: {
            script: 'true',
            env: [
              { name: 'TOKEN', value: secret() },
              { name: 'PLAIN', value: secret() },
            ],
          },
        },
        { name: 'look', sql: { url: `postgres://u:${secret()}@db.invalid/x`, query: 'select 1' } },
        { name: 'sign', exec: { script: `curl -H "Authorization: Bearer ${secret()}" https://x.invalid` } },
        {
          name: 'key',
          exec: {
            script: 'true',
            env: [{ name: 'KEY', value: `-----BEGIN OPENSSH PRIVATE KEY-----\n${secret()}\n-----END` }],
          },
        },
      ],
    },
  }),
  notifications: (secret) => ({
    events: ['check.failed'],
    properties: { api_key: secret() },
    custom_services: [{ name: 'chat', connection: 'connection://default/chat', properties: { webhook: secret() } }],
  }),
  incident_rules: (secret) => ({ spec: { responders: { jira: { url: 'https://j.invalid', password: secret() } } } }),
  logging_backends: (secret) => ({
    spec: { backends: [{ elasticsearch: { address: 'https://l.invalid', password: secret() } }] },
  }),
  integrations: (secret) => ({ spec: { token: secret() } }),
  teams: (secret) => ({
    spec: {
      responder_clients: { jira: { url: 'https://j.invalid', username: secret(), password: { value: secret() } } },
    },
  }),
  connections: (secret) => ({
    type: 'postgres',
    url: `postgres://u:${secret()}@db.invalid/x`,
    username: secret(),
    password: secret(),
    certificate: `-----BEGIN CERTIFICATE-----\n${secret()}`,
    properties: { secret_key: secret(), region: 'eu' },
  }),
}

/** Whose rows say who made them. */
export const TABLES_WITH_AUTHOR: readonly string[] = ['integrations', 'teams', 'incident_rules']
