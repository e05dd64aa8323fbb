import { choice, INSECURE_TLS, REQUIRED, secret, text } from '../connectionField.ts'
import type { ConnectionType } from '../connectionType.ts'

/** What the address of the webhook is followed by. */
const PARAMETERS = /[?&]ContentType=[^&]*&MessageKey=[^&]*&TitleKey=[^&]*&RequestMethod=[^&]*&DisableTLS=[^&]*$/

export const genericWebhook = {
  title: 'Generic Webhook',
  group: 'Notifications',
  test: 'message',
  fields: [
    text('url', 'URL', {
      ...REQUIRED,
      placeholder: 'https://host/path',
      place: null,
      read: ({ url }) => (url ?? '').replace(/^generic\+/, '').replace(PARAMETERS, ''),
    }),
    text('contentType', 'Content Type', { initial: 'application/json', help: 'Default: application/json.' }),
    choice('requestMethod', 'Request Method', ['POST', 'GET'], { initial: 'POST' }),
    text('key', 'Message key', { ...REQUIRED, initial: 'message', help: 'Default: message.' }),
    text('titleKey', 'Title key', { ...REQUIRED, initial: 'title', help: 'Default: title.' }),
    secret('password', 'Signing secret', { help: 'Signs each message so that the receiver can verify it.' }),
    INSECURE_TLS,
  ],
  toAddress: ({ plain, encoded }) =>
    `generic+${plain('url')}${plain('url').includes('?') ? '&' : '?'}ContentType=${encoded('contentType')}` +
    `&MessageKey=${encoded('key')}&TitleKey=${encoded('titleKey')}` +
    `&RequestMethod=${plain('requestMethod')}&DisableTLS=${plain('insecure_tls')}`,
} as const satisfies ConnectionType
