import { vi } from 'vitest'

/** What was drawn, as names of calls of the drawing context. */
export interface DrawnCalls {
  readonly calls: string[]
}

/** Happy-dom has no canvas. This one draws nothing and remembers what it was asked for, so that the real chart runs on it. */
export function giveCanvas(): DrawnCalls {
  const calls: string[] = []
  const context = new Proxy<Record<string | symbol, unknown>>(
    { measureText: (text: string) => ({ width: text.length * 6 }) },
    {
      get: (known, name) =>
        known[name] ??
        ((...given: unknown[]) => {
          calls.push(`${String(name)} ${given.filter((value) => typeof value === 'number').join(' ')}`.trim())
        }),
      set: (known, name, value) => {
        known[name] = value
        return true
      },
    },
  )
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(() => context as never)
  vi.stubGlobal(
    'Path2D',
    class {
      moveTo = (): void => undefined
      lineTo = (): void => undefined
      arc = (): void => undefined
      rect = (): void => undefined
      closePath = (): void => undefined
      addPath = (): void => undefined
    },
  )
  return { calls }
}
