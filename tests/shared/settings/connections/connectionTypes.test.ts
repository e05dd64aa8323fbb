import {
  CONNECTION_GROUPS,
  CONNECTION_TYPES,
  type ConnectionRow,
  type ConnectionType,
  type ConnectionValues,
  decodeConnection,
  encodeConnection,
  isShown,
  newConnection,
} from '@watchroom/shared/settings/connections'
import { describe, expect, it } from 'vitest'

const TYPES: readonly (readonly [string, ConnectionType])[] = Object.entries(CONNECTION_TYPES)

/** Something in every field that is shown, each different from the others. */
function fill(type: ConnectionType): ConnectionValues {
  const values = Object.fromEntries(
    type.fields.map(({ name, kind, choices }, index) => {
      if (kind === 'switch') return [name, true]
      if (kind === 'choice') return [name, choices.at(-1) ?? '']
      return [name, kind === 'number' ? String(8_000 + index) : `https://${name}.example/?a=b&c=ü ${index}`]
    }),
  )
  return Object.fromEntries(
    type.fields.map((field) => [field.name, isShown(field, values) ? (values[field.name] ?? '') : '']),
  )
}

describe('types of connections', () => {
  it('are the 42 of the third specification, of which one is for existing rows alone', () => {
    expect(Object.keys(CONNECTION_TYPES)).toHaveLength(42)
    expect(TYPES.filter(([, { isHidden }]) => isHidden).map(([name]) => name)).toEqual(['jmeter'])
    expect(new Set(TYPES.map(([, { group }]) => group))).toEqual(new Set(CONNECTION_GROUPS))
    expect(new Set(TYPES.map(([, { title }]) => title)).size).toBe(42)
  })

  it('test 33 of them, sixteen by a message', () => {
    const byTest = (wanted: ConnectionType['test']) => TYPES.filter(([, { test }]) => test === wanted)
    expect(byTest('connect')).toHaveLength(17)
    expect(byTest('message')).toHaveLength(16)
    expect(
      byTest(null)
        .map(([name]) => name)
        .toSorted(),
    ).toEqual(['sql_server', 'mongo', 'windows', 'jmeter', 'azure', 'google_cloud', 'gcs', 'smb', 'restic'].toSorted())
    expect(TYPES.filter(([, { test, group }]) => (test === 'message') !== (group === 'Notifications'))).toEqual([])
  })

  it.each([
    ['sftp', 'port', '22'],
    ['smb', 'port', '445'],
    ['email', 'port', '587'],
    ['email', 'encryptionMethod', 'Auto'],
    ['email', 'authMethod', 'Unknown'],
    ['opsgenie', 'host', 'api.opsgenie.com'],
    ['opsgenie', 'port', '443'],
    ['ntfy', 'host', 'ntfy.sh'],
    ['generic_webhook', 'requestMethod', 'POST'],
    ['generic_webhook', 'contentType', 'application/json'],
    ['generic_webhook', 'key', 'message'],
    ['generic_webhook', 'titleKey', 'title'],
    ['git', 'ref', 'main'],
  ] as const)('begin with the defaults of the specification: %s %s is %s', (type, field, value) => {
    expect(newConnection(CONNECTION_TYPES[type])[field]).toBe(value)
  })
})

describe.each(TYPES)('a connection of the type %s', (_, type) => {
  it('keeps every field from the form to the row and back', () => {
    const values = fill(type)
    expect(decodeConnection(type, encodeConnection(type, values))).toEqual(values)
  })

  it('is the same again once nothing was changed, also while its credentials are ***', () => {
    const row = encodeConnection(type, fill(type))
    const masked: ConnectionRow = {
      ...row,
      ...Object.fromEntries(
        (['username', 'password', 'certificate'] as const).flatMap((column) => (row[column] ? [[column, '***']] : [])),
      ),
    }
    expect(encodeConnection(type, decodeConnection(type, masked), masked)).toEqual(masked)
  })

  it('tells no credential in its address, and never “undefined”', () => {
    const values = fill(type)
    const { url } = encodeConnection(type, values)
    const empty = encodeConnection(type, newConnection(type)).url ?? ''
    expect(empty).not.toMatch(/undefined|null|\$\(/)
    if (!type.toAddress) return
    const credentials = type.fields.filter(({ kind, place }) => kind === 'secret' || place === 'username')
    for (const { name } of credentials) expect(decodeURIComponent(url ?? '')).not.toContain(String(values[name]))
  })

  it('keeps properties that it does not know', () => {
    const former = { properties: { ofAnotherConsole: 'kept' } }
    expect(encodeConnection(type, fill(type), former).properties).toMatchObject({ ofAnotherConsole: 'kept' })
  })

  it('begins empty or with a default where something is required', () => {
    const values = newConnection(type)
    for (const { name, kind } of type.fields) expect(typeof values[name]).toBe(kind === 'switch' ? 'boolean' : 'string')
    for (const { name, choices } of type.fields.filter(({ kind }) => kind === 'choice'))
      expect(choices).toContain(values[name])
  })
})

describe('rows as other consoles have them', () => {
  it.each([
    ['discord', { username: '1', password: 'x' }, 'discord://$(password)@$(username)'],
    [
      'email',
      {
        host: 'mail.example',
        port: '587',
        username: 'u',
        password: 'x',
        encryptionMethod: 'Auto',
        authMethod: 'Plain',
      },
      'smtp://$(username):$(password)@mail.example:587/?UseStartTLS=&Encryption=Auto&Auth=Plain',
    ],
    ['mattermost', { host: 'chat:8065', password: 'x', channel: 'town' }, 'mattermost://@chat:8065/$(password)/town'],
    ['ntfy', { host: 'ntfy.sh', topic: 'a b', insecure_tls: true }, 'ntfy://:@ntfy.sh/a%20b?Scheme=http'],
    [
      'opsgenie',
      { host: 'api.opsgenie.com', port: '443', password: 'x' },
      'opsgenie://api.opsgenie.com:443/$(password)',
    ],
    [
      'generic_webhook',
      { url: 'https://a.example/x?y=1', contentType: 'text/plain', key: 'm', titleKey: 't', requestMethod: 'GET' },
      'generic+https://a.example/x?y=1&ContentType=text%2Fplain&MessageKey=m&TitleKey=t&RequestMethod=GET&DisableTLS=',
    ],
    [
      'zulip_chat',
      { host: 'z.example', username: 'bot@z', password: 'x' },
      'zulip://$(username):$(password)@z.example/',
    ],
  ] as const)('%s has its address', (type, values, address) => {
    expect(encodeConnection(CONNECTION_TYPES[type], values).url).toBe(address)
  })

  it('reads switches from texts of properties, and ports from numbers', () => {
    expect(decodeConnection(CONNECTION_TYPES.aws, { properties: { insecureTLS: 'true' } })['insecure_tls']).toBe(true)
    expect(decodeConnection(CONNECTION_TYPES.sftp, { url: 'h', properties: { port: 2022 } })['port']).toBe('2022')
  })

  it('chooses SSH for a git connection with a key, and empties what is not chosen', () => {
    const values = decodeConnection(CONNECTION_TYPES.git, { url: 'u', certificate: '***' })
    expect(values['authentication']).toBe('SSH')
    const row = encodeConnection(CONNECTION_TYPES.git, { ...values, authentication: 'Basic', username: 'a' })
    expect(row).toMatchObject({ username: 'a', certificate: null })
  })
})
