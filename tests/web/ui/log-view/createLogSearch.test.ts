import { describe, expect, it } from 'vitest'

import { createLogLines } from '../../../../web/src/ui/log-view/createLogLines.ts'
import { createLogSearch, nextMatch } from '../../../../web/src/ui/log-view/createLogSearch.ts'

const lines = (text: string) => {
  const log = createLogLines()
  log.append([{ text, at: null, stream: 'stdout' }])
  return log
}

describe('createLogSearch', () => {
  it('finds lines whatever the size of their letters and whatever their colors', () => {
    const search = createLogSearch(['err'])
    search.advance(lines('ok\nERROR\n\u001B[31mer\u001B[1mror\u001B[0m\nlast').lines, 100)
    expect(search.matches()).toEqual([1, 2])
  })

  it('goes on where it stopped, and looks at the last line again while it grows', () => {
    const log = lines('err\nok\ner')
    const search = createLogSearch(['err'])
    expect(search.advance(log.lines, 1)).toBe(true)
    expect(search.advance(log.lines, 1)).toBe(false)
    expect(search.matches()).toEqual([0])
    log.append([{ text: 'r', at: null, stream: 'stdout' }])
    search.advance(log.lines, 10)
    expect(search.matches()).toEqual([0, 2])
    log.append([{ text: 'or\nnext', at: null, stream: 'stdout' }])
    search.advance(log.lines, 10)
    expect(search.matches()).toEqual([0, 2])
  })

  it('finds what came to a line of one stream after lines of the other', () => {
    const log = lines('ok\ner')
    log.append([{ text: 'one\ntwo\nerr\n', at: null, stream: 'stderr' }])
    const search = createLogSearch(['err'])
    search.advance(log.lines, 100)
    expect(search.matches()).toEqual([4])
    log.append([{ text: 'r\nnext', at: null, stream: 'stdout' }])
    search.advance(log.lines, 100)
    expect(search.matches()).toEqual([1, 4])
  })
})

describe('nextMatch', () => {
  it('goes around the ends', () => {
    expect(nextMatch([3, 8], 3, 1)).toBe(8)
    expect(nextMatch([3, 8], 8, 1)).toBe(3)
    expect(nextMatch([3, 8], 3, -1)).toBe(8)
    expect(nextMatch([], 3, 1)).toBeNull()
  })
})
