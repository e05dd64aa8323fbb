import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { makeFolder } from '#support/logFile.ts'

import { toShownLine } from '../../../gateway/src/platform/createOwnLog.ts'
import { createRotatingFile } from '../../../gateway/src/platform/createRotatingFile.ts'
import { createLogger } from '../../../gateway/src/platform/logger.ts'

/** What a call of the logger leaves for people. */
function shownOf(log: (logger: ReturnType<typeof createLogger>) => void): Record<string, unknown> {
  const lines: string[] = []
  log(createLogger({ level: 'debug', destination: { write: (line) => lines.push(line) } }))
  return JSON.parse(toShownLine(lines[0] ?? '') ?? 'null') as Record<string, unknown>
}

describe("the product's own log", () => {
  it('keeps when, how grave and what, and facts that tell of nobody', () => {
    const shown = shownOf((logger) =>
      logger.child({ part: 'wake' }).warn({ source: 'checks', failures: 3 }, 'source cannot be read'),
    )
    expect(shown).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      level: 'warn',
      msg: 'source cannot be read',
      part: 'wake',
      source: 'checks',
      failures: 3,
    })
  })

  it.each([
    ['who asked for what', { userId: 'u-1', url: '/incidents/1?token=t', email: 'ada@example.org', ip: '10.0.0.1' }],
    ['credentials under any name', { name: 'postgres://ada:pw@db/main', code: 'a'.repeat(100), state: 'x y@z' }],
    ['what is not plain', { source: { token: 't' }, kind: ['secret'], type: null }],
  ])('leaves out %s', (_what, facts) => {
    expect(Object.keys(shownOf((logger) => logger.info(facts, 'request')))).toEqual(['time', 'level', 'msg'])
  })

  it("names an error's kind and code, never its words", () => {
    const error = Object.assign(new TypeError('password of ada@example.org is wrong'), { code: 'E_X' })
    const shown = [
      shownOf((logger) => logger.error({ err: error }, 'request failed')),
      shownOf((logger) => logger.error(error)),
    ]
    expect(shown[0]).toMatchObject({ msg: 'request failed', error: 'TypeError', errorCode: 'E_X' })
    expect(JSON.stringify(shown)).not.toMatch(/ada|password|stack/)
    expect(shown[1]).toMatchObject({ msg: 'error' })
  })

  it('keeps starts and ends also where little is printed, and nothing where nothing is', () => {
    const linesOf = (level: 'warn' | 'debug' | 'silent') => {
      const printed: string[] = []
      const kept: string[] = []
      const to = (lines: string[]) => ({ write: (line: string) => void lines.push(line) })
      const logger = createLogger({ level, destination: to(printed), ownLog: to(kept) })
      logger.debug('d')
      logger.info('i')
      logger.warn('w')
      return [printed.length, kept.length]
    }
    expect([linesOf('warn'), linesOf('debug'), linesOf('silent')]).toEqual([
      [1, 2],
      [3, 2],
      [0, 0],
    ])
  })

  it('takes no line that is not its own', () => {
    expect(toShownLine('Error: plain text')).toBeNull()
  })
})

describe('a rotating file', () => {
  it('keeps so many earlier ones and no more, and is quiet where nothing can be written', () => {
    const folder = makeFolder()
    const file = createRotatingFile(join(folder, 'a.log'), { maxBytes: 10, maxOlder: 2 })
    for (let n = 0; n < 5; n++) file.write(`line of ${n}\n`)
    file.write('new\n')
    file.close()
    expect(readdirSync(folder).toSorted()).toEqual(['a.log', 'a.log.1', 'a.log.2'])
    expect(readFileSync(join(folder, 'a.log'), 'utf8')).toBe('new\n')
    expect(readFileSync(join(folder, 'a.log.1'), 'utf8')).toBe('line of 4\n')
    createRotatingFile(join(folder, 'missing/a.log'), { maxBytes: 10, maxOlder: 2 }).write('lost\n')
  })
})
