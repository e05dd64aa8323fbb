import type { Feed } from './contract.ts'

/** A feed of some rows of another feed that reads everything each time: rows that no longer match disappear by themselves. */
export const narrowFeed = <Row>(feed: Feed<Row>, isMeant: (row: Row) => boolean): Feed<Row> => ({
  ...feed,
  listen: (listener) =>
    feed.listen({ ...listener, onRead: (read) => listener.onRead({ ...read, rows: read.rows.filter(isMeant) }) }),
})
