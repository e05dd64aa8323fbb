import { createSilenceFinder, type SilencedResource } from '@watchroom/shared/notifications'
import { describe, expect, it } from 'vitest'

const NOW = Date.parse('2026-01-01T12:00:00Z')
const silence = (id: string, about: string, covers: readonly string[], more: object = {}) => ({
  id,
  from: '2026-01-01T11:00:00+00',
  until: '2026-01-01T13:00:00+00',
  about: { id: about },
  isRecursive: false,
  covers,
  ...more,
})

const find = <Row extends ReturnType<typeof silence>>(
  silences: readonly Row[],
  resource: SilencedResource,
): Row | undefined => createSilenceFinder(silences, NOW)(resource)

describe('the silence that holds a resource', () => {
  it('is one that covers it now, not before and not after', () => {
    const one = silence('one', 'shop', ['shop', 'check'])
    expect(find([one], { id: 'check' })).toBe(one)
    expect(find([one], { id: 'other' })).toBeUndefined()
    expect(find([{ ...one, from: '2026-01-01T12:00:01Z' }], { id: 'check' })).toBeUndefined()
    expect(find([{ ...one, until: '2026-01-01T12:00:00Z' }], { id: 'check' })).toBeUndefined()
  })

  it('is its own before one of what is above it, and of these the last to end', () => {
    const short = silence('short', 'shop', ['check'])
    const long = silence('long', 'shop', ['check'], { until: '2026-01-02T00:00:00Z' })
    const own = silence('own', 'check', ['check'])
    expect(find([short, long], { id: 'check' })?.id).toBe('long')
    expect(find([short, long, own], { id: 'check' })?.id).toBe('own')
  })

  it('of a backend that lists none is one that names it, its canary or, for all below, what is above it', () => {
    const named = (id: string, isRecursive = false) => [silence(id, id, [id], { isRecursive })]
    expect(find(named('canary'), { id: 'check', canaryId: 'canary' })?.id).toBe('canary')
    expect(find(named('root', true), { id: 'leaf', path: 'root.middle' })?.id).toBe('root')
    expect(find(named('root'), { id: 'leaf', path: 'root.middle' })).toBeUndefined()
  })
})
