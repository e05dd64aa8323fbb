import { describe, expect, it } from 'vitest'

import * as breakpoints from '../../web/src/ui/breakpoints.ts'
import { listFiles, readSources, readText } from './sources.ts'

// What every screen is made of has one home. A second one would look, sound and fail in a way of its own.

const web = readSources('web/src')

/** Lines that use `pattern` outside the named homes. */
function usesOutside(pattern: RegExp, homes: readonly string[]): string[] {
  return web
    .filter(({ path }) => !homes.some((home) => path.startsWith(home)))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (pattern.test(line) ? [`${path}:${at + 1} ${line.trim()}`] : [])),
    )
}

describe('the kit of the web', () => {
  it('has tables in web/src/ui/table alone', () => {
    expect(usesOutside(/<table\b/, ['web/src/ui/table/'])).toEqual([])
  })

  it('names what the query cache holds in web/src/api alone', () => {
    expect(usesOutside(/\b(?:query|mutation)Key:\s*\[|setQueryData\(\s*\[/, ['web/src/api/'])).toEqual([])
  })

  it('has the widths at which screens change in web/src/ui/breakpoints.ts alone', () => {
    expect(usesOutside(/\((?:max|min)-width/, ['web/src/ui/breakpoints.ts'])).toEqual([])
  })

  it('keeps raw colors to the theme, and to palettes that have names', () => {
    const raw = /#[\da-f]{3,8}\b|\brgba?\(|\bhsla?\(/i
    const styles = listFiles('web/src', /\.css$/).filter((path) => path !== 'web/src/ui/theme.css')
    expect(styles.filter((path) => raw.test(readText(path).replaceAll(/\/\*[^]*?\*\/|--[\w-]+:[^;]*;/g, '')))).toEqual(
      [],
    )
  })

  it('changes the shape of tables and lists at the named widths alone', () => {
    const named = new Set(Object.values(breakpoints).map((query) => Number(/\d+/.exec(query)?.[0])))
    const styles = listFiles('web/src', /\.module\.css$/)
    const strangers = styles.flatMap((path) =>
      [...readText(path).matchAll(/\((max|min)-width: (\d+)px\)/g)]
        // One pixel apart: `max-width: 719px` ends where `min-width: 720px` begins.
        .filter(([, end, px]) => !named.has(Number(px)) && !named.has(Number(px) - (end === 'min' ? 1 : 0)))
        .map(([media]) => `${path} ${media}`),
    )
    expect(strangers).toEqual([])
  })
})
