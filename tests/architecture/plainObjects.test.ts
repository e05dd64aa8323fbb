import { describe, expect, it } from 'vitest'

import { readSources, type Source } from './sources.ts'

// A plain object holds more than was put into it: `labels['constructor']` is a function that the page then draws. What people
// or the wire chose is therefore looked up with `ownValue`, in a `Map`, or behind `Object.hasOwn` on the same line. These rules
// read text, not types: they know objects by how they were declared, and by the names that people fill.

const sources = [...readSources('shared/src'), ...readSources('web/src'), ...readSources('gateway/src')]

/** Objects that hold what people call things, whatever a file declares them as. */
const FILLED_BY_PEOPLE = ['labels', 'annotations', 'tags', 'cookies']

const DECLARED = /\b(\w+)\??: (?:Readonly<)?(?:Partial<)?Record<string,/g
const CAST = /as (?:Readonly<)?Record<string, \w+>>?\)\??\.?\[(?!['"\d])/

/** Places where every key is the object's own, or one of ours, and the line cannot show it. */
const KNOWN_KEYS: Readonly<Record<string, string>> = {
  'shared/src/health/checkTypes/expandCanary.ts': 'fields of a canary',
  'web/src/features/canaries/components/CheckSection.tsx': 'fields of a form',
  'web/src/features/canaries/spec/checkFields.ts': 'keys of our own schema',
  'web/src/features/incident-room/responders/ResponderDetailsForm.tsx': 'fields of a form',
  'web/src/features/incident-room/responders/responderForm.ts': 'fields of a form',
  'web/src/features/sign-in/flowValues.ts': 'written only; `__proto__` is left out before',
  'web/src/ui/config/ConfigTypeIcon.tsx': 'takes only words that Object.hasOwn found',
  'web/src/url/searchParams.ts': 'asks Object.hasOwn first, and defines what is new',
  'gateway/src/agent/options.ts': 'options of the command',
  'gateway/src/app/config.ts': 'settings',
  'gateway/src/embedded-backend/identity/routes.ts': 'parameters that we name',
  'gateway/src/embedded-backend/server/databaseRoutes.ts': 'headers that we name',
  'gateway/src/platform/errors.ts': 'places in our own templates',
}

function findLookups({ path, text }: Source): string[] {
  const names = new Set([...FILLED_BY_PEOPLE, ...[...text.matchAll(DECLARED)].flatMap(([, name]) => name ?? [])])
  const lookup = new RegExp(String.raw`\b(?:${[...names].join('|')})\??\.?\[(?!['"\d\]])([^\]]+)\](?!\??\.?\[|\w)`)
  const lines = text.split('\n')
  return lines.flatMap((line, index) => {
    const [found] = lookup.exec(line) ?? CAST.exec(line) ?? []
    const before = lines.slice(Math.max(0, index - 2), index + 1).join('\n')
    const isOwn = /Object\.(?:hasOwn|keys|entries)|for \(const \w+ in /.test(before)
    return found === undefined || isOwn ? [] : [`${path}:${index + 1}: ${line.trim()}`]
  })
}

describe('plain objects', () => {
  it('are never asked for a key that someone else chose', () => {
    expect(sources.filter(({ path }) => KNOWN_KEYS[path] === undefined).flatMap(findLookups)).toEqual([])
  })

  it('are not asked with `in`, which finds what they inherit', () => {
    const inTable = /(?<!const )\b\w+ in [A-Z][A-Z_]+\b/
    const offences = sources.flatMap(({ path, text }) =>
      text
        .split('\n')
        .flatMap((line) =>
          inTable.test(line) && !/^\s*(?:\/\/|\*|\/\*)/.test(line) ? [`${path}: ${line.trim()}`] : [],
        ),
    )
    expect(offences).toEqual([])
  })
})
