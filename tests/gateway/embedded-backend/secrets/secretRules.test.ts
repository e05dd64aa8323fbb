import { expect, it } from 'vitest'

import { SECRET_RULES } from '../../../../gateway/src/embedded-backend/secrets/secretRules.ts'

const toRegExp = (pattern: string): RegExp => new RegExp(pattern.replaceAll('[:space:]', '\\s'), 'i')

/** One per alternative of the rules about texts, with nothing else around it that would be looked at. */
const SECRET_TEXTS = [
  'https://ada:s3cr3t@shop.invalid/',
  'https://shop.invalid/?key=s3cr3t',
  'https://shop.invalid/?sig=s3cr3t',
  'https://shop.invalid/?pwd=s3cr3t',
  'https://shop.invalid/?auth=s3cr3t',
  'https://shop.invalid/?code=s3cr3t',
  ...['token', 'secret', 'password', 'passwd', 'passphrase', 'api-key', 'access_key', 'privatekey'].flatMap((name) => [
    `${name}=s3cr3t`,
    `"${name}": "s3cr3t"`,
  ]),
  'signature=s3cr3t',
  'account-key=s3cr3t',
  'Bearer 0123456789',
  'Basic 0123456789',
  'https://hooks.slack.com/services/T0/B0/s3cr3t',
  'https://discord.com/api/webhooks/0/s3cr3t',
  'https://shop.webhook.office.com/webhookb2/s3cr3t',
]

it.each(SECRET_TEXTS)('reads a definition closely that contains %s', (text) => {
  expect(toRegExp(SECRET_RULES.texts).test(text)).toBe(true)
  expect(toRegExp(SECRET_RULES.hint).test(JSON.stringify({ url: text }))).toBe(true)
})
