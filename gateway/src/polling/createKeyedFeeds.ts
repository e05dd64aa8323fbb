import type { Feed } from './contract.ts'

// Feeds of one topic with parameters: opened when someone listens, shared by all with the same parameter, closed when the
// last one leaves.

export interface KeyedFeeds<Row, Key extends string> {
  readonly get: (key: Key) => Feed<Row>
  readonly close: () => void
}

export function createKeyedFeeds<Row, Key extends string = string>(
  open: (key: Key) => Feed<Row>,
): KeyedFeeds<Row, Key> {
  const feeds = new Map<Key, { feed: Feed<Row>; listeners: number }>()

  const take = (key: Key): { feed: Feed<Row>; listeners: number } => {
    const known = feeds.get(key)
    if (known) return known
    const opened = { feed: open(key), listeners: 0 }
    feeds.set(key, opened)
    return opened
  }

  return {
    get: (key) => {
      const entry = take(key)
      return {
        ...entry.feed,
        listen: (listener) => {
          const stop = entry.feed.listen(listener)
          entry.listeners += 1
          let isListening = true
          return () => {
            if (!isListening) return
            isListening = false
            stop()
            entry.listeners -= 1
            if (entry.listeners > 0) return
            entry.feed.close()
            feeds.delete(key)
          }
        },
      }
    },
    close: () => {
      for (const { feed } of feeds.values()) feed.close()
      feeds.clear()
    },
  }
}
