import { createHmac } from 'node:crypto'

import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { type ServiceServer, startServiceServer } from '#support/serviceServer.ts'

import { toRefusalOf } from '../../../../gateway/src/embedded-backend/notifications/retry.ts'
import { NOBODY_YET, type Taken } from '../../../../gateway/src/embedded-backend/notifications/sender.ts'
import type { NotificationType } from '../../../../gateway/src/embedded-backend/notifications/senders/index.ts'
import { SENDERS } from '../../../../gateway/src/embedded-backend/notifications/senders/index.ts'
import { toOpenedConnection } from '../../../../gateway/src/embedded-backend/outbound/openedConnection.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const MESSAGE = { title: 'Shop is down', text: '503 since noon', link: 'https://w.example/1', idempotencyKey: 'key-1' }
const PLAIN = 'Shop is down\n503 since noon\nhttps://w.example/1'

let service: ServiceServer
beforeEach(async () => {
  service = await startServiceServer()
})
afterEach(() => service.stop())

type Row = Parameters<typeof toOpenedConnection>[1]

function send(type: NotificationType, row: Row, more: object = {}, taken: Taken = NOBODY_YET) {
  const { network } = service
  const { signal } = new AbortController()
  return SENDERS[type](toOpenedConnection(type, row), { ...MESSAGE, ...more }, { network, signal, now: NOW, taken })
}

interface Case {
  readonly type: NotificationType
  readonly row: Row
  readonly answer: unknown
  readonly line: string
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly externalId?: string
}

/** One request each, as the service documents it. */
const CASES: readonly Case[] = [
  {
    type: 'slack',
    row: { username: 'C1', password: 'xoxb-1', properties: { BotName: 'Watch' } },
    answer: { ok: true, ts: '1.2' },
    line: 'POST https://slack.com/api/chat.postMessage',
    headers: { authorization: 'Bearer xoxb-1' },
    body: {
      channel: 'C1',
      text: PLAIN,
      username: 'Watch',
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: 'Shop is down' } },
        { type: 'section', text: { type: 'mrkdwn', text: '503 since noon', verbatim: true } },
        { type: 'context', elements: [{ type: 'mrkdwn', text: '<https://w.example/1|Open in Watchroom>' }] },
      ],
    },
    externalId: '1.2',
  },
  {
    type: 'discord',
    row: { username: '42', password: 'tok' },
    answer: { id: '9' },
    line: 'POST https://discord.com/api/webhooks/42/tok?wait=true',
    body: { content: PLAIN, allowed_mentions: { parse: [] } },
    externalId: '9',
  },
  {
    type: 'teams',
    row: { properties: { group: 'g', tenant: 't', altID: 'a', groupOwner: 'o', host: 'acme.webhook.office.com' } },
    answer: '1',
    line: 'POST https://acme.webhook.office.com/webhookb2/g@t/IncomingWebhook/a/o',
    body: {
      '@type': 'MessageCard',
      '@context': 'http://schema.org/extensions',
      summary: 'Shop is down',
      title: 'Shop is down',
      text: '503 since noon',
      potentialAction: [{ '@type': 'OpenUri', name: 'Open', targets: [{ os: 'default', uri: 'https://w.example/1' }] }],
    },
  },
  {
    type: 'telegram',
    row: { username: '-100', password: '1:abc' },
    answer: { ok: true, result: { message_id: 7 } },
    line: 'POST https://api.telegram.org/bot1:abc/sendMessage',
    body: { chat_id: '-100', text: PLAIN },
    externalId: '7',
  },
  {
    type: 'mattermost',
    row: { username: 'bot', password: 'tok', properties: { host: 'chat.example:8065', channel: 'town' } },
    answer: 'ok',
    line: 'POST https://chat.example:8065/hooks/tok',
    body: { text: PLAIN, username: 'bot', channel: 'town' },
  },
  {
    type: 'rocketchat',
    row: { username: 'a', password: 'b', properties: { host: 'chat.example', port: '3000', channel: '#x' } },
    answer: { success: true },
    line: 'POST https://chat.example:3000/hooks/a/b',
    body: { text: PLAIN, channel: '#x' },
  },
  {
    type: 'google_chat',
    row: { username: 'k', password: 't', properties: { webhook: 'AAA' } },
    answer: { name: 'spaces/AAA/messages/1' },
    line: 'POST https://chat.googleapis.com/v1/spaces/AAA/messages?key=k&token=t',
    body: { text: PLAIN },
    externalId: 'spaces/AAA/messages/1',
  },
  {
    type: 'ntfy',
    row: { username: 'u', password: 'p', properties: { host: 'ntfy.example', topic: 'alerts' } },
    answer: { id: 'n1' },
    line: 'POST https://ntfy.example/',
    headers: { authorization: `Basic ${Buffer.from('u:p').toString('base64')}` },
    body: { topic: 'alerts', title: 'Shop is down', message: '503 since noon', click: 'https://w.example/1' },
    externalId: 'n1',
  },
  {
    type: 'opsgenie',
    row: { password: 'k', properties: { host: 'api.opsgenie.com', port: '443' } },
    answer: { requestId: 'r' },
    line: 'POST https://api.opsgenie.com/v2/alerts',
    headers: { authorization: 'GenieKey k' },
    body: {
      message: 'Shop is down',
      description: '503 since noon\n\nhttps://w.example/1',
      alias: 'key-1',
      source: 'Watchroom',
    },
    externalId: 'r',
  },
  {
    type: 'pushover',
    row: { username: 'u', password: 't' },
    answer: { status: 1, request: 'q' },
    line: 'POST https://api.pushover.net/1/messages.json',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'token=t&user=u&title=Shop+is+down&message=503+since+noon&url=https%3A%2F%2Fw.example%2F1',
    externalId: 'q',
  },
  {
    type: 'pushbullet',
    row: { password: 't', properties: { targets: '#ops' } },
    answer: { iden: 'i' },
    line: 'POST https://api.pushbullet.com/v2/pushes',
    headers: { 'access-token': 't' },
    body: {
      type: 'link',
      title: 'Shop is down',
      body: '503 since noon',
      url: 'https://w.example/1',
      guid: 'key-1-#ops',
      channel_tag: 'ops',
    },
    externalId: 'i',
  },
  {
    type: 'ifttt',
    row: { username: 'k', properties: { event: 'alarm' } },
    answer: 'Congratulations!',
    line: 'POST https://maker.ifttt.com/trigger/alarm/with/key/k',
    body: { value1: 'Shop is down', value2: '503 since noon', value3: 'https://w.example/1' },
  },
  {
    type: 'zulip_chat',
    row: { username: 'bot@z', password: 'k', properties: { host: 'z.example', stream: 'ops', topic: 'down' } },
    answer: { result: 'success', id: 5 },
    line: 'POST https://z.example/api/v1/messages',
    headers: { authorization: `Basic ${Buffer.from('bot@z:k').toString('base64')}` },
    body: `type=stream&to=ops&topic=down&${new URLSearchParams({ content: PLAIN }).toString()}`,
    externalId: '5',
  },
  {
    type: 'generic_webhook',
    row: {
      url: 'generic+https://hook.example/x?ContentType=application%2Fjson&MessageKey=m&TitleKey=t&RequestMethod=POST&DisableTLS=false',
      password: 'sign-with-me',
      properties: { contentType: 'application/json', key: 'm', titleKey: 't', requestMethod: 'POST' },
    },
    answer: 'thanks',
    line: 'POST https://hook.example/x',
    headers: { 'idempotency-key': 'key-1', 'x-watchroom-timestamp': '1767225600' },
    body: { m: '503 since noon', t: 'Shop is down', link: 'https://w.example/1' },
  },
]

describe.each(CASES)('the sender of $type', ({ type, row, answer, line, body, headers = {}, externalId = null }) => {
  it('asks the service as it documents it, once', async () => {
    service.answer(200, answer)
    expect(await send(type, row)).toEqual({ externalId })
    expect(service.asked).toHaveLength(1)
    const [asked] = service.asked
    expect(asked?.line).toBe(line)
    expect(asked?.headers).toMatchObject(headers)
    expect(typeof body === 'string' ? asked?.body : JSON.parse(asked?.body ?? '')).toEqual(body)
  })

  it.each([
    ['refuses with a status', 403, { error: 'no such channel' }],
    ['falls over', 500, '<html>'],
  ])('fails when the service %s', async (_, status, said) => {
    service.answer(status, said)
    await expect(send(type, row)).rejects.toThrow(`it answered ${status}`)
  })
})

describe('services that say no with a status of success', () => {
  it.each([
    ['slack', { username: 'C', password: 'x' }, { ok: false, error: 'channel_not_found' }, 'channel_not_found'],
    ['telegram', { username: '1', password: 'x' }, { ok: false, description: 'chat not found' }, 'chat not found'],
    [
      'zulip_chat',
      { username: 'b', password: 'k', properties: { host: 'z' } },
      { result: 'error', msg: 'gone' },
      'gone',
    ],
    ['pushover', { username: 'u', password: 't' }, { status: 0, errors: ['user invalid'] }, 'user invalid'],
  ] as const)('%s', async (type, row, answer, reason) => {
    service.answer(200, answer)
    await expect(send(type, row)).rejects.toThrow(`it refused the message: ${reason}`)
  })
})

describe('services that ask for patience in their answer alone', () => {
  it.each([
    ['telegram', { username: '1', password: 'x' }, { ok: false, parameters: { retry_after: 35 } }, 35_000],
    ['discord', { username: '1', password: 'x' }, { message: 'rate limited', retry_after: 64.57 }, 65_000],
    ['zulip_chat', { username: 'b', password: 'k', properties: { host: 'z' } }, { 'retry-after': 28.7 }, 29_000],
    ['matrix', { password: 't', properties: { host: 'm' } }, { retry_after_ms: 2_500 }, 3_000],
    ['discord', { username: '1', password: 'x' }, { retry_after: -1 }, null],
    ['discord', { username: '1', password: 'x' }, { retry_after: 1e300 }, null],
    ['discord', { username: '1', password: 'x' }, '<html>', null],
  ] as const)('%s', async (type, row, answer, retryAfterMs) => {
    service.answer(429, answer)
    const failure = await send(type, row).catch((error: unknown) => error)
    expect(toRefusalOf(failure, NOW)).toEqual({ isFinal: false, retryAfterMs })
  })
})

describe('services that refuse what is long', () => {
  const LONG = '😀'.repeat(4_000)
  const field = (name: string) => (body: string) => new URLSearchParams(body).get(name) ?? ''
  const property = (name: string) => (body: string) => (JSON.parse(body) as Record<string, string>)[name] ?? ''
  it.each([
    ['telegram', { username: '1', password: 'x' }, { ok: true }, property('text'), 4_096, MESSAGE.link],
    ['discord', { username: '1', password: 'x' }, {}, property('content'), 2_000, MESSAGE.link],
    ['pushover', { username: 'u', password: 't' }, { status: 1 }, field('message'), 1_024, '…'],
    ['pushover', { username: 'u', password: 't' }, { status: 1 }, field('title'), 250, '…'],
    ['ntfy', { properties: { host: 'n', topic: 't' } }, {}, property('message'), 4_096, '…'],
    ['opsgenie', { password: 'k', properties: { host: 'o', port: '443' } }, {}, property('message'), 130, '…'],
  ] as const)('%s gets as much of it as it takes', async (type, row, answer, said, max, end) => {
    service.answer(200, answer)
    await send(type, row, { title: LONG.slice(0, 300), text: LONG })
    const { body = '' } = service.asked[0] ?? {}
    const words = said(body)
    expect(type === 'ntfy' ? Buffer.byteLength(words) : words.length).toBeLessThanOrEqual(max)
    // No character in halves, and a sign that there was more.
    expect(words).not.toMatch(/\p{Cs}/u)
    expect(words).toContain('😀…')
    expect(words).not.toContain('\uFFFD')
    expect(words.endsWith(end)).toBe(true)
  })
})

describe('the sender of matrix', () => {
  it('signs in, and sends to each room under the key of the message', async () => {
    service.answer(200, { access_token: 'tok', joined_rooms: ['!a:m', '!b:m'], event_id: '$1' })
    const row = { username: 'bot', password: 'pw', properties: { host: 'matrix.example' } }
    expect(await send('matrix', row)).toEqual({ externalId: '$1' })
    expect(service.asked.map(({ line }) => line)).toEqual([
      'POST https://matrix.example/_matrix/client/v3/login',
      'GET https://matrix.example/_matrix/client/v3/joined_rooms',
      'PUT https://matrix.example/_matrix/client/v3/rooms/!a%3Am/send/m.room.message/key-1',
      'PUT https://matrix.example/_matrix/client/v3/rooms/!b%3Am/send/m.room.message/key-1',
    ])
    expect(service.asked[2]?.headers['authorization']).toBe('Bearer tok')
  })
})

describe('senders to several targets', () => {
  const chats = { username: '1, 2, 3', password: '1:abc' }
  const chatOf = (body: string): string => (JSON.parse(body) as { chat_id: string }).chat_id
  const refuse = (reasons: Readonly<Record<string, readonly [number, string]>>) =>
    service.answerBy(({ body }) => {
      const [status, description] = reasons[chatOf(body)] ?? [200, '']
      return status === 200
        ? { body: { ok: true, result: { message_id: Number(chatOf(body)) } } }
        : { status, body: { ok: false, description } }
    })
  const told = (): string[] => service.asked.map(({ body }) => chatOf(body))

  const failureOf = (sending: Promise<unknown>): Promise<unknown> => sending.catch((error: unknown) => error)
  /** What stays from one attempt to the next. */
  const keep = (): Taken => {
    const names = new Set<string>()
    return { list: async () => new Set(names), add: async (name) => void names.add(name) }
  }

  it('tells each chat of Telegram, also when another refuses, and with the next attempt those alone that have nothing', async () => {
    const taken = keep()
    refuse({ 1: [429, 'Too Many Requests'] })
    const failure = await failureOf(send('telegram', chats, {}, taken))
    expect(told()).toEqual(['1', '2', '3'])
    expect(String(failure)).toContain('2 of 3 took it; 1: it answered 429')
    expect(toRefusalOf(failure, NOW)).toMatchObject({ isFinal: false })
    refuse({})
    expect(await send('telegram', chats, {}, taken)).toEqual({ externalId: '1' })
    expect(told()).toEqual(['1', '2', '3', '1'])
  })

  it('gives up when none of the chats that refused may take it later', async () => {
    refuse({ 1: [403, 'blocked'], 3: [400, 'chat not found'] })
    const failure = await failureOf(send('telegram', chats, {}, keep()))
    expect(String(failure)).toMatch(/1 of 3 took it; 1: it answered 403.*; 3: it answered 400/)
    expect(toRefusalOf(failure, NOW)).toEqual({ isFinal: true, retryAfterMs: null })
  })

  it('tries again while none of the chats took it and one of them may', async () => {
    refuse({ 1: [403, 'blocked'], 2: [429, 'Too Many Requests'], 3: [403, 'blocked'] })
    const failure = await failureOf(send('telegram', chats))
    expect(told()).toEqual(['1', '2', '3'])
    expect(String(failure)).toContain('0 of 3 took it')
    expect(toRefusalOf(failure, NOW)).toMatchObject({ isFinal: false })
  })

  it('tells a chat that is named twice once', async () => {
    refuse({})
    await send('telegram', { ...chats, username: '1, 1' })
    expect(told()).toEqual(['1'])
  })

  it('tells nobody else where it cannot be kept who took it', async () => {
    refuse({})
    const taken = { ...NOBODY_YET, add: () => Promise.reject(new Error('the database is away')) }
    const failure = await failureOf(send('telegram', chats, {}, taken))
    expect(String(failure)).toContain('the database is away')
    expect(told()).toEqual(['1'])
  })

  it('tells each target of Pushbullet, and with the next attempt those alone that have nothing', async () => {
    const taken = keep()
    service.answerBy(({ body }) => (body.includes('"one"') ? { status: 503, body: {} } : { body: { iden: 'i' } }))
    const row = { password: 't', properties: { targets: 'one,two' } }
    const failure = await failureOf(send('pushbullet', row, {}, taken))
    expect(service.asked).toHaveLength(2)
    expect(toRefusalOf(failure, NOW)).toMatchObject({ isFinal: false })
    service.answer(200, { iden: 'i' })
    await send('pushbullet', row, {}, taken)
    expect(service.asked.map(({ body }) => /one|two/.exec(body)?.[0])).toEqual(['one', 'two', 'one'])
  })
})

describe('the sender of slack', () => {
  it('lays a message out in blocks that call nobody and lead nowhere else', async () => {
    service.answer(200, { ok: true })
    const parts = {
      text: `<!channel> <https://evil.example|Open> ${'&'.repeat(3_000)}`,
      silenceLink: 'https://w.example/s',
    }
    await send('slack', { username: 'C1', password: 'xoxb-1' }, { title: 'x'.repeat(400), parts })
    const { blocks } = JSON.parse(service.asked[0]?.body ?? '') as { blocks: { text?: { text: string } }[] }
    const texts = blocks.flatMap(({ text }) => text?.text ?? [])
    expect(texts[0]).toHaveLength(150)
    expect(texts[1]).toMatch(/^&lt;!channel&gt; &lt;https:\/\/evil\.example\|Open&gt; /)
    expect(texts.every((text) => text.length <= 3_000)).toBe(true)
    expect(blocks.at(-1)).toMatchObject({
      elements: [{ text: '<https://w.example/1|Open in Watchroom> · <https://w.example/s|Silence it>' }],
    })
  })
})

describe('webhooks', () => {
  it('sign the moment and the body with their secret', async () => {
    const webhook = CASES.find(({ type }) => type === 'generic_webhook')
    await send('generic_webhook', webhook?.row ?? {})
    const [asked] = service.asked
    const expected = createHmac('sha256', 'sign-with-me').update(`1767225600.${asked?.body}`).digest('hex')
    expect(asked?.headers['x-watchroom-signature']).toBe(`sha256=${expected}`)
  })

  it('put everything into the address when they are asked with GET', async () => {
    const row = { url: 'https://hook.example/x?a=1', properties: { requestMethod: 'GET' } }
    await send('generic_webhook', row)
    expect(service.asked[0]?.line).toContain('GET https://hook.example/x?a=1&message=503+since+noon&title=Shop+is+down')
    expect(service.asked[0]?.body).toBe('')
  })

  it.each([
    ['application/x-www-form-urlencoded', 'message=503+since+noon&title=Shop+is+down&link=https%3A%2F%2Fw.example%2F1'],
    ['text/plain; charset=utf-8', 'Shop is down\n503 since noon\nhttps://w.example/1'],
    ['application/vnd.acme+json', '{"message":"503 since noon","title":"Shop is down","link":"https://w.example/1"}'],
  ])('say as %s what they are told', async (contentType, body) => {
    await send('generic_webhook', { url: 'https://hook.example/x', properties: { contentType } })
    const [asked] = service.asked
    expect([asked?.headers['content-type'], asked?.body]).toEqual([contentType, body])
  })

  it('sign the query where there is no body', async () => {
    const row = { url: 'https://hook.example/x?a=1', password: 'sign-with-me', properties: { requestMethod: 'GET' } }
    await send('generic_webhook', row)
    const [asked] = service.asked
    const query = asked?.line.split('?')[1] ?? ''
    expect(query).toContain('message=503')
    const expected = createHmac('sha256', 'sign-with-me').update(`1767225600.${query}`).digest('hex')
    expect(asked?.headers['x-watchroom-signature']).toBe(`sha256=${expected}`)
  })

  it('take the address of an incoming webhook in place of a token of Slack', async () => {
    service.answer(200, 'ok')
    await send('slack', { username: '#ops', password: 'https://hooks.slack.com/services/T/B/x' })
    expect(service.asked[0]?.line).toBe('POST https://hooks.slack.com/services/T/B/x')
  })
})

it('uses no credential that stands elsewhere', () => {
  expect(() => toOpenedConnection('slack', { username: 'C', password: 'secret://slack/token' })).toThrow(
    'Bot Token: only a server in Kubernetes can read secret://slack/token',
  )
})
