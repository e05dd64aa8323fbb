import { describe, expect, it } from 'vitest'

import { createRandom } from '#support/random.ts'

import { parseSelect } from '../../../shared/src/access/parseSelect.ts'

/** `target`, `target!hint`, indented by depth. */
function embedsOf(select: string): string[] {
  const parsed = parseSelect(select)
  if (!parsed.ok) return [parsed.error]
  return parsed.value.map(({ target, hints, depth }) => '>'.repeat(depth) + [target, ...hints].join('!'))
}

describe('parseSelect', () => {
  it.each([
    ['', []],
    ['*', []],
    ['id,name', []],
    [' id , name ,', []],
    ['id,*,id', []],
    ['labels->>a', []],
    ['labels->a->>b,config->0->-1,since:updated_at', []],
    ['tags->>app.kubernetes.io/name', ['unreadable']],
    ['a:labels->>"b c"', []],
    ['price::text,n:price::numeric,a->>b::int', []],
    ['amount.sum(),total:amount.avg()::int,count(),n:count()', []],
    ['full name,dash-ed,größe,"a,b(c)"', []],
    ['created_by(id,name,avatar)', ['>created_by']],
    ['created_by ( id , name )', ['>created_by']],
    ['agents()', ['>agents']],
    ['agent:agent_id(id)', ['>agent_id']],
    ['created_at:configs(id, name)', ['>configs']],
    ['canaries!checks_canary_id_fkey(id)', ['>canaries!checks_canary_id_fkey']],
    ['configs:configs!a_fkey!inner(id)', ['>configs!a_fkey']],
    ['hypotheses!inner(evidences!left(component_id))', ['>hypotheses', '>>evidences']],
    ['...people(name)', ['>people']],
    ['... person:people!x ( name )', ['>people!x']],
    ['"people"(id)', ['>people']],
    ['"a b":"people"!"x y"(id)', ['>people!x y']],
    ['a(b(c(d(id))))', ['>a', '>>b', '>>>c', '>>>>d']],
    ['a(*,b(*)),c(*)', ['>a', '>>b', '>c']],
    ['constructor(id),__proto__(id),toString(*)', ['>constructor', '>__proto__', '>toString']],
    ['a(id))', ['>a']],
  ])('reads %s', (select, embeds) => expect(embedsOf(select)).toEqual(embeds))

  it.each([
    ['a text in quotes that is a JSON key', 'labels->>"a,connections(*),b"', ['unreadable']],
    ['a quote that an older version ends at', String.raw`"a\",connections(*),b"`, ['unreadable']],
    ['a quote that does not end', '"a,connections(*)', ['unreadable']],
    ['what stands behind garbage', 'id;x,connections(*)', ['unreadable']],
    ['two surplus brackets', 'a(id)))', ['unreadable']],
    ['a select behind a surplus bracket', 'id),connections(*)', ['unreadable']],
    ['a bracket that does not end', 'a(id', ['unreadable']],
    ['an escape that is none', 'id,%63onnections(*)', ['unreadable']],
    ['NUL', 'id\0,connections(*)', ['unreadable']],
    ['a spread of nothing', '...', ['unreadable']],
    ['a spread column', '...id', ['unreadable']],
    ['a hint without a relation', 'id!inner', ['unreadable']],
    ['an old spelling', 'people.fkey(id)', ['unreadable']],
    ['an unknown aggregate', 'amount.drop()', ['unreadable']],
    ['a cast with more in it', 'id::"a,connections(*)"', ['unreadable']],
    ['five levels', 'a(b(c(d(e(id)))))', ['deep']],
    ['seventeen relations', Array.from({ length: 17 }, (_, index) => `a${index}(id)`).join(','), ['wide']],
  ])('does not overlook %s', (_name, select, expected) => expect(embedsOf(select)).toEqual(expected))

  it('sees a relation wherever a random select hides it', () => {
    const random = createRandom(7)
    const pieces = [
      'id',
      '*',
      'a',
      ':',
      '::',
      '!',
      '(',
      ')',
      ',',
      '"',
      '->',
      '->>',
      '.',
      '...',
      ' ',
      'count()',
      '-',
      '$',
      'é',
    ]
    const some = (): string =>
      Array.from({ length: Math.floor(random() * 6) }, () => pieces[Math.floor(random() * pieces.length)]).join('')
    // Whatever comes before the comma: what follows is read as an embed, or the whole is refused.
    const overlooked = Array.from({ length: 20_000 }, () => [some(), some()] as const).filter(([before, after]) => {
      const parsed = parseSelect(`${before},connections(*)${after}`)
      return parsed.ok && !isQuoted(before) && !parsed.value.some(({ target }) => target === 'connections')
    })
    expect(overlooked).toEqual([])
  })
})

/** A name in quotes may hold anything, the comma included. */
const isQuoted = (before: string): boolean => before.split('"').length % 2 === 0
