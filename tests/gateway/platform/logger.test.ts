import { Writable } from 'node:stream'

import { describe, expect, it } from 'vitest'

import { createLogger, redactUrl } from '../../../gateway/src/platform/logger.ts'

function capture(): { lines: () => string; logger: ReturnType<typeof createLogger> } {
  const chunks: string[] = []
  const destination = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk.toString())
      done()
    },
  })
  return { lines: () => chunks.join(''), logger: createLogger({ level: 'debug', destination }) }
}

describe('createLogger', () => {
  it('writes no secret, at any depth that is logged here', () => {
    const { lines, logger } = capture()
    const secret = 'do-not-log-me'
    const headers = { cookie: secret, authorization: secret, 'x-session-token': secret, 'set-cookie': [secret] }
    logger.info(
      { ...headers, password: secret, headers, request: { headers }, body: { password: secret, access_token: secret } },
      'x',
    )
    expect(lines()).toContain('[redacted]')
    expect(lines()).not.toContain(secret)
  })

  it('writes one JSON object per event, with the error behind `err`', () => {
    const { lines, logger } = capture()
    logger.warn({ err: new Error('broken') }, 'it broke')
    const event = JSON.parse(lines()) as { msg: string; err: { message: string }; time: string }
    expect(event).toMatchObject({ msg: 'it broke', err: { message: 'broken' } })
    expect(Date.parse(event.time)).not.toBeNaN()
  })
})

describe('redactUrl', () => {
  it.each([
    [
      '/kratos/self-service/recovery?flow=1&token=abc&x=2',
      '/kratos/self-service/recovery?flow=[redacted]&token=[redacted]&x=2',
    ],
    ['/registration?invitation=abc', '/registration?invitation=[redacted]'],
    ['/self-service/logout?logout_token=abc', '/self-service/logout?logout_token=[redacted]'],
    ['/db/checks?select=*&id=eq.1', '/db/checks?select=*&id=eq.1'],
  ])('masks credentials in %s', (url, expected) => {
    expect(redactUrl(url)).toBe(expected)
  })
})

describe('errors of the database', () => {
  it('are written without the rows they quote', () => {
    const { lines, logger } = capture()
    const error = Object.assign(new Error('null value in column "name"'), {
      code: '23502',
      detail: 'Failing row contains (1, hunter2).',
      where: 'unnamed portal parameter $1 = hunter2',
    })
    logger.error({ err: error }, 'not written')
    expect(lines()).toContain('Failing row contains (…).')
    expect(lines()).not.toContain('hunter2')
  })
})
