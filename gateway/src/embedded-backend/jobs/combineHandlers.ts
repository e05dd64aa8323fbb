import type { EventHandler } from './createEventConsumer.ts'

type Handlers = ReadonlyMap<string, EventHandler>

/** Each event goes to all who handle it; one that fails keeps it from no other. */
export function combineHandlers(all: readonly Handlers[]): Handlers {
  const names = new Set(all.flatMap((handlers) => [...handlers.keys()]))
  return new Map(
    [...names].map((name): [string, EventHandler] => {
      const own = all.flatMap((handlers) => handlers.get(name) ?? [])
      return [
        name,
        async (event) => {
          const ended = await Promise.allSettled(own.map((handle) => handle(event)))
          const failure = ended.find((each) => each.status === 'rejected')
          if (failure) throw failure.reason
        },
      ]
    }),
  )
}
