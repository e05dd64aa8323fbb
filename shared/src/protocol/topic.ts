import type { z } from 'zod'

import type { Resource } from '../access/index.ts'

/** Rows travel as flat objects keyed by `key`; an upsert carries changed fields only, so a field is replaced as a whole. */
export type TopicRow = Record<string, unknown>

/**
 * A named live stream of keyed rows (protocol/SPEC.md). One definition serves the gateway's hub and the browser's reader.
 *
 * @typeParam Params typed parameters, part of the topic's identity
 * @typeParam Row row as the browser sees it, after parsing
 */
export interface Topic<Params extends Record<string, string>, Row extends TopicRow> {
  readonly name: string
  readonly params: z.ZodType<Params>
  readonly row: z.ZodType<Row>
  /** Field that identifies a row within the topic. */
  readonly key: keyof Row & string
  /** Read on this resource is needed to subscribe; checked again whenever a role changes. */
  readonly resource: (params: Params) => Resource
  /**
   * What the backend is asked about before it opens for someone: the table or view below `/db` that the rows come from, and the
   * filter that the parameters mean. Whoever is shown less of it than the gateway gets no shared rows (LIVE-64).
   */
  readonly source: (params: Params) => string
  /** Other tables whose rows these quote: people who are shown less of one of them get no shared rows either. */
  readonly quotes?: readonly string[]
  /**
   * A call besides, `POST /path`, that the backend must take from someone: what answers it is no table. Asked with a list where an
   * object is expected, which every backend refuses before it acts.
   */
  readonly door?: string
  /** A browser leaves it with its last reader instead of a while later: others see who is subscribed (LIVE-66). */
  readonly isLeftAtOnce?: true
}
